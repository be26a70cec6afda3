import { z } from 'zod';
import { caseOf } from '../../machines/case.ts';
import { sealed } from '../../machines/companions/sealed.ts';
import type { RecordEffect, RunEvent, TraceEntry } from '../../machines/events.ts';
import { type AnyArtifact, emptyRecord, type RunRecord } from '../../machines/record.ts';
import { startRun } from '../../machines/start/start.ts';
import { begin, type RunSnapshot, step } from '../../machines/step.ts';
import { bodySchemas } from '../../schemas/artifacts/index.ts';
import { canonicalJson } from '../../schemas/canonical.ts';
import { LogicalRole, limits, RecordPhase } from '../../schemas/vocabulary.ts';
import type { HistoryEvent } from '../ledger/history.ts';
import { AnsweredPayload, CancelledPayload, CheckedPayload, StartedPayload, SubmittedPayload } from './recorded.ts';
import { isNamedType } from './submitting.ts';

/** One event of a run's chain, fed to the machine again from what the ledger kept of it. Pure. */

/** What one event does when it is executed again. */
export type Executed =
  | Readonly<{ kind: 'taken'; snapshot: RunSnapshot; effect: RecordEffect }>
  | Readonly<{ kind: 'refused'; why: string }>;

/** Where a run stands between two events. */
export type Standing = Readonly<{ snapshot: RunSnapshot; record: RunRecord }>;

