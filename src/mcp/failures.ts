import { randomUUID } from 'node:crypto';
import { ProjectionError } from '../../machines/projection/projectionError.ts';
import type { Failure } from '../../schemas/failure.ts';
import { TelicError } from '../controller/telicError.ts';
import { GroundingError, type GroundingErrorCode } from '../grounding/groundingError.ts';
import { LedgerError, type LedgerErrorCode } from '../ledger/errors.ts';
import type { Report } from './report.ts';

/** A path that leads out of the repository is a wrong argument like any other: it must name something else. */
const groundingCodes = {
  invalid_arguments: 'invalid_arguments',
  path_escape: 'invalid_arguments',
  repository_not_configured: 'repository_not_configured',
} as const satisfies Record<GroundingErrorCode, Failure['code']>;

/** The rules of admission that a store keeps by itself. */
const ledgerRules: Readonly<Partial<Record<LedgerErrorCode, string>>> = {
  integrity_failed: 'ADM-INT-08',
  incompatible: 'ADM-INT-09',
};

const ledgerFailure = ({ code, message, nextSteps }: LedgerError): TelicError => {
  const rule = ledgerRules[code];
  const [fix] = nextSteps;
  const findings = rule === undefined ? [] : [{ path: '', code: rule, message, ...(fix !== undefined && { fix }) }];
  return new TelicError(code, message, { findings, nextSteps });
};

const known = (error: unknown): TelicError | null => {
  if (error instanceof TelicError) return error;
  if (error instanceof LedgerError) return ledgerFailure(error);
  if (error instanceof GroundingError)
    return new TelicError(groundingCodes[error.code], error.message, {
      nextSteps: error.nextSteps,
      ...(error.code === 'path_escape' && {
        findings: [{ path: 'active_paths', code: 'SCH-PATH-02', message: error.message }],
      }),
    });
  if (error instanceof ProjectionError)
    return new TelicError(error.refusal, error.message, {
      findings: [error.finding],
      nextSteps: error.finding.fix === undefined ? [] : [error.finding.fix],
    });
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new TelicError(
      'quota_exceeded',
      'The call took longer than a call may take and was ended; nothing was changed.',
      {
        nextSteps: ['Call telic_ground_context again with a smaller budget, above all a smaller max_inventory_files.'],
      },
    );
  return null;
};

const detailOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/**
 * Any error in the one failure shape (decisions 3). What nobody foresaw is told as `internal`: its detail goes to
 * standard error under an id, and only the id to the host.
 */
export const failureOf = (error: unknown, report: Report): Failure => {
  const told = known(error);
  if (told && told.failure.code !== 'internal') return told.failure;
  const id = randomUUID().slice(0, 8);
  report(`fault ${id}: ${detailOf(error)}`);
  return new TelicError('internal', `Telic met a defect of its own (fault ${id}); nothing was changed by this call.`, {
    nextSteps: [
      'Fetch the next action and try once more.',
      `If it happens again, report fault ${id} with the line that the server wrote to standard error.`,
    ],
  }).failure;
};
