import { found } from '../../../schemas/found.ts';
import { executes } from '../../../schemas/vocabulary.ts';
import { type Artifact, uriOf } from '../../record.ts';
import { valueAt } from '../bodyReferences.ts';
import type { BookEntry, Query } from '../book.ts';
import type { Citation } from '../citations.ts';
import { proofs, userMessages } from '../sources.ts';
import { choice } from '../wording.ts';
import { each } from './each.ts';

const criteriaOf = (plan: Artifact<'WorkPlan'>): ReadonlySet<string> =>
  new Set(plan.body.nodes.flatMap(({ acceptanceCriteria }) => acceptanceCriteria));

/** The criteria that a field of a review or audit speaks of; null where it speaks of none. */
const criteriaAt = (citation: Citation, query: Query): readonly string[] | null => {
  const element = citation.steps.slice(0, 2);
  const one = valueAt(query.body, [...element, 'criterionId']);
  if (typeof one === 'string') return [one];
  const several = valueAt(query.body, [...element, 'criterionIds']);
  return Array.isArray(several) ? several.filter((id) => typeof id === 'string') : null;
};

/**
 * In the modes without execution a plan is what there is to show: the latest one, and an earlier one for the criteria
 * that a remediation plan does not plan again.
 */
const isPlanProof = (plan: Artifact<'WorkPlan'>, citation: Citation, query: Query): boolean => {
  if (executes(query.run.mode)) return false;
  const latest = query.record.latest('WorkPlan');
  if (!latest || latest.id === plan.id) return true;
  const replanned = criteriaOf(latest);
  const retained = [...criteriaOf(plan)].filter((id) => !replanned.has(id));
  const about = criteriaAt(citation, query);
  return about === null ? retained.length > 0 : about.some((id) => retained.includes(id));
};

/** A gate that is not passed may rest on a result of the current plan while the run holds no Evidence at all. */
const isBareResult = (result: Artifact<'WorkResult'>, citation: Citation, query: Query): boolean => {
  if (query.type !== 'QualityReview' || citation.pattern !== 'hardGates[].evidenceRefs[]') return false;
  if (!executes(query.run.mode) || query.record.latest('Evidence')) return false;
  const plan = query.record.latest('WorkPlan');
  const passed = valueAt(query.body, [...citation.steps.slice(0, 2), 'passed']);
  return passed === false && plan !== undefined && result.body.workPlanRef === uriOf(plan);
};

const isProof = (citation: Citation, query: Query): boolean => {
  if (citation.place.kind !== 'own') return true;
  const { target } = citation.place;
  switch (target?.type) {
    case 'Evidence':
    case 'ContextDocument':
    case undefined:
      return true;
    case 'WorkPlan':
      return isPlanProof(target, citation, query);
    case 'WorkResult':
      return isBareResult(target, citation, query);
    default:
      return false;
  }
};

/** What backs a claim on the word of the user, and what must be shown (admission sections 3.1 and 3.2). */
export const backingRules: readonly BookEntry[] = [
  each(
    'ADM-REF-18',
    'A claim on the word of the user cites a UserMessage that the user wrote.',
    ['artifacts'],
    ({ place, role, ref }, { record }) => {
      if (role !== 'user_reported' || place.kind !== 'own' || !place.target) return null;
      if (place.target.type === 'UserMessage' && place.target.producer === 'user') return null;
      return {
        message: `${found(ref)} is a ${place.target.type}; a user-reported claim rests on a message of the user.`,
        ...choice(userMessages(record)),
        fix: 'Cite the UserMessage, or change the basis of the claim and cite captured Evidence.',
      };
    },
  ),
  each(
    'ADM-REF-19',
    'What must be shown cites captured Evidence; in report_only and plan_only the plan counts, too.',
    ['artifacts', 'run.mode', 'WorkPlan'],
    (citation, query) => {
      if (citation.role !== 'direct' || isProof(citation, query)) return null;
      const { place, pattern, ref } = citation;
      const type = place.kind === 'own' ? place.target?.type : undefined;
      return {
        message: `${pattern} must cite captured Evidence${executes(query.run.mode) ? '' : ' or the current WorkPlan'}; ${found(ref)} is a ${type}.`,
        ...choice(proofs(query)),
        fix: executes(query.run.mode)
          ? 'Cite Evidence that shows it; Evidence is captured while a work node executes.'
          : 'Cite the current WorkPlan.',
      };
    },
  ),
];
