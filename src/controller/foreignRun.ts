import { viewOf } from '../../machines/context.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunPage } from './api.ts';
import { incompatibleRun } from './runStore.ts';

/**
 * The page of a run that another version of the machine wrote: what is stored can be read, what has to be computed from
 * its state cannot, and the page says so (T34). Null for a run of this version, and when there is none.
 *
 * @param page how many artifacts were read before, and the most that are wanted
 */
export const readForeign = (
  ledger: Ledger,
  runId: string,
  { after, limit }: Readonly<{ after: number; limit: number }>,
): RunPage | null =>
  ledger.together(() => {
    const stored = ledger.run(runId);
    const incompatible = stored && incompatibleRun(runId, stored);
    if (!stored || !incompatible) return null;
    const artifacts = ledger.artifactMeta(runId, after, limit);
    const next = after + artifacts.length;
    const { error, next_steps } = incompatible.failure;
    return {
      run: viewOf(stored.context),
      artifacts,
      artifactCount: stored.artifactCount,
      nextAfterIndex: next < stored.artifactCount ? next : null,
      incompatible: { error, next_steps },
    };
  });
