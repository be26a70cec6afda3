import { createHash } from 'node:crypto';
import type { ContextManifest, ExclusionReason, InventorySource } from '../../schemas/artifacts/controller.ts';
import type { ContextDocument } from '../../schemas/artifacts/ledgerOnly.ts';
import type { ContextManifestWire } from '../../schemas/artifacts/manifestWire.ts';
import type { Budget } from './budget.ts';
import type { Fingerprint } from './git/fingerprint.ts';
import { byCodeUnit, repoRef } from './paths.ts';
import type { SelectedFile } from './selection.ts';

export interface Grounding {
  readonly wire: ContextManifestWire;
  readonly documents: readonly ContextDocument[];
}

export interface ManifestInput {
  readonly runId: string;
  readonly fingerprint: Fingerprint;
  readonly selected: readonly SelectedFile[];
  readonly excluded: ReadonlyMap<ExclusionReason, number>;
  readonly candidateFiles: number;
  readonly source: InventorySource;
  readonly warnings: readonly string[];
  readonly budget: Budget;
}

const emptyHash = `sha256:${createHash('sha256').digest('hex')}`;

/** Puts the manifest (wire form) and its documents together. Pure. Rule: grounding section 10. */
export function buildGrounding(input: ManifestInput): Grounding {
  const { runId, fingerprint, selected, budget } = input;
  const repository_fingerprint = {
    head_commit: fingerprint.headCommit,
    dirty_worktree_hash: fingerprint.dirtyWorktreeHash,
  };
  const limits = {
    max_files: budget.max_files,
    max_file_bytes: budget.max_file_bytes,
    max_total_bytes: budget.max_total_bytes,
    max_inventory_files: budget.max_inventory_files,
  };
  const sources = selected.map((file) => ({
    ref: repoRef(file.path),
    path: file.path,
    reason: file.reason,
    content_hash: file.contentHash,
    size_bytes: file.sizeBytes,
    score: file.score,
    pinned: file.pinned,
  }));
  // The order of the keys is part of the id.
  const identity = JSON.stringify({
    run_id: runId,
    repository_fingerprint,
    selected_sources: sources.map(({ ref, content_hash }) => ({ ref, content_hash })),
    budget: limits,
  });
  const id = `context-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
  const documents = selected.map(
    (file, index): ContextDocument => ({
      schemaVersion: '1.0',
      id: `${id}-source-${String(index + 1).padStart(3, '0')}-${file.contentHash.slice('sha256:'.length).slice(0, 13)}`,
      runId,
      repositoryRef: repoRef(file.path),
      contentHash: file.contentHash,
      sizeBytes: file.sizeBytes,
      trustKind: file.instructionScope === null ? 'untrusted_repository_content' : 'applicable_instruction',
      instructionScope: file.instructionScope,
      content: file.content,
    }),
  );
  const selectedBytes = sources.reduce((sum, source) => sum + source.size_bytes, 0);
  const wire: ContextManifestWire = {
    schema_version: '1.0',
    id,
    run_id: runId,
    repository_fingerprint,
    pinned_refs: sources.flatMap((source) => (source.pinned ? [source.ref] : [])),
    selected_sources: sources,
    derived_refs: documents.map((document) => `artifact://${runId}/${document.id}`),
    excluded_candidates: [...input.excluded]
      .map(([reason, count]) => ({ reason, count }))
      .sort((left, right) => byCodeUnit(left.reason, right.reason)),
    inventory_source: input.source,
    warnings: [...input.warnings],
    budget: {
      ...limits,
      candidate_files: input.candidateFiles,
      selected_files: sources.length,
      selected_bytes: selectedBytes,
      estimated_tokens: Math.ceil(selectedBytes / 4),
    },
  };
  return { wire, documents };
}

/**
 * The manifest of a run in mode `report_only`, which discovers nothing: empty, the four limits 1, one warning. Takes a
 * valid run id; gives the canonical form. Rule: grounding section 10.
 */
export function reportOnlyManifest(runId: string): ContextManifest {
  return {
    schemaVersion: '1.0',
    id: `context-report-only-${runId.slice(0, 12)}`,
    runId,
    repositoryFingerprint: { headCommit: null, dirtyWorktreeHash: emptyHash },
    pinnedRefs: [],
    candidates: [],
    derivedRefs: [],
    excludedCandidateSummaries: [],
    inventorySource: 'filesystem',
    warnings: ['The mode report_only discovers nothing: no file was listed and none was read.'],
    budget: {
      maximumFiles: 1,
      maximumFileBytes: 1,
      maximumTotalBytes: 1,
      maximumInventoryFiles: 1,
      candidateFiles: 0,
      selectedFiles: 0,
      selectedBytes: 0,
      estimatedTokens: 0,
    },
  };
}
