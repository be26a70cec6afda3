import { phaseTable } from '../schemas/vocabulary.ts';
import { brokerEntries } from './broker.ts';
import { answerMessage } from './companions/answer.ts';
import { microPack } from './companions/microPack.ts';
import { receiptFor } from './companions/receipt.ts';
import type { RunContext } from './context.ts';
import { entry } from './entry.ts';
import {
  causeOf,
  type EscalationReason,
  type LedgerEvent,
  type RecordEffect,
  type RunEvent,
  sent,
  type TraceEntry,
} from './events.ts';
import { queryFor } from './judgement.ts';
import { type AnyArtifact, type Artifact, artifactUri, type RunRecord, uriOf } from './record.ts';
import { isSupportingReplay } from './rules/ledgerRules.ts';
import { acceptedChecks } from './rules/recordedDenials.ts';

/**
 * What accepted events leave behind (run-machine sections 5 and 14, decisions 21): artifacts to store and trace entries in
 * their order, computed from context and event alone, so that a replay yields the same.
 */

const nothing: RecordEffect = { artifacts: [], trace: [] };

const stored = (
  run: RunContext,
  artifact: AnyArtifact | null | undefined,
  event: LedgerEvent,
  verb: string,
): TraceEntry =>
  entry(run, event, artifact?.producer ?? phaseTable[run.phase].role, `${artifact?.type ?? 'Artifact'} ${verb}.`, {
    in: artifact?.sourceRefs ?? [],
    out: artifact ? [uriOf(artifact)] : [],
  });

/** An accepted phase artifact: what stands before it, itself, and its main entry. */
export const submissionEntries = (run: RunContext, event: RunEvent | null): RecordEffect => {
  if (!event || !('case' in event)) return nothing;
  const { dossier } = event.case;
  const artifact = dossier?.artifact ?? null;
  const artifacts = artifact ? [...(dossier?.supporting ?? []), artifact] : [];
  switch (event.type) {
    case 'submit.ContextManifest': {
      const documents = (dossier?.supporting ?? []).map((document) =>
        stored(run, document, 'context_source_stored', 'stored'),
      );
      return { artifacts, trace: [...documents, stored(run, artifact, 'phase_submitted', 'accepted')] };
    }
    case 'submit.WorkResult': {
      const query = queryFor(run, event);
      const checks = query?.type === 'WorkResult' ? acceptedChecks(query) : [];
      return { artifacts, trace: [...checks, stored(run, artifact, 'phase_submitted', 'accepted')] };
    }
    default:
      return { artifacts, trace: [stored(run, artifact, 'phase_submitted', 'accepted')] };
  }
};

/** A supporting artifact, or a check: stored at the current version. An exact repeat leaves nothing. */
export const supportEntries = (run: RunContext, event: RunEvent | null): RecordEffect => {
  if (event?.type === 'host.check') return brokerEntries(run, event);
  if (!event || !('case' in event)) return nothing;
  const { dossier } = event.case;
  if (!dossier?.artifact) return nothing;
  if (isSupportingReplay(dossier.record, dossier.artifact)) return nothing;
  const name = event.type === 'submit.Evidence' ? 'evidence_captured' : 'scenario_presentation_stored';
  return { artifacts: [dossier.artifact], trace: [stored(run, dossier.artifact, name, 'stored')] };
};

type AnyEvent = Readonly<{ type: string }>;

const submitted = (event: AnyEvent): Readonly<{ artifact: AnyArtifact; record: RunRecord; at: string }> | null => {
  const cause = causeOf(event);
  if (!cause || !('case' in cause)) return null;
  const { dossier } = cause.case;
  return dossier?.artifact ? { artifact: dossier.artifact, record: dossier.record, at: cause.at } : null;
};

const isType = <T extends AnyArtifact['type']>(artifact: AnyArtifact, type: T): artifact is AnyArtifact & Artifact<T> =>
  artifact.type === type;

const companion = (run: RunContext, source: AnyArtifact, artifact: AnyArtifact): TraceEntry =>
  entry(run, 'companion_stored', 'controller', `${artifact.type} stored with the ${source.type}.`, {
    in: [uriOf(source)],
    out: [uriOf(artifact)],
  });

const submittedUri = (event: AnyEvent): string[] => {
  const found = submitted(event);
  return found ? [uriOf(found.artifact)] : [];
};

const escalation = (run: RunContext, reason: EscalationReason, event: AnyEvent, keeps: boolean): RecordEffect => {
  const uris = submittedUri(event);
  return {
    artifacts: [],
    trace: [entry(run, 'topology_escalated', 'controller', reason, { in: uris, out: keeps ? uris : [] })],
  };
};

