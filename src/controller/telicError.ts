import { shorten } from '../../machines/sentence.ts';
import { type Current, type Failure, type FailureCode, type Finding, failureCodes } from '../../schemas/failure.ts';
import { limits } from '../../schemas/vocabulary.ts';

/** Everything that a failure may say beside its sentence. */
export interface FailureParts {
  readonly findings?: readonly Finding[];
  readonly nextSteps?: readonly string[];
  readonly current?: Current;
  readonly alreadyAccepted?: Readonly<{ artifactRef: string; version: number }>;
  readonly nextAction?: unknown;
}

/**
 * The one error of the controller: every refusal and every fault, in the one failure shape (decisions 3). Doors show
 * `failure` as it is.
 */
export class TelicError extends Error {
  override readonly name = 'TelicError';
  readonly failure: Failure;

  constructor(code: FailureCode, message: string, parts: FailureParts = {}) {
    super(message);
    this.failure = failureOf(code, message, parts);
  }
}

const listed = (finding: Finding): Finding => ({ ...finding, message: shorten(finding.message, limits.issueMessage) });

const failureOf = (code: FailureCode, message: string, parts: FailureParts): Failure => {
  const findings = parts.findings ?? [];
  const rule = findings[0]?.code;
  return {
    ok: false,
    error: shorten(message, limits.errorMessage),
    code,
    kind: failureCodes[code],
    ...(rule !== undefined && { rule }),
    issues: findings.slice(0, limits.issues).map(listed),
    ...(findings.length > limits.issues && { issueCount: findings.length }),
    next_steps: parts.nextSteps ?? [],
    ...(parts.current && { current: parts.current }),
    ...(parts.alreadyAccepted && { already_accepted: parts.alreadyAccepted }),
    ...(parts.nextAction !== undefined && { nextAction: parts.nextAction }),
  };
};

/** The sentence of a refusal: the first finding, with the count before it when a schema found several. */
export const sentenceOf = (findings: readonly Finding[], type?: string): string => {
  const [first] = findings;
  if (!first) return 'The request was refused.';
  if (!first.code.startsWith('SCH-')) return first.message;
  const at = first.path === '' ? first.message : `${first.path}: ${first.message}`;
  return findings.length > 1
    ? `${type ?? 'The body'} has ${findings.length} schema issues; first: ${at}`
    : `${type ?? 'The body'}: ${at}`;
};
