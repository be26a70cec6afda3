/** Why grounding refuses: a wrong argument, no usable repository, or a path that leads out of it. */
export type GroundingErrorCode = 'invalid_arguments' | 'repository_not_configured' | 'path_escape';

/** The one error that grounding throws on purpose; `nextSteps` are edits that would work. */
export class GroundingError extends Error {
  readonly code: GroundingErrorCode;
  readonly nextSteps: readonly string[];

  constructor(code: GroundingErrorCode, message: string, nextSteps: readonly string[]) {
    super(message);
    this.name = 'GroundingError';
    this.code = code;
    this.nextSteps = nextSteps;
  }
}
