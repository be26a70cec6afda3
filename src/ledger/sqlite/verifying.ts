import type { Difference } from '../../../schemas/verification.ts';
import { LedgerError } from '../errors.ts';
import type { Ledger, LedgerFault } from '../ledger.ts';
import { verifyChain } from '../verifyChain.ts';
import type { Histories } from './history.ts';

const sentenceOf = ({ kind, expected, found, artifactId }: Difference): string =>
  artifactId === undefined
    ? `${kind}: expected ${expected}, found ${found}.`
    : `The body of artifact ${artifactId} ${found === 'missing' ? 'is missing' : 'does not have its digest'}.`;

/** Finds every fault of a run that its own rows can show: links and hashes of the chain, gaps, counts and bodies. */
export const verifyingOf =
  ({ history }: Histories): Ledger['verify'] =>
  (runId) => {
    const stored = history(runId);
    if (stored === null) return [];
    return verifyChain(stored).map(
      (difference): LedgerFault => ({
        sequence: difference.sequence,
        ...(difference.artifactId !== undefined && { artifactId: difference.artifactId }),
        message: sentenceOf(difference),
      }),
    );
  };

/** Whether an error is a fault of what is stored, which a verification reports instead of throwing. */
export const isStoredFault = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && error.code === 'integrity_failed';
