import { caseOf } from '../../machines/case.ts';
import type { EscalationReason, NamedType, RecordEffect, RunEvent, Token, TraceEntry } from '../../machines/events.ts';
import { canonicalCapability } from '../../machines/permissions/capability.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import { ProjectionError } from '../../machines/projection/projectionError.ts';
import type { AnyArtifact } from '../../machines/record.ts';
import { isStale, refusalOf } from '../../machines/refusals.ts';
import { type RunSnapshot, step } from '../../machines/step.ts';
import { digest } from '../../schemas/canonical.ts';
import type { FailureCode, Finding } from '../../schemas/failure.ts';
import { checkBody } from '../../schemas/issues.ts';
import { parseArguments } from '../../schemas/tools/parse.ts';
import { readSubmission } from '../../schemas/tools/submission.ts';
import { SubmittedType } from '../../schemas/vocabulary.ts';
import { idOf, isNamedType, submitEvent } from '../controller/submitting.ts';
import { resolveTarget } from '../targets/resolveTarget.ts';
import { type Call, toolCallOf } from './calls.ts';
import type { Model } from './model.ts';

/** What only the server knows before it has answered: when it happened, and what the repository gave. */
export interface Seen {
  /** The time of the event, ISO 8601. */
  readonly at: string;
  /** Artifacts that the run holds since the call, insertion order. */
  readonly stored: readonly AnyArtifact[];
}

/** What our machine says of one call. */
export type Expected =
  | Readonly<{
      outcome: 'refused';
      code: FailureCode;
      findings: readonly Finding[];
      trace: readonly TraceEntry[];
      /** An exact repeat of something accepted is told so (decisions 11). */
      repeat: Readonly<{ id: string; version: number }> | null;
    }>
  | Readonly<{
      outcome: 'accepted';
      next: RunSnapshot;
      effect: RecordEffect;
      /** Accepted, but answered by an error: the run moved, the artifact was not stored. */
      moved: EscalationReason | null;
      event: RunEvent;
    }>
  | Readonly<{ outcome: 'ended' }>;

const refused = (code: FailureCode, findings: readonly Finding[], trace: readonly TraceEntry[] = []): Expected => ({
  outcome: 'refused',
  code,
  findings,
  trace,
  repeat: null,
});

const staleRefusal = (model: Model, token: Token): Expected | null => {
  const { context } = model.snapshot;
  const held = { type: 'user.cancel', token, at: context.updatedAt } as const;
  if (!isStale(context, held)) return null;
  const { code, findings } = refusalOf('stale', context, held);
  return refused(code, findings);
};

const sameToken = (one: Token, other: Token): boolean =>
  one.actionId === other.actionId && one.expectedVersion === other.expectedVersion;

/** An accepted submission or answer of an old version, sent again. */
const repeatOf = (model: Model, call: Call): Readonly<{ id: string; version: number }> | null => {
  const { past, record } = model;
  if (call.kind === 'answer') {
    const known = [...past].find(([, { token, answer }]) => answer === call.choice && sameToken(token, call.token));
    return known ? { id: known[0], version: known[1].version } : null;
  }
  if (call.kind !== 'submit') return null;
  const stored = record.get(idOf(call.body) ?? '');
  const known = stored && past.get(stored.id);
  const type = SubmittedType.safeParse(call.type);
  if (!known || !sameToken(known.token, call.token) || !type.success || stored.type !== type.data) return null;
  const checked = checkBody(type.data, call.body);
  return checked.ok && digest(checked.body) === stored.sha256 ? { id: stored.id, version: known.version } : null;
};

const groundEvent = (model: Model, token: Token, { at, stored }: Seen): RunEvent => {
  const { context } = model.snapshot;
  const manifest = stored.find(({ type }) => type === 'ContextManifest');
  const type = 'submit.ContextManifest';
  if (!manifest || !model.snapshot.matches({ working: 'ground' }))
    return { type, token, at, case: { facts: {}, shape: [], dossier: null } };
  const action = projectNextAction(context, model.record, []);
  const sourceRefs = action.kind === 'phase' ? action.inputRefs : [];
  const submitted = {
    type: 'ContextManifest',
    from: 'controller',
    body: manifest.body,
    sourceRefs,
    targets: {},
  } as const;
  const documents = stored.filter((artifact) => artifact.type === 'ContextDocument');
  return { type, token, at, case: caseOf(context, model.record, submitted, at, documents) };
};

/** The event that a call becomes, or why it becomes none: its arguments are wrong. */
const eventOf = (model: Model, root: string, call: Call, seen: Seen): RunEvent | Expected => {
  const { token } = call;
  const { record, snapshot } = model;
  const { at } = seen;
  const { runId } = snapshot.context;
  switch (call.kind) {
    case 'ground':
      return groundEvent(model, token, seen);
    case 'cancel':
      return { type: 'user.cancel', token, at };
    case 'check': {
      const { capability, target } = call;
      const onDisk = canonicalCapability(capability)?.startsWith('repository.') === true && target !== null;
      const resolved = onDisk ? resolveTarget(root, target) : null;
      return { type: 'host.check', token, at, capability, target, resolved, scope: 'envelope', record };
    }
    case 'answer': {
      const messageId = seen.stored.find(({ type }) => type === 'UserMessage')?.id ?? 'answer';
      return { type: 'user.answer', token, at, answer: call.choice, messageId, via: 'host', record };
    }
    case 'submit': {
      const parsed = parseArguments('telic_submit_artifact', toolCallOf(runId, call).args);
      if (!parsed.ok) return refused('invalid_arguments', parsed.findings);
      const read = readSubmission(parsed.args);
      if (!read.ok) return staleRefusal(model, token) ?? refused(read.code, read.findings);
      if (!isNamedType(call.type)) return refused('invalid_arguments', []);
      const args = { runId, ...token, artifactType: call.type, body: call.body, sourceRefs: call.sourceRefs };
      const type: NamedType = call.type;
      return submitEvent(args, type, at, root)({ snapshot, record, head: 0 });
    }
  }
};

/** The event leads to a state without a next action, so it is refused (D12). */
const projectionRefusal = (next: RunSnapshot, model: Model, effect: RecordEffect): Expected | null => {
  try {
    projectNextAction(next.context, model.record.extend(effect.artifacts, { added: 0, denials: 0 }), []);
    return null;
  } catch (error) {
    if (!(error instanceof ProjectionError)) throw error;
    return refused(error.refusal, [error.finding]);
  }
};

/**
 * What the machine says of a call to a run, once the server has answered it.
 *
 * @param root real path of the repository, for what the disk says of paths
 */
export const judge = (model: Model, root: string, call: Call, seen: Seen): Expected => {
  const event = eventOf(model, root, call, seen);
  if ('outcome' in event) return event;
  const taken = step(model.snapshot, event);
  if (taken.outcome === 'ended') return { outcome: 'ended' };
  if (taken.outcome === 'refused') {
    const { code, findings, trace } = taken.refusal;
    const repeat = code === 'stale_version' ? repeatOf(model, call) : null;
    return { outcome: 'refused', code, findings, trace, repeat };
  }
  const { next, record: effect, moved } = taken;
  return projectionRefusal(next, model, effect) ?? { outcome: 'accepted', next, effect, moved, event };
};
