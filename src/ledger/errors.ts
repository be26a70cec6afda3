import type { FailureCode } from '../../schemas/failure.ts';

/** The codes that a store can answer with, a part of the table in mcp-surface section 4. */
export type LedgerErrorCode = Extract<
  FailureCode,
  'state_unavailable' | 'integrity_failed' | 'incompatible' | 'invalid_arguments' | 'id_taken' | 'quota_exceeded'
>;

/** What an error is about, for callers that decide by more than the code. */
export type LedgerErrorSubject = Readonly<{ runId?: string; artifactId?: string }>;

/**
 * Why the ledger cannot do what was asked.
 *
 * - `state_unavailable`: the state directory cannot be used now; the message names it and the variable that moves it.
 * - `integrity_failed`: something stored is damaged; an operator must look (admission INT-08).
 * - `incompatible`: written by another version (admission INT-09).
 * - `invalid_arguments`: the configuration breaks a boundary (admission COM-18); a server must not start with it.
 * - `id_taken`, `quota_exceeded`: the last line behind the rules COM-11 to COM-16; nothing was written.
 */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;
  /** Short texts, each a call or an edit that would help. */
  readonly nextSteps: readonly string[];
  readonly subject: LedgerErrorSubject;

  constructor(
    code: LedgerErrorCode,
    message: string,
    nextSteps: readonly string[],
    about: LedgerErrorSubject & Readonly<{ cause?: unknown }> = {},
  ) {
    const { cause, ...subject } = about;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.nextSteps = nextSteps;
    this.subject = subject;
  }
}

/** A stored artifact whose body is not what was stored; the message never shows the body. */
export const damagedArtifact = (runId: string, artifactId: string, what: string): LedgerError =>
  new LedgerError(
    'integrity_failed',
    `Artifact ${artifactId} of run ${runId} is damaged: ${what}.`,
    ['Stop using this run and let an operator look at the ledger (`telic doctor`).'],
    { runId, artifactId },
  );

/** A row of a run that cannot be what the store wrote. */
export const damagedRun = (runId: string, what: string, cause?: unknown): LedgerError =>
  new LedgerError(
    'integrity_failed',
    `Run ${runId} is damaged: ${what}.`,
    ['Stop using this run and let an operator look at the ledger (`telic doctor`).'],
    { runId, cause },
  );

/** The `code` of an error of Node or SQLite, or an empty string. */
export const systemCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
