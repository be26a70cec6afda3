import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Controller } from '../../src/controller/api.ts';
import { createController } from '../../src/controller/controller.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import type { Product, StartRequest } from '../../src/sdk/index.ts';
import { startOf } from '../everyRun/starts.ts';
import { begin, outcomeOf, type Player, playerOf } from '../law/player.ts';

/** Plays the runs of a recorded ledger: one of each kind that a later version has to read and to replay. */

/** Names of the recorded runs, by the ids that the counted source gives them. */
export type Recorded = Readonly<Record<string, string>>;

const take = async (player: Player, labels: readonly string[]): Promise<void> => {
  for (const label of labels) {
    const outcome = await player.play(label);
    if (!outcome.ok) throw new Error(`${label} was refused: ${outcome.error}`);
  }
};

const refuse = async (what: string, call: Promise<Readonly<{ ok: boolean }>>): Promise<void> => {
  if ((await call).ok) throw new Error(`${what} was taken.`);
};

const framed = ['GROUND', 'ProblemFrame', 'TaskContract v1', 'PromptReview pass', 'WorkPlan'];

/** The same result with an action that the run may not do. */
const beyond = (product: Product): Product => {
  const { actions } = JSON.parse(JSON.stringify(product.body));
  const more = {
    ...actions[0],
    id: 'ACT-BEYOND',
    capability: 'external.write',
    target: 'https://example.org/',
    mutating: true,
  };
  return { ...product, body: { ...product.body, actions: [...actions, more] } };
};

const playAll = async (controller: Controller, ledger: Ledger): Promise<Recorded> => {
  const start = (request: StartRequest): Promise<Player> => begin(controller, ledger, request);

  const fix = await start(startOf(['analyze_and_fix', 'forensic']));
  await take(fix, [
    ...framed,
    'WorkResult completed',
    'QualityReview proceed_to_fix',
    'WorkPlan',
    'WorkResult completed',
    'QualityReview remediate',
    'WorkPlan',
    'WorkResult completed',
    'QualityReview pass',
    // A forensic run has its evidence reviewed once more.
    'QualityReview pass',
    'ReleaseAudit release',
    'UserReport completed',
  ]);

  const paused = await start(startOf(['plan_only', 'standard']));
  await take(paused, ['GROUND', 'ProblemFrame', 'ClarificationRequest first']);

  const cancelled = await start(startOf(['analyze_only', 'standard']));
  await take(cancelled, ['GROUND', 'ProblemFrame', 'ClarificationRequest first', 'ANSWER resume', 'CANCEL']);

  const micro = await start(startOf(['report_only', 'micro']));
  await take(micro, ['GROUND', 'ProblemFrame', 'QualityReview pass', 'UserReport completed']);

  const refused = await start(startOf(['analyze_only', 'forensic']));
  await take(refused, ['GROUND']);
  const frame = await refused.product('ProblemFrame');
  if (!frame) throw new Error('A frame is an artifact.');
  await refuse('a frame that names no run', refused.submit({ ...frame, body: { ...frame.body, runId: '' } }));
  await refuse('a plan while framing', refused.send('WorkPlan', { body: frame.body }));
  await refuse('an old token', outcomeOf(controller.cancel({ ...refused.token(), expectedVersion: 1 })));
  await take(refused, [
    'ProblemFrame',
    'TaskContract v1',
    'PromptReview revise',
    'TaskContract v2',
    'PromptReview pass',
  ]);
  await take(refused, ['WorkPlan']);
  for (const [capability, target] of [
    ['repository.read', 'README.md'],
    ['repository.write', 'README.md'],
    ['no.such.capability', 'README.md'],
  ] as const)
    await controller.check({ ...refused.token(), capability, target });
  const result = await refused.product('WorkResult completed');
  if (!result) throw new Error('A result is an artifact.');
  await refuse('an action beyond the permissions', refused.submit(beyond(result)));
  const sent = await refused.submit(result);
  if (!sent.ok) throw new Error(sent.error);

  const request: StartRequest = startOf(['report_only', 'standard']);
  const { run } = await controller.start({ ...request, priorRunId: fix.runId });
  const linked = playerOf(controller, ledger, run.runId);
  await take(linked, ['GROUND', 'ProblemFrame']);

  return {
    fix: fix.runId,
    paused: paused.runId,
    cancelled: cancelled.runId,
    micro: micro.runId,
    refused: refused.runId,
    linked: linked.runId,
  };
};

/**
 * Records the runs in `<folder>/state/ledger.sqlite3`, with a clock and ids that count.
 *
 * @param folder absolute; its name stands in the bodies, as the root of the repository
 */
export const record = async (folder: string): Promise<Recorded> => {
  const root = join(folder, 'sample');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'README.md'), '# Sample\n\nA parser and its notes.\n');
  writeFileSync(join(root, 'src', 'parser.ts'), 'export const parse = (text: string): string[] => text.split(",");\n');
  const state = locateStateDirectory({ TELIC_STATE_DIR: join(folder, 'state') }, root);
  const ledger = openLedger(state);
  let tick = 0;
  let id = 0;
  const controller = createController({
    ledger: () => ledger,
    clock: { now: () => new Date(Date.UTC(2026, 0, 1) + 1000 * tick++).toISOString() },
    ids: { uuid: () => `00000000-0000-4000-8000-${String(++id).padStart(12, '0')}` },
    repositoryRoot: state.repositoryRoot,
    excludedRoots: [state.path],
    brokerScope: 'envelope',
    close: () => ledger.close(),
  });
  try {
    return await playAll(controller, ledger);
  } finally {
    controller.close();
  }
};
