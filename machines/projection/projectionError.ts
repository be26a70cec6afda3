import type { FailureCode, Finding } from '../../schemas/failure.ts';

export type ProjectionCode = 'ADM-INT-02' | 'ADM-INT-05' | 'ADM-INT-06' | 'ADM-INT-07';

/**
 * The next action cannot be told. Thrown inside the transaction of the event that would lead there, so that the event
 * is refused and the run does not move (D12); on a read it means a damaged record.
 */
export class ProjectionError extends Error {
  override readonly name = 'ProjectionError';
  readonly code: ProjectionCode;
  /** The wire code of the refusal. */
  readonly refusal: FailureCode;
  readonly finding: Finding;

  constructor(code: ProjectionCode, message: string, fix: string) {
    super(message);
    this.code = code;
    this.refusal = code === 'ADM-INT-05' ? 'quota_exceeded' : 'integrity_failed';
    this.finding = { path: 'run_id', code, message, fix };
  }
}
