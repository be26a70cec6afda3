import { covers } from '../../../machines/permissions/permissionSet.ts';
import { effectiveFor } from '../../../machines/rules/derived.ts';
import type { AcceptanceCriterion } from '../../../schemas/artifacts/shared.ts';
import type { ActionCapability, IntentMode, VerificationCapability } from '../../../schemas/vocabulary.ts';
import type { Stand } from './stand.ts';

/** One thing to find out or to do: a criterion and, where the mode executes, how it is met and shown. */
export interface Task {
  readonly criterion: AcceptanceCriterion;
  /** How the criterion is verified; null where the authority reaches for nothing. */
  readonly verification: Readonly<{ id: string; check: string; capability: VerificationCapability }> | null;
  /** Everything that a node needs which carries the task. */
  readonly uses: readonly ActionCapability[];
}

const inspections: readonly Task[] = [
  {
    criterion: {
      id: 'AC-worktree',
      stage: 'completion',
      requirement: 'What Git says of the working tree and its commits is reported, and what it could not say is named.',
      evidenceRequired: ['output of a named inspection'],
    },
    verification: {
      id: 'VR-worktree',
      check: 'Run the named Git inspections and compare the statements with their output.',
      capability: 'shell.inspect',
    },
    uses: ['shell.inspect'],
  },
  {
    criterion: {
      id: 'AC-files',
      stage: 'completion',
      requirement: 'The files that were selected for the request are described from their own text.',
      evidenceRequired: ['excerpts of selected files'],
    },
    verification: {
      id: 'VR-files',
      check: 'Read the selected files and compare the statements with their text.',
      capability: 'repository.read',
    },
    uses: ['repository.read'],
  },
];

const change: Task = {
  criterion: {
    id: 'AC-change',
    stage: 'completion',
    requirement: 'The change is made, and the changed file reads as it should.',
    evidenceRequired: ['the diff', 'the changed file'],
  },
  verification: {
    id: 'VR-change',
    check: 'Read the changed file after the change.',
    capability: 'repository.read',
  },
  uses: ['repository.read', 'repository.write'],
};

const answered: Task = {
  criterion: {
    id: 'AC-answer',
    stage: 'completion',
    requirement: 'The request is answered by a plan that stays inside the authority of the run.',
    evidenceRequired: ['the plan itself'],
  },
  verification: null,
  uses: [],
};

const planned: Task = {
  criterion: { ...answered.criterion, id: 'AC-plan' },
  verification: {
    id: 'VR-plan',
    check: 'Read the plan beside the files that it is about.',
    capability: 'repository.read',
  },
  uses: ['repository.read'],
};

const asDiagnosis = (task: Task): Task => ({ ...task, criterion: { ...task.criterion, stage: 'diagnosis' } });

const tasksIn = (mode: IntentMode, able: (task: Task) => boolean): readonly Task[] => {
  const looks = inspections.filter(able);
  const changes = [change].filter(able);
  switch (mode) {
    case 'report_only':
    case 'plan_only':
      return [able(planned) ? planned : answered];
    case 'analyze_only':
      return looks;
    case 'fix_only':
      // Without write permission a fix can be looked into; it never passes.
      return changes.length > 0 ? changes : looks;
    case 'analyze_and_fix':
      return changes.length > 0 ? [...looks.map(asDiagnosis), ...changes] : [];
  }
};

/**
 * What this author can do in this run: a pure function of mode and authority.
 *
 * @throws in a mode that executes, when the authority does not reach for anything
 */
export const tasksOf = ({ run, record }: Stand): readonly Task[] => {
  const mode = run.requestedMode;
  const authority = effectiveFor(record, mode);
  const tasks = tasksIn(mode, ({ uses }) => uses.every((capability) => covers(authority, capability)));
  if (tasks.length === 0)
    throw new Error('This author needs shell.inspect or repository.read to look, and repository.write to change.');
  return tasks;
};

/** The task behind a criterion; undefined for a criterion that this author did not write. */
export const taskOf = (criterionId: string): Task | undefined =>
  [...inspections, change, answered, planned].find(({ criterion }) => criterion.id === criterionId);

/** What the tasks behind some criteria use, each once. */
export const usesOf = (criterionIds: readonly string[]): readonly ActionCapability[] => [
  ...new Set(criterionIds.flatMap((id) => taskOf(id)?.uses ?? [])),
];
