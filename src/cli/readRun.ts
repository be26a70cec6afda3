import { viewOf } from '../../machines/context.ts';
import { canonicalOrder } from '../../schemas/canonical.ts';
import { ListRunsArguments, pageDefaults } from '../../schemas/tools.ts';
import { limits } from '../../schemas/vocabulary.ts';
import type { Controller } from '../controller/api.ts';
import { controllerOver } from '../controller/openController.ts';
import type { Ledger, StoredRun, TraceRow } from '../ledger/ledger.ts';
import { openLedgerReadOnly } from '../ledger/sqlite/sqliteLedger.ts';
import type { StateDirectory } from '../ledger/stateDirectory.ts';
import { CommandError } from './terminal.ts';

/** What the command line shows of runs (mcp-surface section 8). The ledger is opened for reading alone. */

const reading = <T>(state: StateDirectory, read: (ledger: Ledger) => T): T => {
  const ledger = openLedgerReadOnly(state);
  try {
    return ledger.together(() => read(ledger));
  } finally {
    ledger.close();
  }
};

/** For what a tool of the server answers, too: the controller answers it, over a ledger that takes no commit. */
const asking = async <T>(state: StateDirectory, ask: (controller: Controller, ledger: Ledger) => T): Promise<T> => {
  const ledger = openLedgerReadOnly(state);
  const controller = controllerOver(ledger, state);
  try {
    return await ask(controller, ledger);
  } finally {
    controller.close();
  }
};

const runOf = (ledger: Ledger, runId: string): StoredRun => {
  const run = ledger.run(runId);
  if (!run) throw new CommandError(`The ledger of this repository has no run ${runId}. See telic runs.`);
  return run;
};

const limitOf = (said: string | undefined): number => {
  if (said === undefined) return pageDefaults.runs;
  const parsed = ListRunsArguments.safeParse({ limit: /^\d+$/.test(said) ? Number(said) : said });
  if (parsed.success && parsed.data.limit !== undefined) return parsed.data.limit;
  throw new CommandError(`--limit takes a whole number from 1 to 100, not ${JSON.stringify(said)}.`);
};

/**
 * `{ runs }`: the rows of `telic_list_runs`, the newest change first.
 *
 * @param limit the value of `--limit`
 */
export const runs = (state: StateDirectory, limit: string | undefined): Promise<object> => {
  const most = limitOf(limit);
  return asking(state, async (controller) => ({ runs: (await controller.listRuns(most)).runs }));
};

/** What the `report` of `telic_replay_run` holds, without a wrapper. */
export const replay = (state: StateDirectory, runId: string): Promise<object> =>
  asking(state, async (controller, ledger) => {
    runOf(ledger, runId);
    return (await controller.replay(runId)).report;
  });

/** `{ run, artifacts }`: the record, and the metadata of every artifact in insertion order. */
export const status = (state: StateDirectory, runId: string): object =>
  reading(state, (ledger) => ({
    run: viewOf(runOf(ledger, runId).context),
    artifacts: ledger.artifactMeta(runId, 0, limits.artifacts),
  }));

const traceRow = (row: TraceRow): object => ({
  id: row.id,
  runId: row.runId,
  sequence: row.sequence,
  timestamp: row.at,
  actor: row.actor,
  phase: row.phase,
  eventType: row.event,
  inputRefs: row.inputRefs,
  outputRefs: row.outputRefs,
  permissionDecision: row.decision ?? null,
  decisionSummary: row.summary,
  budgetSnapshot: {
    promptRevisions: row.budgets.revisions,
    postExecutionRemediations: row.budgets.remediations,
    transportRetries: 0,
  },
});

/** `{ runId, events }`: the whole trace with the names of the ledger, not those of the wire. */
export const trace = (state: StateDirectory, runId: string): object =>
  reading(state, (ledger) => {
    runOf(ledger, runId);
    return { runId, events: ledger.trace(runId, 0, limits.traceEvents).map(traceRow) };
  });

/** `{ artifact }`: metadata and body, the digest checked. */
export const artifact = (state: StateDirectory, runId: string, artifactId: string): object =>
  reading(state, (ledger) => {
    runOf(ledger, runId);
    const found = ledger.artifact(runId, artifactId);
    if (!found) throw new CommandError(`Run ${runId} has no artifact ${artifactId}. See telic status ${runId}.`);
    const { body, type, id, runId: run, ...meta } = found;
    return { artifact: { id, runId: run, type, schemaVersion: '1.0', ...meta, body: canonicalOrder(body) } };
  });
