import { isStoredType } from '../schemas/artifacts/index.ts';
import { digest } from '../schemas/canonical.ts';
import type { Finding } from '../schemas/failure.ts';
import { checkBody } from '../schemas/issues.ts';
import { phaseTable, producers } from '../schemas/vocabulary.ts';
import type { RunContext } from './context.ts';
import type { Case, Dossier, Facts, Submission } from './events.ts';
import type { AnyArtifact, RunRecord } from './record.ts';
import { mergedReferences } from './rules/bodyReferences.ts';
import { nodesRemainAfter } from './rules/derived.ts';

/** A submission read against its schema: an artifact ready to be stored, or findings. */
type Reading = Readonly<{ artifact: AnyArtifact | null; shape: readonly Finding[] }>;

/** Reads once, and only when somebody asks: the token and the phase are judged before the body is looked at. */
const once = <T>(read: () => T): (() => T) => {
  let known: Readonly<{ value: T }> | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
};

const readBody = (run: RunContext, record: RunRecord, submission: Submission, at: string): Reading => {
  const { type, body } = submission;
  if (!isStoredType(type)) return { artifact: null, shape: [] };
  const checked = checkBody(type, body);
  if (!checked.ok) return { artifact: null, shape: checked.issues };
  const parsed = checked.body;
  const artifact = {
    id: 'id' in parsed ? parsed.id : parsed.runId,
    runId: run.runId,
    type,
    producer: type === 'ClarificationRequest' ? phaseTable[run.phase].role : producers[type],
    sha256: digest(parsed),
    // A manifest names every selected source twice in its body; the controller cites its inputs alone (G1).
    sourceRefs:
      type === 'ContextManifest' ? submission.sourceRefs : mergedReferences(record, parsed, submission.sourceRefs),
    redaction: 'none',
    createdAt: at,
    body: parsed,
  } as AnyArtifact; // The body was parsed by the schema of this very type.
  return { artifact, shape: [] };
};

const factsOf = (artifact: AnyArtifact | null, record: RunRecord): Facts => {
  switch (artifact?.type) {
    case 'TaskContract':
      return { contractVersion: artifact.body.version };
    case 'PromptReview':
      return { decision: artifact.body.decision, revisionNumber: artifact.body.revisionNumber };
    case 'WorkResult':
      return { decision: artifact.body.status, nodesRemain: nodesRemainAfter(record, artifact.body) };
    case 'QualityReview': {
      const { decision, reviewKind, remainingRemediations } = artifact.body;
      return { decision, reverify: reviewKind === 'evidence_reverify', remainingRemediations };
    }
    case 'ReleaseAudit': {
      const { decision, remainingRemediations, claimEvidenceMatrix } = artifact.body;
      const userReported = claimEvidenceMatrix.some(({ basis }) => basis === 'user_reported');
      return { decision, remainingRemediations, userReported };
    }
    case 'UserReport': {
      const { terminalStatus, completionClaims } = artifact.body;
      return {
        decision: terminalStatus,
        userReported: completionClaims.some(({ status }) => status === 'user_reported'),
      };
    }
    case 'ClarificationRequest':
      return { choices: artifact.body.responseChoices.map(({ id, runEffect }) => ({ id, effect: runEffect })) };
    default:
      return {};
  }
};

/**
 * What the machine needs to know of one submission, read from it and the record, lazily.
 *
 * @param run the context before the event; its phase names the producer of a question
 * @param record the run's accepted artifacts
 * @param submission what was handed in, and where the disk says its paths lead
 * @param at the time of the event, ISO 8601
 * @param supporting artifacts that are stored with it: the context documents of a grounding
 */
export const caseOf = (
  run: RunContext,
  record: RunRecord,
  submission: Submission,
  at: string,
  supporting: readonly AnyArtifact[] = [],
): Case => {
  // References to the documents that come with a manifest are references to stored artifacts.
  const seen = supporting.length > 0 ? record.extend(supporting, { added: 0, denials: record.denials }) : record;
  const reading = once(() => readBody(run, seen, submission, at));
  const facts = once(() => factsOf(reading().artifact, record));
  const dossier = once((): Dossier => ({ record: seen, submission, artifact: reading().artifact, supporting }));
  return {
    get facts() {
      return facts();
    },
    get shape() {
      return reading().shape;
    },
    get dossier() {
      return dossier();
    },
  };
};
