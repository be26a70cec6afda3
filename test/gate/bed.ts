import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';

import type { PermissionSet } from '../../schemas/permissions.ts';
import type { Controller, StartRunArgs } from '../../src/controller/api.ts';
import { openController } from '../../src/controller/openController.ts';
import { locateStateDirectory, type StateDirectory } from '../../src/ledger/stateDirectory.ts';
import { type Author, appendLine, followRun, inspectRepository, scriptedAuthor } from '../../src/sdk/index.ts';
import { callOf, newWorld, type World } from '../sdk/world.ts';

/** What the rows call a valid session: reading, writing and one command, for the run and for the pending node. */
export const permissions = (): PermissionSet => {
  const none = emptyPermissions();
  return {
    ...none,
    repository: { ...none.repository, read: ['**'], write: ['**'] },
    shell: { ...none.shell, executeAllowlist: ['npm test'] },
  };
};

export const fixRun: StartRunArgs = {
  originalRequest: 'Fix the parser and everything that depends on it, step by step, in every file of the project.',
  mode: 'fix_only',
  hostCapabilities: ['repository.read', 'repository.write', 'shell.execute'],
  authorizationGranted: ['repository.read', 'repository.write', 'shell.execute'],
  shellExecuteAllowlist: ['npm test'],
};

/** A world whose gate may take its time: tests run beside each other, and what they say must not hang on how busy it is. */
export const gateWorld = (...args: Parameters<typeof newWorld>): World => {
  const { root, env } = newWorld(...args);
  return { root, env: { ...env, TELIC_BROKER_DEADLINE_MS: '4000' } };
};

export const stateOf = ({ root, env }: World): StateDirectory => locateStateDirectory(env, root);

/** A controller as a server of the world has it: it keeps the session file. */
export const serverOf = (world: World): Controller => {
  const controller = openController(stateOf(world), world.env, (why) => {
    throw new Error(why);
  });
  onTestFinished(() => controller.close());
  return controller;
};

class Reached extends Error {}

/** The scripted author with every node of a plan permitted what the rows say; stops before it writes `before`. */
const authorUntil = (
  { root }: World,
  before: keyof Author,
  isFirst: boolean,
  script: NonNullable<Parameters<typeof scriptedAuthor>[1]>,
): Author => {
  const inspect = inspectRepository(root, { PATH: process.env.PATH });
  const change = appendLine(root, 'src/parser.ts', '// Changed.');
  const inner = scriptedAuthor(inspect, { plan: 'one', ...script }, change);
  const { WorkPlan } = inner;
  if (!WorkPlan) throw new Error('The scripted author plans nothing.');
  const author: Author = {
    ...inner,
    WorkPlan: async (work) => {
      const plan = await WorkPlan(work);
      const nodes = 'nodes' in plan.body && Array.isArray(plan.body.nodes) ? plan.body.nodes : [];
      return { ...plan, body: { ...plan.body, nodes: nodes.map((node) => ({ ...node, permissions: permissions() })) } };
    },
  };
  const stop = (): never => {
    throw new Reached();
  };
  // A later plan may have no more than its work order gives: it keeps what the author gives it.
  return { ...(isFirst ? author : inner), [before]: stop };
};

/** Drives a run until it would write an artifact of a type; gives where it stands then. */
export const driveTo = async (
  world: World,
  controller: Controller,
  before: keyof Author,
  start: StartRunArgs = fixRun,
  options: Readonly<{ runId?: string; script?: Parameters<typeof scriptedAuthor>[1] }> = {},
) => {
  const runId = options.runId ?? (await controller.start(start)).run.runId;
  const author = authorUntil(world, before, options.runId === undefined, options.script ?? {});
  try {
    await followRun({ call: callOf(controller), author, start: { runId } });
  } catch (error) {
    if (!(error instanceof Reached)) throw error;
  }
  const { run, nextAction } = await controller.run(runId);
  if (!nextAction) throw new Error('A run has a next action.');
  return { runId, run, nextAction };
};

export const sessionText = (world: World): string =>
  readFileSync(join(stateOf(world).path, 'active-session.json'), 'utf8');
