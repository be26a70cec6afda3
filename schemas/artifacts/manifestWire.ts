import { z } from 'zod';
import { repeats, rule, withRules } from '../bodyRules.ts';
import { Commit, Id, list, Refs, RelPath, RepoUri, SchemaVersion, Sha256, Summary } from '../primitives.ts';
import {
  ByteCount,
  budgetBounds,
  type ContextManifest,
  ExclusionSummary,
  InventorySource,
  Score,
} from './controller.ts';

/** What context discovery hands over, in snake_case; it is never stored (artifacts 5.3). */

export const WireSource = z.strictObject({
  ref: RepoUri,
  path: RelPath,
  reason: Summary,
  content_hash: Sha256,
  size_bytes: ByteCount,
  score: Score,
  pinned: z.boolean(),
});
export type WireSource = z.infer<typeof WireSource>;

const Wire = z.strictObject({
  schema_version: SchemaVersion,
  id: Id,
  run_id: Id,
  repository_fingerprint: z.strictObject({ head_commit: Commit.nullable(), dirty_worktree_hash: Sha256 }),
  pinned_refs: list(RepoUri),
  selected_sources: list(WireSource, 0, 100_000),
  derived_refs: Refs,
  excluded_candidates: list(ExclusionSummary),
  inventory_source: InventorySource,
  warnings: list(Summary),
  budget: z.strictObject({
    max_files: budgetBounds.files,
    max_file_bytes: budgetBounds.bytes,
    max_total_bytes: budgetBounds.bytes,
    max_inventory_files: budgetBounds.inventory,
    candidate_files: budgetBounds.candidates,
    selected_files: budgetBounds.selected,
    selected_bytes: ByteCount,
    estimated_tokens: budgetBounds.tokens,
  }),
});
type WireBody = z.output<typeof Wire>;

const sum = ({ selected_sources }: WireBody): number =>
  selected_sources.reduce((total, { size_bytes }) => total + size_bytes, 0);

export const manifestWireRules = [
  {
    code: 'SCH-WIRE-01',
    text: 'Each source has a reference of its own.',
    fix: 'Keep one source for each reference.',
    check: ({ selected_sources }: WireBody) =>
      repeats(selected_sources, ({ ref }) => ref).map(({ index, key }) => ({
        path: ['selected_sources', index, 'ref'],
        wrong: `an earlier source has the reference "${key}" already`,
      })),
  },
  {
    code: 'SCH-WIRE-02',
    text: 'A pinned reference is that of a pinned source.',
    fix: 'Pin the source, or take the reference out of pinned_refs.',
    check: ({ pinned_refs, selected_sources }: WireBody) => {
      const pinned = new Set(selected_sources.flatMap((source) => (source.pinned ? [source.ref] : [])));
      return pinned_refs.flatMap((ref, index) =>
        pinned.has(ref) ? [] : [{ path: ['pinned_refs', index], wrong: `no pinned source has the reference "${ref}"` }],
      );
    },
  },
  rule<WireBody>(
    'SCH-WIRE-03',
    ['budget', 'selected_files'],
    'selected_files is the number of sources.',
    'Write the number of selected_sources.',
    ({ budget, selected_sources }) =>
      selected_sources.length !== budget.selected_files &&
      `selected_files is ${budget.selected_files}, there are ${selected_sources.length} sources`,
    ({ selected_sources }) => selected_sources.length,
  ),
  rule<WireBody>(
    'SCH-WIRE-04',
    ['budget', 'selected_bytes'],
    'selected_bytes is the sum of the sources.',
    'Write the sum of size_bytes.',
    (body) =>
      sum(body) !== body.budget.selected_bytes &&
      `selected_bytes is ${body.budget.selected_bytes}, the sources have ${sum(body)}`,
    sum,
  ),
  rule<WireBody>(
    'SCH-WIRE-05',
    ['budget', 'selected_bytes'],
    'The selected bytes stay within the total budget.',
    'Select less, or raise max_total_bytes.',
    ({ budget: { selected_bytes, max_total_bytes } }) =>
      selected_bytes > max_total_bytes &&
      `selected_bytes is ${selected_bytes}, more than max_total_bytes ${max_total_bytes}`,
  ),
] as const;

export const ContextManifestWire = withRules(Wire, manifestWireRules);
export type ContextManifestWire = z.infer<typeof ContextManifestWire>;

/**
 * The canonical body of a wire manifest, by the table of artifacts 5.3. It is not judged here: it may still break the
 * bounds of the canonical form, so whoever stores it checks it again (`normalizeManifest`).
 */
export const toCanonicalManifest = (wire: ContextManifestWire): ContextManifest => ({
  schemaVersion: wire.schema_version,
  id: wire.id,
  runId: wire.run_id,
  repositoryFingerprint: {
    headCommit: wire.repository_fingerprint.head_commit,
    dirtyWorktreeHash: wire.repository_fingerprint.dirty_worktree_hash,
  },
  pinnedRefs: wire.pinned_refs,
  candidates: wire.selected_sources.map((source, index) => ({
    id: `candidate-${String(index + 1).padStart(4, '0')}`,
    ref: source.ref,
    locations: [source.path],
    contentHash: source.content_hash,
    byteSize: source.size_bytes,
    decision: 'selected',
    selectionReason: source.reason,
    path: source.path,
    score: source.score,
    pinned: source.pinned,
  })),
  derivedRefs: wire.derived_refs,
  excludedCandidateSummaries: wire.excluded_candidates,
  inventorySource: wire.inventory_source,
  warnings: wire.warnings,
  budget: {
    maximumFiles: wire.budget.max_files,
    maximumFileBytes: wire.budget.max_file_bytes,
    maximumTotalBytes: wire.budget.max_total_bytes,
    maximumInventoryFiles: wire.budget.max_inventory_files,
    candidateFiles: wire.budget.candidate_files,
    selectedFiles: wire.budget.selected_files,
    selectedBytes: wire.budget.selected_bytes,
    estimatedTokens: wire.budget.estimated_tokens,
  },
});
