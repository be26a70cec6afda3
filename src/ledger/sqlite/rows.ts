import { z } from 'zod';
import type { RunContext } from '../../../machines/context.ts';
import { Sha256 } from '../../../schemas/primitives.ts';
import {
  IntentMode,
  LogicalRole,
  OutcomeHint,
  RecordPhase,
  RecordStatus,
  Redaction,
  RunTopology,
  StoredType,
} from '../../../schemas/vocabulary.ts';
import { damagedRun } from '../errors.ts';
import type { Json, TraceDraft } from '../ledger.ts';

/** What stands in the tables. STRICT tables keep the column types; what the words mean is checked here. */

const count = z.int().min(0);
const ordinal = z.int().min(1);

export const RunRow = z.object({
  run_id: z.string(),
  schema_version: z.string(),
  machine_version: z.string(),
  version: ordinal,
  changed: ordinal,
  context: z.string(),
  snapshot: z.string(),
  head: ordinal,
  head_hash: Sha256,
  artifact_count: count,
  trace_count: count,
  denials: count,
});
export type RunRow = z.infer<typeof RunRow>;

export const EventRow = z.object({
  run_id: z.string(),
  sequence: ordinal,
  version: ordinal,
  type: z.string(),
  at: z.string(),
  payload: z.string(),
  previous_hash: Sha256,
  hash: Sha256,
});
export type EventRow = z.infer<typeof EventRow>;

export const ArtifactRow = z.object({
  run_id: z.string(),
  position: ordinal,
  event_sequence: ordinal,
  id: z.string(),
  type: StoredType,
  producer: LogicalRole,
  sha256: Sha256,
  source_refs: z.string(),
  redaction: Redaction,
  created_at: z.string(),
});
export type ArtifactRow = z.infer<typeof ArtifactRow>;

/** The body is null when its row is gone. */
export const ArtifactWithBody = ArtifactRow.extend({ body: z.string().nullable() });
export type ArtifactWithBody = z.infer<typeof ArtifactWithBody>;

export const TraceLine = z.object({
  run_id: z.string(),
  sequence: ordinal,
  event_sequence: ordinal,
  entry: z.string(),
});
export type TraceLine = z.infer<typeof TraceLine>;

export const TombstoneRow = z.object({
  run_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string(),
  head: ordinal,
  head_hash: Sha256,
});
export type TombstoneRow = z.infer<typeof TombstoneRow>;

/** Rows in their order, by the event that wrote them. */
export const byEvent = <T extends Readonly<{ event_sequence: number }>>(
  rows: readonly T[],
): ReadonlyMap<number, readonly T[]> => {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.event_sequence);
    if (group === undefined) groups.set(row.event_sequence, [row]);
    else group.push(row);
  }
  return groups;
};

export const References = z.array(z.string());

const Budgets = z.looseObject({ revisions: count, remediations: count });

/**
 * The run record of run-machine section 1. What the guards keep beside it belongs to the machine version that is stored
 * with it, which the controller compares before it uses the snapshot.
 */
const RecordFields = z.looseObject({
  runId: z.string(),
  repositoryRoot: z.string(),
  mode: IntentMode,
  topology: RunTopology,
  escalations: count,
  priorRunId: z.string().nullable(),
  status: RecordStatus,
  phase: RecordPhase,
  resumePhase: RecordPhase.nullable(),
  version: ordinal,
  budgets: Budgets,
  hint: OutcomeHint.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const isRunContext = (value: unknown): value is RunContext => RecordFields.safeParse(value).success;

const Draft = z.looseObject({
  event: z.string(),
  actor: LogicalRole,
  phase: RecordPhase,
  inputRefs: References,
  outputRefs: References,
  summary: z.string(),
  decision: z
    .looseObject({
      decision: z.enum(['allow', 'deny']),
      capability: z.string(),
      scope: z.string(),
      policyRefs: References,
      rationaleSummary: z.string(),
    })
    .optional(),
  at: z.string(),
  budgets: Budgets,
});

export const isTraceDraft = (value: unknown): value is TraceDraft => Draft.safeParse(value).success;

/**
 * A row as its schema says.
 *
 * @throws LedgerError `integrity_failed` naming the run and the columns at fault
 */
export const readRow = <T>(schema: z.ZodType<T>, row: unknown, runId: string, what: string): T => {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  const columns = [...new Set(read.error.issues.map((issue) => issue.path.join('.')))];
  throw damagedRun(runId, `${what} cannot be read (${columns.join(', ')})`);
};

/**
 * The JSON of a column, exactly as it was stored: a schema would lose keys such as `__proto__`.
 *
 * @throws LedgerError `integrity_failed`
 */
export const readJson = (text: string, runId: string, what: string): Json => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damagedRun(runId, `${what} is not JSON`, error);
  }
};
