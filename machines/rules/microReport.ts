import { uriOf } from '../record.ts';
import { type BookEntry, rule, type Said } from './book.ts';
import { kindOf } from './reportStatus.ts';
import { listed, told } from './wording.ts';

/** Rules of the UserReport of a micro run that nothing blocked before its review (admission section 12, rows 03 to 07). */

const about = ['UserReport'] as const;

const uncertified = (message: string): Said => ({
  path: 'terminalStatus',
  message: `terminalStatus is completed, but ${message}.`,
  expected: ['partial', 'failed_verification', 'blocked'],
  fix: 'Set terminalStatus to partial and cite the review in findingRefs.',
});

export const microReportRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REPORT-03',
    types: about,
    part: 'own',
    text: 'In micro, a completed report makes at least one completion claim.',
    reads: ['topology'],
    refusal: 'rule_broken',
    *check({ body, run }) {
      if (kindOf(run) !== 'micro' || body.terminalStatus !== 'completed' || body.completionClaims.length > 0) return;
      yield {
        path: 'completionClaims',
        message: 'terminalStatus is completed, but no completion claim is made.',
        fix: 'Claim what the review passed, with its evidence.',
      };
    },
  }),
  rule({
    code: 'ADM-REPORT-04',
    types: about,
    part: 'own',
    text: 'In micro, a completed report needs a receipt.',
    reads: ['topology', 'ReceiptAudit'],
    refusal: 'rule_broken',
    *check({ body, run, record }) {
      if (kindOf(run) !== 'micro' || body.terminalStatus !== 'completed' || record.latest('ReceiptAudit')) return;
      yield uncertified('no receipt was issued: no review of this run passed');
    },
  }),
  rule({
    code: 'ADM-REPORT-05',
    types: about,
    part: 'own',
    text: 'In micro, a completed report needs a receipt that verified the evidence.',
    reads: ['topology', 'ReceiptAudit'],
    refusal: 'rule_broken',
    *check({ body, run, record }) {
      if (kindOf(run) !== 'micro' || body.terminalStatus !== 'completed') return;
      if (record.latest('ReceiptAudit')?.body.digestStatus === 'failed')
        yield uncertified('its receipt could not verify the evidence');
    },
  }),
  rule({
    code: 'ADM-REPORT-06',
    types: about,
    part: 'own',
    text: 'In micro, a completed report needs a receipt of the latest review.',
    reads: ['topology', 'ReceiptAudit', 'QualityReview'],
    refusal: 'rule_broken',
    *check({ body, run, record }) {
      if (kindOf(run) !== 'micro' || body.terminalStatus !== 'completed') return;
      const receipt = record.latest('ReceiptAudit');
      const review = record.latest('QualityReview');
      if (!receipt || (review && receipt.body.controllingReviewRef === uriOf(review))) return;
      yield uncertified('its receipt belongs to another review');
    },
  }),
  rule({
    code: 'ADM-REPORT-07',
    types: about,
    part: 'own',
    text: 'In micro, a report that is not completed cites the latest review in findingRefs.',
    reads: ['topology', 'QualityReview'],
    refusal: 'rule_broken',
    *check({ body, run, record }) {
      if (kindOf(run) !== 'micro' || body.terminalStatus === 'completed') return;
      const review = record.latest('QualityReview');
      const ref = review && uriOf(review);
      if (ref !== undefined && body.findingRefs.includes(ref)) return;
      yield {
        path: 'findingRefs',
        message: `findingRefs holds ${listed(body.findingRefs)}, but not the latest review.`,
        ...(ref !== undefined && told([...body.findingRefs, ref])),
        fix: `Add ${ref} to findingRefs.`,
      };
    },
  }),
];
