import type { Draft } from '../../machines/brief/draft.ts';
import { caseOf } from '../../machines/case.ts';
import { actionIdOf } from '../../machines/context.ts';
import type { RunEvent } from '../../machines/events.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import { checkKey } from '../../machines/rules/recordedDenials.ts';
import { step } from '../../machines/step.ts';
import type { SubmittedType } from '../../schemas/vocabulary.ts';
import { pathsOf } from './pathsOf.ts';
import type { Outcome, Walk } from './walk.ts';

const at = '2026-03-02T09:06:00.000Z';

/** Hands in a body; every path that it names is one of the repository. */
export const handIn = (
  { snapshot, record }: Walk,
  type: SubmittedType,
  body: unknown,
  sourceRefs: readonly string[] = [],
): Outcome => {
  const { context } = snapshot;
  const targets = Object.fromEntries(
    pathsOf(body).map((path) => [path, { ok: true as const, lexical: path, real: path }]),
  );
  const submission = { type, from: 'host' as const, body, sourceRefs, targets };
  const event: RunEvent = {
    type: `submit.${type}`,
    token: { actionId: actionIdOf(context), expectedVersion: context.version },
    at,
    case: caseOf(context, record, submission, at),
  };
  const done = step(snapshot, event);
  if (done.outcome === 'refused') return { ok: false, findings: done.refusal.findings };
  if (done.outcome === 'ended') return { ok: true, walk: { snapshot, record } };
  const { artifacts, trace } = done.record;
  const deniedChecks = trace
    .filter((entry) => entry.event === 'permission_checked' && entry.decision?.decision === 'deny')
    .map(checkKey);
  const walk = {
    snapshot: done.next,
    record: record.extend(artifacts, { added: trace.length, denials: 0, deniedChecks }),
  };
  // D12: an event whose next action could not be told would be refused.
  projectNextAction(walk.snapshot.context, walk.record);
  return { ok: true, walk };
};

/** Hands in a filled draft, with the references that go beside it. */
export const handInDraft = (walk: Walk, type: SubmittedType, draft: Draft, body: unknown): Outcome =>
  handIn(walk, type, body, [...walk.snapshot.context.lineage, ...(draft.sourceRefs ?? [])]);
