import { z } from 'zod';
import type { RunView } from '../../machines/context.ts';
import type { AnyArtifact } from '../../machines/record.ts';
import { bodySchemas } from '../../schemas/artifacts/index.ts';
import { ClarificationAction, PhaseAction, TerminalAction } from '../../schemas/artifacts/nextAction.ts';
import { Alternative, Brief } from '../../schemas/brief.ts';
import {
  IntentMode,
  LogicalRole,
  OutcomeHint,
  RecordPhase,
  RecordStatus,
  Redaction,
  RunTopology,
  StoredType,
} from '../../schemas/vocabulary.ts';

/** What the driver reads of the tools' answers (mcp-surface section 3). Keys that it does not read may come and go. */

export const Run: z.ZodType<RunView> = z.looseObject({
  runId: z.string(),
  schemaVersion: z.literal('1.0'),
  repositoryRoot: z.string(),
  requestedMode: IntentMode,
  topology: RunTopology,
  escalationCount: z.number(),
  priorRunId: z.string().nullable(),
  status: RecordStatus,
  phase: RecordPhase,
  resumePhase: RecordPhase.nullable(),
  version: z.number(),
  budgets: z.looseObject({ promptRevisionsRemaining: z.number(), postExecutionRemediationsRemaining: z.number() }),
  outcomeHint: OutcomeHint.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const schemas = { requiredOutputSchema: true, additionalOutputSchemas: true } as const;

/** The next action; its schemas are left out where an answer has to be short. */
export const Action = z.discriminatedUnion('kind', [
  PhaseAction.partial(schemas).loose(),
  ClarificationAction.loose(),
  TerminalAction.loose(),
]);
export type Action = z.infer<typeof Action>;
export type PhaseStep = Extract<Action, { kind: 'phase' }>;
export type TerminalStep = Extract<Action, { kind: 'terminal' }>;

/** A brief as an answer shows it; a part that was left out is empty, an alternative perhaps without its draft. */
export const ShownBrief = Brief.extend({
  variants: Brief.shape.variants.default([]),
  sources: Brief.shape.sources.default([]),
  alternatives: z
    .array(z.union([Alternative, Alternative.omit({ draft: true, blanks: true, variants: true })]))
    .default([]),
}).loose();
export type ShownBrief = Readonly<z.infer<typeof ShownBrief>>;
/** Parts of a brief that can be fetched alone. */
export type BriefPart = 'variants' | 'sources' | 'alternatives';

export const Moved = z.looseObject({ run: Run, nextAction: Action });
export type Moved = z.infer<typeof Moved>;

export const Grounded = z.looseObject({ manifest: z.looseObject({ id: z.string() }) });

export const ArtifactMeta = z.looseObject({
  id: z.string(),
  runId: z.string(),
  type: StoredType,
  producer: LogicalRole,
  sha256: z.string(),
  sourceRefs: z.array(z.string()),
  redaction: Redaction,
  createdAt: z.string(),
});
export type ArtifactMeta = Readonly<z.infer<typeof ArtifactMeta>>;

export const Supported = z.looseObject({ artifact: ArtifactMeta });

export const RunPage = z.looseObject({
  artifacts: z.array(ArtifactMeta),
  nextAfterIndex: z.number().nullable().optional(),
});

const WithBody = z.looseObject({ artifact: ArtifactMeta.extend({ body: z.unknown() }) });
type WithBody = z.infer<typeof WithBody>['artifact'];

const isArtifact = (value: WithBody): value is WithBody & AnyArtifact =>
  bodySchemas[value.type].safeParse(value.body).success;

/** A body that was left out of an answer: the call that reads its first piece (guidance section 7). */
export const LeftOut = z.looseObject({
  omitted: z.array(
    z.looseObject({
      part: z.string(),
      fetch: z
        .looseObject({
          tool: z.string(),
          arguments: z.looseObject({ offset: z.number().optional(), limit: z.number().optional() }),
        })
        .nullable(),
    }),
  ),
});

/** A piece of a body's canonical JSON. */
export const Piece = z.looseObject({ artifact: z.looseObject({ text: z.string(), total: z.number() }) });

/** The artifact in an answer of `telic_get_artifact`. */
export const artifactIn = (answer: unknown): AnyArtifact => {
  const { artifact } = WithBody.parse(answer);
  if (isArtifact(artifact)) return artifact;
  throw new Error(`The server's ${artifact.type} ${artifact.id} is not one as this version of Telic knows it.`);
};

const Issue = z.looseObject({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  expected: z.unknown().optional(),
  fix: z.string().optional(),
});

/** The one failure shape (decisions 3). */
export const Refused = z.looseObject({
  ok: z.literal(false),
  error: z.string(),
  code: z.string(),
  kind: z.string(),
  rule: z.string().optional(),
  issues: z.array(Issue).default([]),
  next_steps: z.array(z.string()).default([]),
});
export type Refused = Readonly<z.infer<typeof Refused>>;

export const TracePage = z.looseObject({
  events: z.array(
    z.looseObject({
      sequence: z.number(),
      actor: z.string(),
      phase: z.string(),
      eventType: z.string(),
      outputRefs: z.array(z.string()),
      rationaleSummary: z.string(),
    }),
  ),
  hasMore: z.boolean(),
});
export type TraceLine = Readonly<z.infer<typeof TracePage>['events'][number]>;
