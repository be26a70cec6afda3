import { viewOf } from '../../machines/context.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import { emptyRecord } from '../../machines/record.ts';
import { type PriorFacts, type StartArgs, startRun } from '../../machines/start/start.ts';
import { begin, freeze, machineVersion } from '../../machines/step.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Started, StartRunArgs } from './api.ts';
import { asJson, withAfter } from './payload.ts';
import type { RunStore } from './runStore.ts';
import type { Clock, IdSource } from './sources.ts';
import { sentenceOf, TelicError } from './telicError.ts';

/** The host's name when it gives none. */
const unnamedHost = 'mcp-host';

const argsOf = (args: StartRunArgs): StartArgs => ({
  originalRequest: args.originalRequest,
  mode: args.mode,
  hostName: args.hostName ?? unnamedHost,
  nativeSubagents: args.nativeSubagents ?? 'unknown',
  hostCapabilities: args.hostCapabilities,
  granted: args.authorizationGranted,
  denied: args.authorizationDenied,
  commands: args.shellExecuteAllowlist,
  hosts: args.networkReadDomains,
  topologyOverride: args.topologyOverride,
  priorRunId: args.priorRunId,
});

/** What the ledger says of the linked run; a damaged artifact is named, not thrown (admission LIN-04). */
const priorFacts = (ledger: Ledger, runId: string): PriorFacts | null => {
  const stored = ledger.run(runId);
  if (!stored) return null;
  const { repositoryRoot, status } = stored.context;
  const facts = { runId, repositoryRoot, status };
  const empty = emptyRecord(runId);
  try {
    const record = empty.extend(ledger.artifacts(runId, 0), { added: stored.traceCount, denials: stored.denials });
    return { ...facts, damaged: null, record };
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'integrity_failed') throw error;
    return { ...facts, damaged: error.subject.artifactId ?? 'unknown', record: empty };
  }
};

/** What starting a run needs of the world. */
export interface StartPorts {
  readonly ledger: () => Ledger;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly repositoryRoot: string;
}

/**
 * Starts a run: judges the request, stores request and envelope with the run at version 1, answers the first action.
 * @throws TelicError with every finding of the START and LIN rules
 */
export const start = ({ ledger, store, clock, ids, repositoryRoot }: StartPorts, given: StartRunArgs): Started => {
  const args = argsOf(given);
  const at = clock.now();
  const facts = { runId: ids.uuid(), requestId: ids.uuid(), at, repositoryRoot };
  const prior = args.priorRunId === undefined ? null : priorFacts(ledger(), args.priorRunId);
  const outcome = startRun(args, { ...facts, prior });
  if (!outcome.ok)
    throw new TelicError(outcome.code, sentenceOf(outcome.findings), {
      findings: outcome.findings,
      nextSteps: ['Correct the arguments and call telic_start_run again; nothing was stored.'],
    });
  const { input, effect, droppedGrants, lineage } = outcome;
  const snapshot = begin(input);
  const { context } = snapshot;
  const frozen = freeze(snapshot);
  const { runId } = facts;
  const written = ledger().commit({
    runId,
    expectedHead: 0,
    event: {
      type: 'start',
      at,
      payload: withAfter({ args: asJson(args), facts: asJson(facts), input: asJson(input) }, frozen),
    },
    run: { context, snapshot: frozen, machineVersion },
    artifacts: effect.artifacts,
    trace: effect.trace.map((entry) => ({ ...entry, at, budgets: context.budgets })),
  });
  if (!written) throw new TelicError('internal', `Run ${runId} exists already.`);
  const run = store.load(runId);
  return {
    run: viewOf(context),
    nextAction: projectNextAction(context, run.record),
    droppedGrants,
    ...(lineage && { lineage }),
  };
};
