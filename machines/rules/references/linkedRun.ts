import { artifactUri } from '../../record.ts';
import { isSystemRef, pathOf, stringsIn } from '../bodyReferences.ts';
import { type BookEntry, type RuleCode, rule } from '../book.ts';
import { citationsOf } from '../citations.ts';
import { lineageFault, priorRunId } from '../lineage.ts';
import { each } from './each.ts';

const lineageRule = (code: RuleCode, text: string, reads: readonly string[]): BookEntry =>
  each(code, text, reads, ({ place, ref }, query) => {
    if (place.kind !== 'foreign' || !place.linked) return null;
    const fault = lineageFault(query, ref);
    return fault?.code === code ? fault.said : null;
  });

/** What may be cited of the run that is linked as the prior one (admission section 14). */
export const linkedRunRules: readonly BookEntry[] = [
  lineageRule('ADM-LIN-05', 'A reference to the linked run is artifact://<run>/<id>.', []),
  lineageRule('ADM-LIN-06', 'The only other run that may be cited is the linked one.', ['run.priorRunId']),
  lineageRule('ADM-LIN-07', 'The linked run still exists.', ['prior run']),
  lineageRule('ADM-LIN-08', 'The linked run is of the same repository.', ['prior run', 'run.repositoryRoot']),
  lineageRule('ADM-LIN-09', 'The cited artifact exists in the linked run.', ['prior run']),
  lineageRule('ADM-LIN-10', 'Of the linked run only Evidence may be cited.', ['prior run']),
  rule({
    code: 'ADM-LIN-11',
    types: ['WorkResult', 'QualityReview', 'ReleaseAudit', 'UserReport'],
    part: 'common',
    text: 'In a linked run every string that starts as a reference to another run names Evidence of the linked one.',
    reads: ['prior run', 'run.priorRunId'],
    refusal: 'reference_invalid',
    *check(query) {
      if (priorRunId(query) === null) return;
      const judged = new Set(citationsOf(query).map(({ path }) => path));
      const own = artifactUri(query.run.runId, '');
      for (const { steps, text } of stringsIn(query.body)) {
        const path = pathOf(steps);
        if (!text.startsWith('artifact://') || text.startsWith(own) || isSystemRef(text) || judged.has(path)) continue;
        const fault = lineageFault(query, text);
        if (fault) yield { path, ...fault.said };
      }
    },
  }),
];