/** What was read of a row cannot be an event of this machine. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/** @throws UnreadableEvent naming the places at fault */
export const read = <T>(schema: z.ZodType<T>, payload: unknown): T => {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  throw new UnreadableEvent(`payload: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
};

export const parse = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableEvent(`${what} is not JSON`, { cause: error });
  }
};

/** The linked run as the ledger held it when the run began: a run that has ended, of this repository (LIN-01 to LIN-04). */
const linkedAtStart = (runId: string, repositoryRoot: string) =>
  ({ runId, repositoryRoot, status: 'completed', damaged: null, record: emptyRecord(runId) }) as const;

const executeStart = (event: HistoryEvent, runId: string, payload: unknown): Executed => {
  const { args, facts, input } = read(StartedPayload, payload);
  if (facts.runId !== runId || facts.at !== event.at)
    return { kind: 'refused', why: `it is the start of run ${facts.runId} at ${facts.at}` };
  const prior = args.priorRunId === undefined ? null : linkedAtStart(args.priorRunId, facts.repositoryRoot);
  const outcome = startRun(args, { ...facts, prior });
  if (!outcome.ok) return { kind: 'refused', why: outcome.findings.map(({ code }) => code).join(', ') };
  const snapshot = begin(outcome.input);
  if (canonicalJson(outcome.input) !== canonicalJson(input))
    return { kind: 'refused', why: 'the machine starts from another input' };
  return { kind: 'taken', snapshot, effect: outcome.effect };
};

/** The documents of a grounding: the controller seals them itself, so their metadata follow from their bodies. */
const documentsOf = (event: HistoryEvent, runId: string): readonly AnyArtifact[] =>
  event.artifacts
    .filter(({ meta }) => meta.type === 'ContextDocument')
    .map(({ meta, body }) => {
      const parsed = bodySchemas.ContextDocument.safeParse(parse(body ?? '', `the body of ${meta.id}`));
      if (!parsed.success) throw new UnreadableEvent(`the body of ${meta.id} is no ContextDocument`);
      const { id, repositoryRef } = parsed.data;
      return sealed('ContextDocument', 'controller', { runId, id, createdAt: event.at }, parsed.data, [repositoryRef]);
    });

const submitEventOf = (event: HistoryEvent, { snapshot, record }: Standing, payload: unknown): RunEvent => {
  const { token, submission, body } = read(SubmittedPayload, payload);
  const { type } = submission;
  if (!isNamedType(type) || event.type !== `submit.${type}`)
    throw new UnreadableEvent(`${event.type} submits a ${type}`);
  const kept = event.artifacts.find(({ meta }) => meta.type === type);
  const isManifest = type === 'ContextManifest';
  const sent = {
    type,
    from: isManifest ? ('controller' as const) : ('host' as const),
    body: kept ? parse(kept.body ?? '', `the body of ${kept.meta.id}`) : body,
    sourceRefs: submission.sourceRefs,
    targets: submission.targets,
  };
  const documents = isManifest ? documentsOf(event, record.runId) : [];
  return {
    type: `submit.${type}`,
    token,
    at: event.at,
    case: caseOf(snapshot.context, record, sent, event.at, documents),
  };
};

const eventOf = (event: HistoryEvent, standing: Standing, payload: unknown): RunEvent => {
  const { type, at } = event;
  const { record } = standing;
  switch (type) {
    case 'user.cancel':
      return { type, at, ...read(CancelledPayload, payload) };
    case 'user.answer':
      return { type, at, record, ...read(AnsweredPayload, payload) };
    case 'host.check': {
      const { secret: _, ...asked } = read(CheckedPayload, payload);
      return { type, at, record, ...asked };
    }
    default:
      return submitEventOf(event, standing, payload);
  }
};

/** A trace entry as it is stored, of the events whose decision cannot be computed again. */
const StoredEntry = z.object({
  event: z.enum(['broker_decision', 'transition_denied', 'permission_checked']),
  actor: LogicalRole,
  phase: RecordPhase,
  inputRefs: z.array(z.string()),
  outputRefs: z.array(z.string()),
  summary: z.string(),
  decision: z
    .object({
      decision: z.enum(['allow', 'deny']),
      capability: z.string(),
      scope: z.string(),
      policyRefs: z.array(z.string()),
      rationaleSummary: z.string(),
    })
    .optional(),
});

const storedEntry = ({ trace }: HistoryEvent): TraceEntry => {
  const [first] = trace;
  if (trace.length !== 1 || !first) throw new UnreadableEvent(`${trace.length} trace rows where one is written`);
  const { decision, ...entry } = read(StoredEntry, parse(first.entry, 'its trace row'));
  return { ...entry, ...(decision && { decision }) };
};

/**
 * A check of a target that was not kept: who asked, about what and under which policy is compared; how it was decided is
 * taken from the trace.
 */
const withStoredDecision = (event: HistoryEvent, effect: RecordEffect): RecordEffect => {
  const [computed] = effect.trace;
  const { summary, decision } = storedEntry(event);
  if (!computed?.decision || !decision) return effect;
  const { capability, policyRefs } = computed.decision;
  return { artifacts: [], trace: [{ ...computed, summary, decision: { ...decision, capability, policyRefs } }] };
};

const executeEvent = (event: HistoryEvent, standing: Standing, payload: unknown): Executed => {
  const taken = step(standing.snapshot, eventOf(event, standing, payload));
  if (taken.outcome === 'refused') {
    const codes = taken.refusal.findings.map(({ code }) => code).join(', ');
    return { kind: 'refused', why: `${taken.refusal.code}${codes === '' ? '' : `: ${codes}`}` };
  }
  if (taken.outcome === 'ended') return { kind: 'refused', why: 'the run had ended' };
  const isSecret = event.type === 'host.check' && read(CheckedPayload, payload).secret;
  const effect = isSecret ? withStoredDecision(event, taken.record) : taken.record;
  return { kind: 'taken', snapshot: taken.next, effect };
};

/**
 * A recorded refusal: what was refused is not kept, so it is not judged again. Its one trace entry has to be of a refusal,
 * at the phase of the run, and not one more than a version may have.
 */
const executeRefusal = (event: HistoryEvent, { snapshot, record }: Standing): Executed => {
  const entry = storedEntry(event);
  const isDenial = entry.event === 'transition_denied' && record.denials < limits.deniedTraceEventsPerVersion;
  const isDeniedCheck = entry.event === 'permission_checked' && entry.decision?.decision === 'deny';
  if (!isDenial && !isDeniedCheck) return { kind: 'refused', why: 'it is the trace of no refusal' };
  const { phase } = snapshot.context;
  return { kind: 'taken', snapshot, effect: { artifacts: [], trace: [{ ...entry, phase }] } };
};

/**
 * What an event does at a point of its run.
 *
 * @param standing the run before the event; null before its first
 * @param payload the parsed payload of the event
 * @throws UnreadableEvent when the row cannot be an event of this machine
 */
export const execute = (event: HistoryEvent, runId: string, standing: Standing | null, payload: unknown): Executed => {
  if (standing === null) {
    if (event.type !== 'start') throw new UnreadableEvent(`the first event is ${event.type}`);
    return executeStart(event, runId, payload);
  }
  return event.type === 'refused' ? executeRefusal(event, standing) : executeEvent(event, standing, payload);
};