const end = (run: RunContext, event: AnyEvent, status: string): RecordEffect => {
  const cause = causeOf(event);
  const refs = cause?.type === 'user.answer' ? [artifactUri(run.runId, cause.messageId)] : submittedUri(event);
  return { artifacts: [], trace: [entry(run, 'run_ended', 'controller', `The run ended as ${status}.`, { in: refs })] };
};

/** A question is stored under an event of its own instead of phase_submitted. */
const boundary = (run: RunContext, event: AnyEvent, name: LedgerEvent, summary: string): RecordEffect => {
  const artifact = submitted(event)?.artifact;
  const refs = { in: artifact?.sourceRefs ?? [], out: submittedUri(event) };
  return {
    artifacts: artifact ? [artifact] : [],
    trace: [entry(run, name, phaseTable[run.phase].role, summary, refs)],
  };
};

/** What an effect is computed from: the context as the row leaves it so far, and the event behind the row. */
export type Moment = Readonly<{ context: RunContext; event: AnyEvent }>;

/** What rows of the routing table record beside the main entry, by name; the names show in the diagrams. */
export const rowEntries = {
  /** K0 */
  question: ({ context: run, event }: Moment): RecordEffect =>
    boundary(run, event, 'clarification_requested', 'ClarificationRequest accepted: the user is asked once.'),
  /** K4 */
  furtherQuestion: ({ context: run, event }: Moment): RecordEffect =>
    boundary(run, event, 'budget_consumed', 'A further question is kept, not asked: the run reports blocked.'),
  /** K1, K2, K3 */
  answer: ({ context: run, event }: Moment): RecordEffect => {
    const answer = sent(event);
    if (answer?.type !== 'user.answer') return nothing;
    const message = answer.record ? answerMessage(run, answer) : null;
    const via = answer.via === 'client' ? 'answered through the client' : 'relayed by the host';
    return {
      artifacts: message ? [message] : [],
      trace: [
        entry(run, 'clarification_answered', 'user', `Choice \`${answer.answer}\`, ${via}.`, {
          in: run.lineage,
          out: [artifactUri(run.runId, answer.messageId)],
        }),
      ],
    };
  },
  /** F2, F3 */
  pack: ({ context: run, event }: Moment): RecordEffect => {
    const found = submitted(event);
    if (!found || !isType(found.artifact, 'ProblemFrame')) return nothing;
    const { contract, plan } = microPack(run, found.record, found.artifact, found.at);
    return {
      artifacts: [contract, plan],
      trace: [companion(run, found.artifact, contract), companion(run, found.artifact, plan)],
    };
  },
  /** Q1, M1 */
  receipt: ({ context: run, event }: Moment): RecordEffect => {
    const found = submitted(event);
    if (!found || !isType(found.artifact, 'QualityReview')) return nothing;
    const due = receiptFor(run, found.record, found.artifact, found.at);
    if (!due) return nothing;
    const verified = entry(run, 'digest_verified', 'controller', due.summary, {
      in: due.verifiedRefs,
      out: [uriOf(found.artifact)],
    });
    const isVerified = due.receipt.body.digestStatus === 'verified';
    return {
      artifacts: [due.receipt],
      trace: [companion(run, found.artifact, due.receipt), ...(isVerified ? [verified] : [])],
    };
  },
  /** M3 */
  spotPartial: ({ context: run, event }: Moment): RecordEffect => escalation(run, 'MICRO_SPOT_PARTIAL', event, true),
  /** M4 */
  spotRemediate: ({ context: run, event }: Moment): RecordEffect =>
    escalation(run, 'MICRO_SPOT_REMEDIATE', event, true),
  /** U5 */
  userReportedReport: ({ context: run, event }: Moment): RecordEffect =>
    escalation(run, 'MICRO_USER_REPORTED', event, false),
  /** A6 */
  userReportedAudit: ({ context: run, event }: Moment): RecordEffect =>
    escalation(run, 'STANDARD_USER_REPORTED_CLAIMS', event, false),
  /** U1 to U4, K2, K3 */
  completed: ({ context: run, event }: Moment): RecordEffect => end(run, event, 'completed'),
  partial: ({ context: run, event }: Moment): RecordEffect => end(run, event, 'partial'),
  failedVerification: ({ context: run, event }: Moment): RecordEffect =>
    end(run, event, 'partial: verification failed'),
  blocked: ({ context: run, event }: Moment): RecordEffect => end(run, event, 'blocked'),
  cancelled: ({ context: run, event }: Moment): RecordEffect => end(run, event, 'cancelled'),
  /** Z1 */
  cancel: ({ context: run }: Moment): RecordEffect => ({
    artifacts: [],
    trace: [entry(run, 'run_cancelled', 'user', 'The run was cancelled.')],
  }),
} as const;
export type RowEntryName = keyof typeof rowEntries;
