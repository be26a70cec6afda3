import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  GetArtifactArguments,
  GetRunArguments,
  GroundContextArguments,
  StartRunArguments,
  SubmitArtifactArguments,
} from '../../schemas/tools.ts';
import type { Controller } from '../../src/controller/api.ts';
import { openController } from '../../src/controller/openController.ts';
import { TelicError } from '../../src/controller/telicError.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import type { CallTool } from '../../src/sdk/index.ts';
import { commitInto } from '../support/committed.ts';

/** A repository and a place for its state, both gone when the test is over. */
export interface World {
  /** Real path. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** @param files by relative path; `git` makes a repository of them, `commit` also records them */
export const newWorld = (files: Readonly<Record<string, string>>, as: 'commit' | 'git' | 'folder', name = 'sample') => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'telic-sdk-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, name);
  mkdirSync(root);
  if (as === 'commit')
    commitInto(root, {
      files,
      message: 'Add the sample',
      settings: ['-c', 'user.name=T', '-c', 'user.email=t@example.org'],
      branch: 'main',
    });
  else {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    if (as === 'git') execFileSync('git', ['-C', root, 'init', '-q', '-b', 'main'], { stdio: 'ignore' });
  }
  const world: World = { root, env: { TELIC_STATE_DIR: join(base, 'state') } };
  return world;
};

export const sampleFiles = {
  'README.md': '# Sample\n\nA parser and its notes.\n',
  'src/parser.ts': 'export const parse = (text: string): string[] => text.split(",");\n',
} as const;

/** The controller of a world, closed when the test is over. */
export const controllerOf = ({ root, env }: World): Controller => {
  const controller = openController(locateStateDirectory(env, root), env, () => {});
  onTestFinished(() => controller.close());
  return controller;
};

/** The tools that the driver uses, answered by a controller in this process. */
export const callOf = (controller: Controller): CallTool => {
  const answers: Readonly<Record<string, (args: unknown) => Promise<object>>> = {
    telic_start_run: (args) => {
      const a = StartRunArguments.parse(args);
      return controller.start({
        originalRequest: a.original_request,
        mode: a.mode,
        hostName: a.host_name,
        hostCapabilities: a.host_capabilities,
        authorizationGranted: a.authorization_granted,
        topologyOverride: a.topology_override,
      });
    },
    telic_ground_context: (args) => {
      const a = GroundContextArguments.parse(args);
      return controller.ground({ ...tokenOf(a), activePaths: a.active_paths, budget: a.budget });
    },
    telic_submit_artifact: (args) => {
      const a = SubmitArtifactArguments.parse(args);
      if (a.clarification_response !== undefined)
        return controller.answer({ ...tokenOf(a), answer: a.clarification_response, via: 'host' });
      return controller.submit({
        ...tokenOf(a),
        artifactType: a.artifact_type ?? '',
        body: a.body,
        sourceRefs: a.source_refs ?? [],
      });
    },
    telic_get_run: (args) => {
      const a = GetRunArguments.parse(args);
      return controller.run(a.run_id, { after: a.after_index ?? 0, ...(a.limit !== undefined && { limit: a.limit }) });
    },
    telic_get_artifact: (args) => {
      const a = GetArtifactArguments.parse(args);
      return controller.artifact(a.run_id, a.artifact_id);
    },
  };
  return async (tool, args) => {
    const answer = answers[tool];
    if (!answer) throw new Error(`The driver should not need ${tool}.`);
    try {
      return { ok: true, ...(await answer(args)) };
    } catch (error) {
      if (error instanceof TelicError) return { ...error.failure };
      throw error;
    }
  };
};

const tokenOf = (a: Readonly<{ run_id: string; action_id: string; expected_run_version: number }>) => ({
  runId: a.run_id,
  actionId: a.action_id,
  expectedVersion: a.expected_run_version,
});
