import { covers } from '../../../machines/permissions/permissionSet.ts';
import { effectiveFor } from '../../../machines/rules/derived.ts';
import type { AcceptanceCriterion } from '../../../schemas/artifacts/shared.ts';
import { executes, type VerificationCapability } from '../../../schemas/vocabulary.ts';
import type { Stand } from './stand.ts';

/** One thing to find out: a criterion and, where the mode executes, the capability that shows it. */
export interface Task {
  readonly criterion: AcceptanceCriterion;
  readonly verificationId: string;
  /** How the criterion is verified. */
  readonly check: string;
  readonly capability: VerificationCapability | null;
}

const inspections: readonly Task[] = [
  {
    criterion: {
      id: 'AC-worktree',
      stage: 'completion',
      requirement: 'What Git says of the working tree and its commits is reported, and what it could not say is named.',
      evidenceRequired: ['output of a named inspection'],
    },
    verificationId: 'VR-worktree',
    check: 'Run the named Git inspections and compare the statements with their output.',
    capability: 'shell.inspect',
  },
  {
    criterion: {
      id: 'AC-files',
      stage: 'completion',
      requirement: 'The files that were selected for the request are described from their own text.',
      evidenceRequired: ['excerpts of selected files'],
    },
    verificationId: 'VR-files',
    check: 'Read the selected files and compare the statements with their text.',
    capability: 'repository.read',
  },
];

const plannedOnly: Task = {
  criterion: {
    id: 'AC-answer',
    stage: 'completion',
    requirement: 'The request is answered by a plan that stays inside the authority of the run.',
    evidenceRequired: ['the plan itself'],
  },
  verificationId: 'VR-answer',
  check: 'Read the plan.',
  capability: null,
};

/**
 * What this author can find out in this run: a pure function of mode and authority.
 *
 * @throws in a mode that executes, when neither inspecting nor reading is allowed
 */
export const tasksOf = ({ run, record }: Stand): readonly Task[] => {
  if (!executes(run.requestedMode)) return [plannedOnly];
  const authority = effectiveFor(record, run.requestedMode);
  const able = inspections.filter(({ capability }) => capability !== null && covers(authority, capability));
  if (able.length === 0) throw new Error('This author needs shell.inspect or repository.read to find anything out.');
  return run.topology === 'micro' ? able.slice(0, 1) : able;
};

/** The task behind a criterion; undefined for a criterion that this author did not write. */
export const taskOf = (criterionId: string): Task | undefined =>
  [...inspections, plannedOnly].find(({ criterion }) => criterion.id === criterionId);
