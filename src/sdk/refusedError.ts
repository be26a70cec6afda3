import type { Refused } from './answers.ts';

/** A call that the server refused: the failure as it came, and what was being done. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** `code` and `kind` are those of mcp-surface section 4, `rule` and `issues` say what to change. */
  readonly failure: Refused;
  readonly tool: string;
  /** The type of the artifact that was refused, when one was submitted. */
  readonly artifactType: string | null;

  constructor(tool: string, failure: Refused, artifactType: string | null = null) {
    super(`${artifactType ?? tool} was refused (${failure.rule ?? failure.code}): ${failure.error}`);
    this.tool = tool;
    this.failure = failure;
    this.artifactType = artifactType;
  }
}
