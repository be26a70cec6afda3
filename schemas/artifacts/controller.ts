import { z } from 'zod';
import { repeats, rule, withRules } from '../bodyRules.ts';
import { PermissionSet } from '../permissions.ts';
import {
  AbsRoot,
  ArtifactRefs,
  ArtifactUri,
  Commit,
  head,
  Id,
  int,
  list,
  Refs,
  RefUri,
  RelPath,
  SchemaVersion,
  Sha256,
  Summary,
  str,
  Ts,
} from '../primitives.ts';
import { IntentMode, RunTopology } from '../vocabulary.ts';

/** The two records of the controller: how a run began (artifacts 5.1) and what it may look at (5.2). */

export const RunStatus = z.enum([
  'active',
  'awaiting_input',
  'completed',
  'partial',
  'blocked',
  'cancelled',
  'failed_verification',
]);
export type RunStatus = z.infer<typeof RunStatus>;

export const NativeSubagents = z.enum(['available', 'unavailable', 'unknown']);
export type NativeSubagents = z.infer<typeof NativeSubagents>;

export const HostDescriptor = z.strictObject({
  name: str(1, 128),
  version: str(1, 128).nullable(),
  nativeSubagents: NativeSubagents,
  capabilities: list(str(1, 255)),
});
export type HostDescriptor = z.infer<typeof HostDescriptor>;

export const RevisionBudgets = z.strictObject({
  promptRevisions: int(0, 1),
  postExecutionRemediations: int(0, 1),
  maximumParallelWorkers: int(1, 16),
  maximumSubagentDepth: int(0, 4),
});
export type RevisionBudgets = z.infer<typeof RevisionBudgets>;

export const RunEnvelope = z.strictObject({
  schemaVersion: SchemaVersion,
  runId: Id,
  createdAt: Ts,
  originalRequestRef: ArtifactUri,
  followupRequestRefs: ArtifactRefs,
  requestedMode: IntentMode.nullable(),
  topology: RunTopology.default('standard'),
  status: RunStatus,
  workingContext: z.strictObject({ repositoryRoot: AbsRoot, activeFiles: list(RelPath), applicableRuleRefs: Refs }),
  host: HostDescriptor,
  authorization: z.strictObject({ granted: PermissionSet, denied: PermissionSet }),
  budgets: RevisionBudgets,
  policyRefs: Refs,
});
export type RunEnvelope = z.infer<typeof RunEnvelope>;

export const ExclusionReason = z.enum([
  'binary_file',
  'duplicate_content',
  'excluded_directory',
  'file_count_budget',
  'file_too_large',
  'inventory_budget',
  'invalid_path',
  'invalid_utf8',
  'low_relevance',
  'non_regular_file',
  'path_escape',
  'secret_content',
  'secret_like_file',
  'symlink_escape',
  'total_bytes_budget',
  'unreadable_file',
]);
export type ExclusionReason = z.infer<typeof ExclusionReason>;

export const InventorySource = z.enum(['git', 'ripgrep', 'filesystem']);
export type InventorySource = z.infer<typeof InventorySource>;

/** Bytes of one file or of a selection. */
export const ByteCount = int(0, 100_000_000);
export const Score = int(0, 10_000_000);

const candidate = { id: Id, ref: RefUri, locations: list(str(1, 1024)) } as const;

export const SelectedCandidate = z.strictObject({
  ...candidate,
  contentHash: Sha256,
  byteSize: ByteCount,
  decision: z.literal('selected'),
  selectionReason: Summary,
  path: RelPath,
  score: Score,
  pinned: z.boolean(),
});
export type SelectedCandidate = z.infer<typeof SelectedCandidate>;

export const ExcludedCandidate = z.strictObject({
  ...candidate,
  contentHash: Sha256.nullable(),
  byteSize: ByteCount.nullable(),
  decision: z.literal('excluded'),
  exclusionReason: Summary,
});
export type ExcludedCandidate = z.infer<typeof ExcludedCandidate>;

export const ContextCandidate = z.discriminatedUnion('decision', [SelectedCandidate, ExcludedCandidate]);
export type ContextCandidate = z.infer<typeof ContextCandidate>;

export const ExclusionSummary = z.strictObject({ reason: ExclusionReason, count: int(1, 10_000_000) });
export type ExclusionSummary = z.infer<typeof ExclusionSummary>;

