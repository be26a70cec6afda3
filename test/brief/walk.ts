import { createHash } from 'node:crypto';
import type { Draft, Stand } from '../../machines/brief/draft.ts';
import { caseOf } from '../../machines/case.ts';
import { sealed } from '../../machines/companions/sealed.ts';
import { actionIdOf } from '../../machines/context.ts';
import type { RunEvent } from '../../machines/events.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import { type AnyArtifact, emptyRecord, type PriorRun, type RunRecord } from '../../machines/record.ts';
import { checkKey } from '../../machines/rules/recordedDenials.ts';
import type { StartArgs } from '../../machines/start/start.ts';
import { begin, type RunSnapshot, step } from '../../machines/step.ts';
import { normalizeManifest } from '../../schemas/issues.ts';
import type { SubmittedType } from '../../schemas/vocabulary.ts';
import { buildGrounding, reportOnlyManifest } from '../../src/grounding/manifest.ts';
import { everyCapability, facts, started } from '../start/starts.ts';

/** One run of the real machine in memory: what is accepted is stored as the controller would. */
export interface Walk {
  readonly snapshot: RunSnapshot;
  readonly record: RunRecord;
}

export const standOf = ({ snapshot, record }: Walk): Stand => ({ run: snapshot.context, record });

const at = '2026-03-02T09:05:00.000Z';

export type Beginning = Partial<StartArgs> & Pick<StartArgs, 'mode'> & Readonly<{ prior?: PriorRun | null }>;

/** A run that has just begun; the host offers everything where nothing else is said. */
export const begun = ({ prior = null, ...args }: Beginning): Walk => {
  const priorFacts = prior && {
    runId: prior.runId,
    repositoryRoot: prior.repositoryRoot,
    status: 'completed' as const,
    damaged: null,
    record: emptyRecord(prior.runId),
  };
  const { input, effect } = started(
    { hostCapabilities: everyCapability, ...args, ...(prior && { priorRunId: prior.runId }) },
    { prior: priorFacts },
  );
  return {
    snapshot: begin(input),
    record: emptyRecord(facts.runId, prior).extend(effect.artifacts, { added: effect.trace.length, denials: 0 }),
  };
};

/** What the machine said to an event. */
export type Outcome =
  | Readonly<{ ok: true; walk: Walk }>
  | Readonly<{ ok: false; findings: readonly Readonly<{ path: string; code: string; message: string }>[] }>;

const send = ({ snapshot, record }: Walk, event: RunEvent): Outcome => {
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

const tokenOf = ({ snapshot }: Walk) => ({
  actionId: actionIdOf(snapshot.context),
  expectedVersion: snapshot.context.version,
});

/** Hands in a body, with the targets all inside the repository. */
export const submit = (walk: Walk, type: SubmittedType, body: unknown, sourceRefs: readonly string[] = []): Outcome => {
  const submission = { type, from: 'host' as const, body, sourceRefs, targets: {} };
  return send(walk, {
    type: `submit.${type}`,
    token: tokenOf(walk),
    at,
    case: caseOf(walk.snapshot.context, walk.record, submission, at),
  });
};

/** Hands in a filled draft, with the references that go beside it. */
export const submitDraft = (walk: Walk, type: SubmittedType, draft: Draft | null, body: unknown): Outcome =>
  submit(walk, type, body, [...walk.snapshot.context.lineage, ...(draft?.sourceRefs ?? [])]);

/** The run after an outcome that has to be good. */
export const accepted = (outcome: Outcome): Walk => {
  if (outcome.ok) return outcome.walk;
  throw new Error(outcome.findings.map(({ code, path, message }) => `${code} ${path}: ${message}`).join('\n'));
};

let answers = 0;

/** The answer to the open question. */
export const answer = (walk: Walk, choice: string): Walk => {
  answers += 1;
  return accepted(
    send(walk, {
      type: 'user.answer',
      answer: choice,
      messageId: `answer-of-user-${answers}`,
      via: 'host',
      record: walk.record,
      token: tokenOf(walk),
      at,
    }),
  );
};

export interface SourceFile {
  readonly path: string;
  readonly instruction?: boolean;
}

const sha = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Grounds the run on these files. */
export const ground = (walk: Walk, files: readonly SourceFile[]): Walk => {
  const { context } = walk.snapshot;
  const { runId, mode } = context;
  const grounding = buildGrounding({
    runId,
    fingerprint: { headCommit: null, dirtyWorktreeHash: sha(''), warnings: [] },
    selected: files.map(({ path, instruction = false }, index) => ({
      path,
      reason: instruction ? 'repository instruction' : 'named in the request',
      score: 1000 - index,
      pinned: instruction,
      named: false,
      tracked: true,
      instructionScope: instruction ? '.' : null,
      contentHash: sha(path),
      sizeBytes: Buffer.byteLength(path),
      content: path,
    })),
    excluded: new Map(),
    candidateFiles: files.length,
    source: 'filesystem',
    warnings: [],
    budget: { max_files: 48, max_file_bytes: 100_000, max_total_bytes: 1_000_000, max_inventory_files: 1000 },
  });
  const normalized = normalizeManifest(grounding.wire);
  if (!normalized.ok) throw new Error(normalized.issues.map(({ message }) => message).join('\n'));
  const none = mode === 'report_only';
  const manifest = none ? reportOnlyManifest(runId) : normalized.body;
  const documents: readonly AnyArtifact[] = none
    ? []
    : grounding.documents.map((document) =>
        sealed('ContextDocument', 'controller', { runId, id: document.id, createdAt: at }, document, [
          document.repositoryRef,
        ]),
      );
  const action = projectNextAction(context, walk.record);
  const submission = {
    type: 'ContextManifest',
    from: 'controller' as const,
    body: manifest,
    sourceRefs: action.kind === 'phase' ? action.inputRefs : [],
    targets: {},
  };
  return accepted(
    send(walk, {
      type: 'submit.ContextManifest',
      token: tokenOf(walk),
      at,
      case: caseOf(context, walk.record, submission, at, documents),
    }),
  );
};
