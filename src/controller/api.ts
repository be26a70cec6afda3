import type { RunView } from '../../machines/context.ts';
import type { BrokerDecision } from '../../machines/permissions/brokerDecision.ts';
import type { PartialAction } from '../../machines/projection/nextAction.ts';
import type { Lineage } from '../../machines/start/lineage.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import type { DroppedGrant } from '../../schemas/permissions.ts';
import type { DifferenceKind } from '../../schemas/verification.ts';
import type { ActionPart, IntentMode, RunTopology } from '../../schemas/vocabulary.ts';
import type { ArtifactMeta } from '../ledger/ledger.ts';

/**
 * What a door may ask of a run: one call in, one answer or one `TelicError` out. Arguments are parsed already (types and
 * bounds of mcp-surface section 3); everything that needs a run is judged here.
 */

/** The run and the token that the caller holds. */
export interface TokenArgs {
  readonly runId: string;
  readonly actionId: string;
  readonly expectedVersion: number;
}

export interface StartRunArgs {
  readonly originalRequest: string;
  readonly mode: IntentMode;
  readonly hostName?: string | undefined;
  readonly nativeSubagents?: 'available' | 'unavailable' | 'unknown' | undefined;
  readonly hostCapabilities?: readonly string[] | undefined;
  readonly authorizationGranted?: readonly string[] | undefined;
  readonly authorizationDenied?: readonly string[] | undefined;
  readonly shellExecuteAllowlist?: readonly string[] | undefined;
  readonly networkReadDomains?: readonly string[] | undefined;
  readonly topologyOverride?: RunTopology | undefined;
  readonly priorRunId?: string | undefined;
}

export interface GroundArgs extends TokenArgs {
  readonly activePaths?: readonly string[] | undefined;
  readonly budget?:
    | Readonly<{
        max_files?: number | undefined;
        max_file_bytes?: number | undefined;
        max_total_bytes?: number | undefined;
        max_inventory_files?: number | undefined;
      }>
    | undefined;
}

export interface GroundOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: GroundProgress) => void) | undefined;
}
export type GroundProgress = Readonly<{
  stage: 'inventory' | 'ranking' | 'reading' | 'storing';
  done: number;
  total: number;
}>;

export interface SubmitArgs extends TokenArgs {
  /** As sent: the type may be any word of the vocabulary, a controller-owned one is refused by the machine. */
  readonly artifactType: string;
  /** The body as sent; the schema of its type judges it. */
  readonly body: unknown;
  readonly sourceRefs: readonly string[];
}

export interface AnswerArgs extends TokenArgs {
  readonly answer: string;
  readonly via: 'client' | 'host';
}

export interface CheckArgs extends TokenArgs {
  readonly capability: string;
  readonly target?: string | undefined;
}

/** What every moving call answers. */
export interface Moved {
  readonly run: RunView;
  readonly nextAction: PartialAction;
}

/** What a call that takes one event answers. */
export interface Stepped extends Moved {
  /** The artifacts that the call stored, for doors that link them; no part of an answer's structure. */
  readonly stored: readonly ArtifactMeta[];
}

export interface Started extends Moved {
  readonly droppedGrants: readonly DroppedGrant[];
  readonly lineage?: Lineage;
}

export interface Grounded extends Stepped {
  readonly manifest: BodyOf<'ContextManifest'>;
}

export interface Submitted extends Stepped {
  /** Metadata of a supporting artifact; a phase artifact moves the run instead. */
  readonly artifact?: ArtifactMeta;
}

/** A row of `telic_list_runs`: no request, no root, no bodies. */
export type RunListRow = Pick<
  RunView,
  | 'runId'
  | 'schemaVersion'
  | 'requestedMode'
  | 'topology'
  | 'status'
  | 'phase'
  | 'resumePhase'
  | 'version'
  | 'outcomeHint'
  | 'createdAt'
  | 'updatedAt'
>;

/** Newest change first; the cursor is there when more follow. */
export interface RunList {
  readonly runs: readonly RunListRow[];
  readonly nextCursor?: string;
}

export interface RunPage {
  readonly run: RunView;
  readonly artifacts: readonly ArtifactMeta[];
  readonly artifactCount: number;
  readonly nextAfterIndex: number | null;
  /** Absent when it cannot be told: another version of the machine wrote the run. */
  readonly nextAction?: PartialAction;
  /** Why the next action is absent, and what would help. */
  readonly incompatible?: Readonly<{ error: string; next_steps: readonly string[] }>;
}

/** Metadata and body, keys in canonical order, or a piece of the body's canonical JSON when `offset` or `limit` was given. */
export type ArtifactAnswer =
  | (ArtifactMeta & Readonly<{ body: unknown }>)
  | (ArtifactMeta & Readonly<{ text: string; offset: number; total: number }>);

export interface TracePage {
  /** Canonical trace events, each valid against its schema. */
  readonly events: readonly BodyOf<'TraceEvent'>[];
  readonly hasMore: boolean;
  readonly nextAfterSequence: number | null;
}

/** What is stored otherwise than it must be, by event of the run's chain; 0 is the row of the run (docs/ledger.md). */
export type ReplayDifference = Readonly<{
  sequence: number;
  kind: DifferenceKind;
  expected: string | number;
  found: string | number;
}>;

export type ReplayReport = Readonly<{
  runId: string;
  topology: RunTopology;
  steps: readonly Readonly<{
    sequence: number;
    phase: string;
    artifactRef: string;
    artifactType: string;
    digestStatus: 'ok' | 'missing' | 'mismatch';
    escalationReason?: string;
  }>[];
  traceHighlights: readonly string[];
  /** Whether everything stored is what executing the recorded events again gives; not told of micro runs. */
  consistent?: boolean;
  differences?: readonly ReplayDifference[];
  degraded?: true;
  reason?: 'micro_topology';
}>;

export interface Controller {
  start(args: StartRunArgs): Promise<Started>;
  ground(args: GroundArgs, options?: GroundOptions): Promise<Grounded>;
  submit(args: SubmitArgs): Promise<Submitted>;
  /** Judges the token alone, before what a door found wrong with the rest of a call (admission section 1). */
  requireToken(args: TokenArgs): Promise<void>;
  answer(args: AnswerArgs): Promise<Stepped>;
  cancel(args: TokenArgs): Promise<Stepped>;
  check(args: CheckArgs): Promise<Readonly<{ decision: BrokerDecision }>>;
  nextAction(runId: string, parts?: readonly ActionPart[]): Promise<Readonly<{ nextAction: PartialAction }>>;
  /** @param cursor the `nextCursor` of an earlier list */
  listRuns(limit: number, cursor?: string): Promise<RunList>;
  run(runId: string, page?: Readonly<{ after?: number; limit?: number }>): Promise<RunPage>;
  artifact(
    runId: string,
    artifactId: string,
    piece?: Readonly<{ offset?: number | undefined; limit?: number | undefined }>,
  ): Promise<Readonly<{ artifact: ArtifactAnswer }>>;
  trace(runId: string, afterSequence: number, limit: number): Promise<TracePage>;
  replay(runId: string): Promise<Readonly<{ report: ReplayReport }>>;
  /** Lets the running transaction finish and closes the ledger. */
  close(): void;
}
