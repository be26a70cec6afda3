import { type RunContext, viewOf } from '../../machines/context.ts';
import type { Refusal } from '../../machines/events.ts';
import { canonicalCapability } from '../../machines/permissions/capability.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import type { AnyArtifact } from '../../machines/record.ts';
import { isStale, refusalOf } from '../../machines/refusals.ts';
import { canonicalJson, canonicalOrder } from '../../schemas/canonical.ts';
import { found } from '../../schemas/found.ts';
import type { ArtifactMeta, Ledger, StoredRun } from '../ledger/ledger.ts';
import { resolveTarget } from '../targets/resolveTarget.ts';
import type { ArtifactAnswer, Controller, RunListRow, Stepped } from './api.ts';
import { createDispatch, type Dispatched } from './dispatch.ts';
import { readForeign } from './foreignRun.ts';
import { awaitsContext, gather, groundEvent } from './grounding.ts';
import { refusalError } from './refusal.ts';
import { replayReport } from './replayReport.ts';
import { cursorAfter, readCursor } from './runCursor.ts';
import { createRunStore, type LoadedRun, runNotFound } from './runStore.ts';
import type { Clock, IdSource } from './sources.ts';
import { start } from './starting.ts';
import { type Accepted, acceptedBefore, answeredBefore, idOf, isNamedType, submitEvent } from './submitting.ts';
import { type FailureParts, TelicError } from './telicError.ts';
import { traceEventOf } from './traceView.ts';

/** What a controller stands on. */
export interface ControllerPorts {
  /** Opens the ledger at the first call that needs it; the same object ever after. */
  readonly ledger: () => Ledger;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Canonical absolute path of the repository that this server serves. */
  readonly repositoryRoot: string;
  /** Directories that are never grounded: the state directory. */
  readonly excludedRoots: readonly string[];
  /** Which permissions decide a check: the run's, or those of the current action (permissions section 9). */
  readonly brokerScope: 'envelope' | 'action';
  /** Told after each accepted event that moved a run, and after a start. */
  readonly onMoved?: (run: RunContext) => void;
  /** Closes the ledger, if it was opened. */
  readonly close: () => void;
}

const metaOf = ({ body: _, ...meta }: AnyArtifact): ArtifactMeta => ({ ...meta, schemaVersion: '1.0' });

const listRow = ({ context }: StoredRun): RunListRow => {
  const { repositoryRoot: _, escalationCount: __, priorRunId: ___, budgets: ____, ...row } = viewOf(context);
  return row;
};

const steppedOf = ({ run, nextAction, record }: Dispatched): Stepped => ({
  run: viewOf(run.snapshot.context),
  nextAction: nextAction ?? projectNextAction(run.snapshot.context, run.record),
  stored: record.artifacts.map(metaOf),
});

const noCursor = (cursor: string): TelicError => {
  const message = `${found(cursor)} is no cursor of telic_list_runs.`;
  const fix = 'Send the nextCursor of an earlier list, or leave it out to begin with the newest run.';
  return new TelicError('invalid_arguments', message, {
    findings: [{ path: 'cursor', code: 'ADM-TR-13', message, fix }],
    nextSteps: [fix],
  });
};

const elsewhere = (runId: string, root: string, served: string): TelicError =>
  new TelicError('run_not_found', `Run ${runId} belongs to the repository ${root}; this server serves ${served}.`, {
    nextSteps: [`Use a server that is started in ${root}, or start a new run here.`],
  });

/** The most rows of a run's page of artifacts unless the caller says otherwise (mcp-surface, telic_get_run). */
const artifactPage = 100;

/**
 * The only place that moves a run. A call becomes one event; the machine decides; everything that follows is committed in
 * one transaction; the answer is a projection of what was committed.
 *
 * Its calls throw TelicError (refusals and faults of a run), LedgerError (the store) and GroundingError (the repository).
 */