/** The bounds of the discovery budget, by the order of its fields: four maxima, then four counts. */
export const budgetBounds = {
  files: int(1, 100_000),
  bytes: int(1, 100_000_000),
  inventory: int(1, 10_000_000),
  candidates: int(0, 10_000_000),
  selected: int(0, 100_000),
  tokens: int(0, 10_000_000),
} as const;

const ContextBudgetFields = z.strictObject({
  maximumFiles: budgetBounds.files,
  maximumFileBytes: budgetBounds.bytes,
  maximumTotalBytes: budgetBounds.bytes,
  maximumInventoryFiles: budgetBounds.inventory,
  candidateFiles: budgetBounds.candidates,
  selectedFiles: budgetBounds.selected,
  selectedBytes: ByteCount,
  estimatedTokens: budgetBounds.tokens,
});

export const contextBudgetRules = [
  rule<z.output<typeof ContextBudgetFields>>(
    'SCH-CTX-01',
    [],
    'The selected bytes stay within the total budget.',
    'Select less, or raise maximumTotalBytes.',
    ({ selectedBytes, maximumTotalBytes }) =>
      selectedBytes > maximumTotalBytes &&
      `selectedBytes is ${selectedBytes}, more than maximumTotalBytes ${maximumTotalBytes}`,
  ),
];
export const ContextBudget = withRules(ContextBudgetFields, contextBudgetRules);
export type ContextBudget = z.infer<typeof ContextBudget>;

const ContextManifestFields = z.strictObject({
  ...head,
  repositoryFingerprint: z.strictObject({ headCommit: Commit.nullable(), dirtyWorktreeHash: Sha256 }),
  pinnedRefs: Refs,
  candidates: list(ContextCandidate, 0, 2048),
  derivedRefs: Refs,
  excludedCandidateSummaries: list(ExclusionSummary),
  inventorySource: InventorySource,
  warnings: list(Summary),
  budget: ContextBudget,
});
type Manifest = z.output<typeof ContextManifestFields>;

const selected = ({ candidates }: Manifest): readonly SelectedCandidate[] =>
  candidates.filter((one) => one.decision === 'selected');
const selectedBytes = (body: Manifest): number => selected(body).reduce((sum, { byteSize }) => sum + byteSize, 0);

export const contextManifestRules = [
  {
    code: 'SCH-CTX-02',
    text: 'Each candidate has a reference of its own.',
    fix: 'Keep one candidate for each reference.',
    check: ({ candidates }: Manifest) =>
      repeats(candidates, ({ ref }) => ref).map(({ index, key }) => ({
        path: ['candidates', index, 'ref'],
        wrong: `an earlier candidate has the reference "${key}" already`,
      })),
  },
  rule<Manifest>(
    'SCH-CTX-03',
    ['budget', 'selectedBytes'],
    'selectedBytes is the sum of the selected candidates.',
    'Write the sum of byteSize over the selected candidates.',
    (body) =>
      selectedBytes(body) !== body.budget.selectedBytes &&
      `selectedBytes is ${body.budget.selectedBytes}, the selected candidates have ${selectedBytes(body)}`,
    selectedBytes,
  ),
  rule<Manifest>(
    'SCH-CTX-04',
    ['budget', 'selectedFiles'],
    'selectedFiles is the number of selected candidates.',
    'Write the number of candidates whose decision is "selected".',
    (body) =>
      selected(body).length !== body.budget.selectedFiles &&
      `selectedFiles is ${body.budget.selectedFiles}, ${selected(body).length} candidates are selected`,
    (body) => selected(body).length,
  ),
  {
    code: 'SCH-CTX-05',
    text: 'Each exclusion reason is summed up once.',
    fix: 'Add the counts of equal reasons together.',
    check: ({ excludedCandidateSummaries }: Manifest) =>
      repeats(excludedCandidateSummaries, ({ reason }) => reason).map(({ index, key }) => ({
        path: ['excludedCandidateSummaries', index, 'reason'],
        wrong: `an earlier summary has the reason "${key}" already`,
      })),
  },
] as const;

export const ContextManifest = withRules(ContextManifestFields, contextManifestRules);
export type ContextManifest = z.infer<typeof ContextManifest>;
