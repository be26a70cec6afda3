import { newRun, type RunContext } from '../../machines/context.ts';
import type { AnyArtifact } from '../../machines/record.ts';
import { digest } from '../../schemas/canonical.ts';
import type { Commit, TraceDraft } from '../../src/ledger/ledger.ts';

export const noon = '2026-03-02T12:00:00.000Z';

/** A message of a run, the smallest body there is. */
export const messageOf = (runId: string, id: string, content: string = id): AnyArtifact => {
  const body = { schemaVersion: '1.0' as const, id, runId, content };
  return {
    id,
    runId,
    type: 'UserMessage',
    producer: 'user',
    sha256: digest(body),
    sourceRefs: [],
    redaction: 'none',
    createdAt: noon,
    body,
  };
};

export const contextOf = (runId: string, version: number): RunContext => ({
  ...newRun({
    input: {
      runId,
      repositoryRoot: '/srv/repository',
      mode: 'analyze_only',
      topology: 'standard',
      priorRunId: null,
      createdAt: noon,
    },
  }),
  version,
});

export const draftOf = (event: TraceDraft['event'], summary: string = event): TraceDraft => ({
  event,
  actor: 'controller',
  phase: 'context_grounding',
  inputRefs: [],
  outputRefs: [],
  summary,
  at: noon,
  budgets: { revisions: 1, remediations: 1 },
});

export type CommitParts = Partial<Pick<Commit, 'artifacts' | 'trace' | 'event'>> &
  Readonly<{ version?: number; machineVersion?: string }>;

/** A commit on a run whose chain has `expectedHead` rows; the version rises with it unless told otherwise. */
export const commitOf = (runId: string, expectedHead: number, parts: CommitParts = {}): Commit => ({
  runId,
  expectedHead,
  event: parts.event ?? {
    type: expectedHead === 0 ? 'start' : 'user.answer',
    at: noon,
    payload: { step: expectedHead },
  },
  run: {
    context: contextOf(runId, parts.version ?? expectedHead + 1),
    snapshot: JSON.stringify({ value: 'ground', step: expectedHead }),
    machineVersion: parts.machineVersion ?? 'machine-1',
  },
  artifacts: parts.artifacts ?? [],
  trace: parts.trace ?? [draftOf('phase_submitted')],
});
