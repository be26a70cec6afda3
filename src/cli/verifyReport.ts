import type { VerifyReport } from '../../schemas/verification.ts';
import type { Verification } from '../controller/verifyRun.ts';

/** Sums one run after the other; of runs that are whole nothing is kept. */
export const reportOf = (verifications: Iterable<Verification>): VerifyReport => {
  const sums = { runs: 0, events: 0, artifacts: 0, trace: 0 };
  const differences: VerifyReport['differences'][number][] = [];
  const notJudged: VerifyReport['notJudged'][number][] = [];
  for (const { runId, ...found } of verifications) {
    sums.runs += 1;
    sums.events += found.events;
    sums.artifacts += found.artifacts;
    sums.trace += found.trace;
    for (const difference of found.differences) differences.push({ runId, ...difference });
    for (const event of found.notJudged) notJudged.push({ runId, ...event });
  }
  return { ok: differences.length === 0, ...sums, differences, notJudged };
};
