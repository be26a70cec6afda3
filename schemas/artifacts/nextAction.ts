import { z } from 'zod';
import { PermissionSet } from '../permissions.ts';
import { ArtifactUri, head, Id, int, list, Refs, Summary, str, Text, Ts } from '../primitives.ts';
import { ArtifactType, TerminalPhase, TerminalStatus, WorkPhase, WorkRole } from '../vocabulary.ts';

/** What the host does next: a view, computed and never stored (artifacts 5.4). */

export const RemainingBudgets = z.strictObject({
  promptRevisions: int(0, 1),
  postExecutionRemediations: int(0, 1),
  remainingPlanToolCalls: int(0, 4000),
  maximumParallelWorkers: int(1, 16),
  maximumSubagentDepth: int(0, 4),
});
export type RemainingBudgets = z.infer<typeof RemainingBudgets>;

/** A JSON object whose keys nobody fixes here: a JSON Schema, a brief. */
export const FreeObject = z.record(z.string(), z.unknown());
export type FreeObject = z.infer<typeof FreeObject>;

const actionHead = { ...head, createdAt: Ts, rationaleSummary: Summary } as const;

export const PhaseAction = z.strictObject({
  ...actionHead,
  kind: z.literal('phase'),
  phase: WorkPhase,
  logicalRole: WorkRole,
  instructionRef: ArtifactUri,
  inputRefs: Refs,
  contextManifestRef: ArtifactUri.nullable(),
  requiredOutputType: ArtifactType,
  requiredOutputSchema: FreeObject,
  additionalOutputSchemas: z.record(str(1, 128), FreeObject),
  workNodeId: Id.nullable(),
  effectivePermissions: PermissionSet,
  remainingBudgets: RemainingBudgets,
  stopConditions: list(Text, 0, 64),
  brief: FreeObject.optional(),
});
export type PhaseAction = z.infer<typeof PhaseAction>;

export const ClarificationAction = z.strictObject({
  ...actionHead,
  kind: z.literal('clarification'),
  phase: z.literal('awaiting_clarification'),
  clarificationRequestRef: ArtifactUri,
  effectivePermissions: PermissionSet,
  remainingBudgets: RemainingBudgets,
});
export type ClarificationAction = z.infer<typeof ClarificationAction>;

export const TerminalAction = z.strictObject({
  ...actionHead,
  kind: z.literal('terminal'),
  phase: TerminalPhase,
  status: TerminalStatus,
  reportRef: ArtifactUri.nullable(),
});
export type TerminalAction = z.infer<typeof TerminalAction>;

export const NextAction = z.discriminatedUnion('kind', [PhaseAction, ClarificationAction, TerminalAction]);
export type NextAction = z.infer<typeof NextAction>;
