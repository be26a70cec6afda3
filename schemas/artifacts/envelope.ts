import { z } from 'zod';
import { type Breach, withRules } from '../bodyRules.ts';
import { Id, int, Refs, SchemaVersion, Sha256, Ts } from '../primitives.ts';
import { LogicalRole, limits, Redaction } from '../vocabulary.ts';
import { ClarificationRequest } from './clarification.ts';
import { ContextManifest, RunEnvelope } from './controller.ts';
import { Evidence } from './evidence.ts';
import { WorkResult } from './execution.ts';
import { ProblemFrame, ScenarioSpec, TaskContract } from './intent.ts';
import { NextAction } from './nextAction.ts';
import { WorkPlan } from './plan.ts';
import { PromptReview } from './promptReview.ts';
import { QualityReview } from './quality.ts';
import { ReceiptAudit, ReleaseAudit, UserReport } from './release.ts';
import { TraceEvent } from './trace.ts';

/** A body with its metadata, for export and import of single artifacts (artifacts 11.2). */

const metadata = {
  schemaVersion: SchemaVersion,
  id: Id,
  runId: Id,
  producer: LogicalRole,
  createdAt: Ts,
  sha256: Sha256,
  sourceRefs: Refs,
  redaction: Redaction,
  bodyBytes: int(1, limits.bodyBytes),
  immutable: z.literal(true),
} as const;

const of = <T extends string, S extends z.ZodType>(artifactType: T, body: S) =>
  z.strictObject({ ...metadata, artifactType: z.literal(artifactType), body });

const Union = z.discriminatedUnion('artifactType', [
  of('RunEnvelope', RunEnvelope),
  of('ContextManifest', ContextManifest),
  of('NextAction', NextAction),
  of('ClarificationRequest', ClarificationRequest),
  of('ProblemFrame', ProblemFrame),
  of('ScenarioSpec', ScenarioSpec),
  of('TaskContract', TaskContract),
  of('PromptReview', PromptReview),
  of('WorkPlan', WorkPlan),
  of('WorkResult', WorkResult),
  of('QualityReview', QualityReview),
  of('ReleaseAudit', ReleaseAudit),
  of('ReceiptAudit', ReceiptAudit),
  of('UserReport', UserReport),
  of('TraceEvent', TraceEvent),
  of('Evidence', Evidence),
]);
type Envelope = z.output<typeof Union>;

/** The id of a body; a RunEnvelope goes by its run's. */
const idOf = ({ body }: Envelope): string => ('id' in body ? body.id : body.runId);

export const artifactEnvelopeRules = [
  {
    code: 'SCH-ENV-01',
    text: 'Envelope and body belong to one run.',
    fix: 'Let the two name the same run.',
    check: ({ runId, body }: Envelope): Breach[] =>
      body.runId === runId
        ? []
        : [{ path: ['body', 'runId'], wrong: `the body names run "${body.runId}", the envelope "${runId}"` }],
  },
  {
    code: 'SCH-ENV-02',
    text: 'The envelope has the id of its body, or of the run where the body has none.',
    fix: 'Write the id of the body.',
    check: (envelope: Envelope): Breach[] =>
      envelope.id === idOf(envelope)
        ? []
        : [
            {
              path: ['id'],
              wrong: `id is "${envelope.id}", the body has "${idOf(envelope)}"`,
              expected: idOf(envelope),
            },
          ],
  },
] as const;

export const ArtifactEnvelope = withRules(Union, artifactEnvelopeRules);
export type ArtifactEnvelope = z.infer<typeof ArtifactEnvelope>;