export const createController = (ports: ControllerPorts): Controller => {
  const { ledger, clock, ids, repositoryRoot } = ports;
  const store = createRunStore(ledger);
  const onMoved = ports.onMoved ?? (() => {});
  /** For what moves a run: its paths mean something in its own repository alone, which a shared state directory hides. */
  const own = (runId: string): LoadedRun => {
    const run = store.load(runId);
    const { repositoryRoot: root } = run.snapshot.context;
    if (root !== repositoryRoot) throw elsewhere(runId, root, repositoryRoot);
    return run;
  };
  const dispatch = createDispatch(ledger, { ...store, load: own }, onMoved);
  const notFound = (runId: string): TelicError => runNotFound(runId, ledger().tombstone(runId));

  const repeatOf = (found: Accepted | null, run: LoadedRun, refusal: Refusal): FailureParts =>
    found && refusal.code === 'stale_version'
      ? { alreadyAccepted: found, nextAction: projectNextAction(run.snapshot.context, run.record) }
      : {};

  const answerOf = (
    artifact: AnyArtifact,
    piece: { offset?: number | undefined; limit?: number | undefined },
  ): ArtifactAnswer => {
    const meta = metaOf(artifact);
    if (piece.offset === undefined && piece.limit === undefined)
      return { ...meta, body: canonicalOrder(artifact.body) };
    const text = canonicalJson(artifact.body);
    const offset = piece.offset ?? 0;
    const end = piece.limit === undefined ? undefined : offset + piece.limit;
    return { ...meta, text: text.slice(offset, end), offset, total: text.length };
  };

  return {
    start: async (args) => {
      const started = start({ ledger, store, clock, ids, repositoryRoot }, args);
      onMoved(store.load(started.run.runId).snapshot.context);
      return started;
    },

    ground: async (args, options = {}) => {
      const run = own(args.runId);
      const at = clock.now();
      const material = awaitsContext(run, args) ? await gather(run, args, options, at, ports.excludedRoots) : null;
      options.signal?.throwIfAborted();
      const done = dispatch(args.runId, groundEvent(args, material, at));
      const manifest = done.record.artifacts.find((artifact) => artifact.type === 'ContextManifest');
      if (manifest?.type !== 'ContextManifest') throw new TelicError('internal', 'A grounding left no manifest.');
      return { ...steppedOf(done), manifest: manifest.body };
    },

    submit: async (args) => {
      const { artifactType } = args;
      if (!isNamedType(artifactType))
        throw new TelicError('invalid_arguments', `Unknown artifact type \`${artifactType}\`.`, {
          findings: [
            {
              path: 'artifact_type',
              code: 'ADM-COM-02',
              message: `Unknown artifact type \`${artifactType}\`.`,
              fix: 'Use the requiredOutputType of the next action, or one of its alternatives.',
            },
          ],
          nextSteps: [`Call telic_get_next_action with run_id ${args.runId}.`],
        });
      const make = submitEvent(args, artifactType, clock.now(), repositoryRoot);
      const done = dispatch(args.runId, make, (run, _event, refusal) =>
        refusal.code === 'stale_version' ? repeatOf(acceptedBefore(ledger(), run, args), run, refusal) : {},
      );
      if (artifactType !== 'Evidence' && artifactType !== 'ScenarioSpec') return steppedOf(done);
      const artifact = done.run.record.get(idOf(args.body) ?? '');
      if (!artifact) throw new TelicError('internal', 'An accepted supporting artifact is not in the record.');
      return { ...steppedOf(done), artifact: metaOf(artifact) };
    },

    answer: async (args) => {
      const at = clock.now();
      const messageId = ids.uuid();
      const { runId, actionId, expectedVersion, answer, via } = args;
      const token = { actionId, expectedVersion };
      const done = dispatch(
        runId,
        ({ record }) => ({ type: 'user.answer', token, at, answer, messageId, via, record }),
        (run, _event, refusal) =>
          refusal.code === 'stale_version' ? repeatOf(answeredBefore(ledger(), args, answer), run, refusal) : {},
      );
      return steppedOf(done);
    },

    requireToken: async ({ runId, actionId, expectedVersion }) => {
      const { context } = own(runId).snapshot;
      const held = { type: 'user.cancel', token: { actionId, expectedVersion }, at: clock.now() } as const;
      if (isStale(context, held)) throw refusalError(context, refusalOf('stale', context, held), undefined);
    },

    cancel: async ({ runId, actionId, expectedVersion }) =>
      steppedOf(
        dispatch(runId, () => ({ type: 'user.cancel', token: { actionId, expectedVersion }, at: clock.now() })),
      ),

    check: async ({ runId, actionId, expectedVersion, capability, target }) => {
      const needsPath = canonicalCapability(capability)?.startsWith('repository.') ?? false;
      const resolved = needsPath && target !== undefined ? resolveTarget(repositoryRoot, target) : null;
      const done = dispatch(runId, ({ record }) => ({
        type: 'host.check',
        token: { actionId, expectedVersion },
        at: clock.now(),
        capability,
        target: target ?? null,
        resolved,
        scope: ports.brokerScope,
        record,
      }));
      if (!done.decision) throw new TelicError('internal', 'A check left no decision.');
      return { decision: done.decision };
    },

    nextAction: async (runId, parts) => {
      const { snapshot, record } = store.load(runId);
      const { context } = snapshot;
      return { nextAction: parts ? projectNextAction(context, record, parts) : projectNextAction(context, record) };
    },

    listRuns: async (limit, cursor) => {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      if (cursor !== undefined && before === undefined) throw noCursor(cursor);
      const rows = ledger().runs(limit + 1, repositoryRoot, before);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        runs: shown.map(listRow),
        ...(last && rows.length > limit && { nextCursor: cursorAfter(last.changed) }),
      };
    },

    run: async (runId, page = {}) => {
      const foreign = readForeign(ledger(), runId, { after: page.after ?? 0, limit: page.limit ?? artifactPage });
      if (foreign) return foreign;
      const { snapshot, record } = store.load(runId);
      const { context } = snapshot;
      const after = page.after ?? 0;
      const artifacts = record
        .entries()
        .slice(after, after + (page.limit ?? artifactPage))
        .map(metaOf);
      const next = after + artifacts.length;
      return {
        run: viewOf(context),
        artifacts,
        artifactCount: record.size,
        nextAfterIndex: next < record.size ? next : null,
        nextAction: projectNextAction(context, record),
      };
    },

    artifact: async (runId, artifactId, piece = {}) => {
      if (!ledger().run(runId)) throw notFound(runId);
      const artifact = ledger().artifact(runId, artifactId);
      if (artifact) return { artifact: answerOf(artifact, piece) };
      const message = `Run ${runId} has no artifact ${artifactId}.`;
      const fix = 'Call telic_get_run for the ids of its artifacts.';
      throw new TelicError('artifact_not_found', message, {
        findings: [{ path: 'artifact_id', code: 'ADM-TR-15', message, fix }],
        nextSteps: [fix],
      });
    },

    trace: async (runId, afterSequence, limit) => {
      const stored = ledger().run(runId);
      if (!stored) throw notFound(runId);
      const rows = ledger().trace(runId, afterSequence, limit + 1);
      const events = rows.slice(0, limit).map(traceEventOf);
      const hasMore = rows.length > limit;
      return { events, hasMore, nextAfterSequence: hasMore ? (events.at(-1)?.sequence ?? null) : null };
    },

    replay: async (runId) => {
      const stored = ledger().run(runId);
      if (!stored) throw notFound(runId);
      return { report: ledger().together(() => replayReport(ledger(), runId, stored.context.topology)) };
    },

    close: ports.close,
  };
};
