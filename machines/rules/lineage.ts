import { found } from '../../schemas/found.ts';
import { parseArtifactUri, uriOf } from '../record.ts';
import type { Query, RuleCode, Said } from './book.ts';

/** What may be cited of the run that `prior_run_id` links: its Evidence, nothing else (admission section 14). */

type Fault = Readonly<{ code: RuleCode; said: Omit<Said, 'path'> }>;

const idForm = /^[A-Za-z0-9._:-]+$/;

/** The linked run, also when its ledger entry is gone. */
export const priorRunId = (query: Query): string | null => query.record.prior?.runId ?? query.run.priorRunId;

/** The first rule that a reference to another run breaks, LIN-05 to LIN-10; null for Evidence of the linked run. */
export const lineageFault = (query: Query, ref: string): Fault | null => {
  const { prior } = query.record;
  const linked = priorRunId(query);
  const parsed = parseArtifactUri(ref);
  const fix = 'Cite Evidence of the linked run as artifact://<its run id>/<id>, or an artifact of this run.';
  const fault = (code: RuleCode, message: string, expected?: unknown): Fault => ({
    code,
    said: { message, fix, ...(expected === undefined ? {} : { expected }) },
  });
  /** The Evidence of that id in the linked run. */
  const sameOf = (): unknown => {
    const same = parsed && prior?.exists ? prior.get(parsed.id) : undefined;
    return same?.type === 'Evidence' ? uriOf(same) : undefined;
  };
  if (!parsed || !idForm.test(parsed.id))
    return fault('ADM-LIN-05', `${found(ref)} is no artifact reference of the linked run ${linked}.`);
  if (parsed.runId !== linked)
    return fault(
      'ADM-LIN-06',
      `${found(ref)} cites run ${found(parsed.runId)}; only run ${linked} is linked.`,
      sameOf(),
    );
  if (!prior?.exists) return fault('ADM-LIN-07', `The linked run ${linked} is no longer in this ledger.`);
  if (prior.repositoryRoot !== query.run.repositoryRoot)
    return fault('ADM-LIN-08', `The linked run ${linked} belongs to another repository.`);
  const target = prior.get(parsed.id);
  if (!target) return fault('ADM-LIN-09', `The linked run holds no artifact ${found(parsed.id)}.`);
  if (target.type !== 'Evidence')
    return fault(
      'ADM-LIN-10',
      `${found(parsed.id)} of the linked run is a ${target.type}; only its Evidence may be cited.`,
    );
  return null;
};
