import { z } from 'zod';
import { caseOf } from '../../machines/case.ts';
import type { RunEvent, Token } from '../../machines/events.ts';
import { type AnyArtifact, emptyRecord } from '../../machines/record.ts';
import { begin, freeze, type RunSnapshot, step } from '../../machines/step.ts';
import { IntentMode, RunTopology } from '../../schemas/vocabulary.ts';
import { isNamedType } from '../../src/controller/submitting.ts';
import type { ChainRow, Ledger, TraceRow } from '../../src/ledger/ledger.ts';

/** The fold of a run's chain: the machine is fed again what the ledger kept of each event (run-machine section 16, I32). */

const Input = z.object({
  input: z.object({
    runId: z.string(),
    repositoryRoot: z.string(),
    mode: IntentMode,
    topology: RunTopology,
    priorRunId: z.string().nullable(),
    createdAt: z.string(),
  }),
});
const TokenShape = z.object({ actionId: z.string(), expectedVersion: z.number() });
const Answered = z.object({
  token: TokenShape,
  answer: z.string(),
  messageId: z.string(),
  via: z.enum(['client', 'host']),
});
const Submitted = z.object({
  token: TokenShape,
  submission: z.object({ type: z.string(), sourceRefs: z.array(z.string()), targets: z.record(z.string(), z.any()) }),
  body: z.unknown().optional(),
});

/** What the fold gives beside what the ledger holds; equal when the run is the fold of its events. */
export interface Fold {
  readonly snapshot: string;
  /** Ids and digests of the artifacts that the events leave, in order. */
  readonly artifacts: readonly string[];
  /** Name, actor, phase, references and summary of their trace entries, in order. */
  readonly trace: readonly string[];
}

const artifactLine = ({ id, sha256, sourceRefs }: Pick<AnyArtifact, 'id' | 'sha256' | 'sourceRefs'>): string =>
  JSON.stringify([id, sha256, sourceRefs]);
const traceLine = ({
  event,
  actor,
  phase,
  inputRefs,
  outputRefs,
  summary,
}: Omit<TraceRow, 'at' | 'budgets' | 'runId' | 'sequence' | 'id'>): string =>
  JSON.stringify([event, actor, phase, inputRefs, outputRefs, summary]);

/** What the ledger holds of a run, in the form of the fold; broker decisions and refusals apart. */
export const heldOf = (ledger: Ledger, runId: string): Fold => ({
  snapshot: ledger.run(runId)?.snapshot ?? '',
  artifacts: ledger.artifacts(runId, 0).slice(2).map(artifactLine),
  trace: ledger
    .trace(runId, 0, 10_000)
    .slice(2)
    .filter(
      ({ event, decision }) =>
        event !== 'transition_denied' &&
        event !== 'broker_decision' &&
        !(event === 'permission_checked' && decision?.decision === 'deny'),
    )
    .map(traceLine),
});

const eventOf = (
  row: ChainRow,
  token: Token,
  snapshot: RunSnapshot,
  stored: readonly AnyArtifact[],
  known: readonly AnyArtifact[],
): RunEvent => {
  const { at, type } = row;
  const record = emptyRecord(row.runId).extend(known, { added: 0, denials: 0 });
  if (type === 'user.cancel') return { type, token, at };
  if (type === 'user.answer') {
    const { answer, messageId, via } = Answered.parse(row.payload);
    return { type, token, at, answer, messageId, via, record };
  }
  const { submission, body } = Submitted.parse(row.payload);
  const kept = stored.find((artifact) => artifact.type === submission.type);
  const supporting = stored.filter((artifact) => artifact.type === 'ContextDocument');
  const sent = {
    ...submission,
    from: submission.type === 'ContextManifest' ? ('controller' as const) : ('host' as const),
    body: kept ? kept.body : body,
  };
  const named = submission.type;
  if (!isNamedType(named)) throw new Error(`The ledger names ${named}, which is no type.`);
  return { type: `submit.${named}`, token, at, case: caseOf(snapshot.context, record, sent, at, supporting) };
};

/** @throws when the machine refuses what the ledger says it took */
export const foldOf = (ledger: Ledger, runId: string): Fold => {
  const [first, ...rows] = ledger.chain(runId, 0, 10_000);
  let snapshot = begin(Input.parse(first?.payload).input);
  const all = ledger.artifacts(runId, 0);
  let known = all.slice(0, 2);
  const trace: string[] = [];
  for (const row of rows) {
    if (row.type === 'refused' || row.type === 'host.check') continue;
    const stored = row.artifacts.flatMap(({ id }) => all.filter((artifact) => artifact.id === id));
    const { token } = z.object({ token: TokenShape }).parse(row.payload);
    const taken = step(snapshot, eventOf(row, token, snapshot, stored, known));
    if (taken.outcome !== 'accepted')
      throw new Error(`The fold does not take event ${row.sequence}, ${row.type}: ${JSON.stringify(taken)}`);
    snapshot = taken.next;
    known = [...known, ...taken.record.artifacts];
    trace.push(...taken.record.trace.filter(({ decision }) => decision?.decision !== 'deny').map(traceLine));
  }
  return { snapshot: freeze(snapshot), artifacts: known.slice(2).map(artifactLine), trace };
};
