import type { Alternative, Brief, Variant } from '../../schemas/brief.ts';
import { phaseTable, type SubmittedType } from '../../schemas/vocabulary.ts';
import { draftOfClarificationRequest } from './clarificationRequest.ts';
import type { Draft, Stand } from './draft.ts';
import { draftOfEvidence } from './evidence.ts';
import { permittedIn } from './permitted.ts';
import { draftOfProblemFrame } from './problemFrame.ts';
import { draftOfPromptReview } from './promptReview.ts';
import { draftOfQualityReview } from './qualityReview.ts';
import { draftOfReleaseAudit } from './releaseAudit.ts';
import { rulesShown } from './rulesShown.ts';
import { draftOfScenarioSpec } from './scenarioSpec.ts';
import { sourcesOf } from './sources.ts';
import { draftOfTaskContract, forbidsContract } from './taskContract.ts';
import { taskOf } from './tasks.ts';
import { draftOfUserReport } from './userReport.ts';
import { draftOfWorkPlan } from './workPlan.ts';
import { completed, draftOfWorkResult } from './workResult.ts';

const isForbidden = (stand: Stand): boolean => stand.run.phase === 'agent_2_compile' && forbidsContract(stand);

/** Who drafts what. */
export const drafts: Readonly<Record<SubmittedType, (stand: Stand) => Draft | null>> = {
  ClarificationRequest: (stand) =>
    draftOfClarificationRequest(stand, isForbidden(stand) ? 'permission_expanding' : 'user_owned_materially_divergent'),
  ProblemFrame: draftOfProblemFrame,
  ScenarioSpec: draftOfScenarioSpec,
  TaskContract: draftOfTaskContract,
  PromptReview: draftOfPromptReview,
  WorkPlan: draftOfWorkPlan,
  WorkResult: draftOfWorkResult,
  QualityReview: draftOfQualityReview,
  ReleaseAudit: draftOfReleaseAudit,
  UserReport: draftOfUserReport,
  Evidence: draftOfEvidence,
};

/** When another type is the right one. */
const whenOf = (stand: Stand, type: SubmittedType): string => {
  switch (type) {
    case 'ClarificationRequest':
      if (stand.run.questions > 0)
        return 'Not for a question: the one question of this run was asked. Another is kept, not shown, and blocks the run.';
      if (isForbidden(stand)) return 'Now: nothing else leads on.';
      return 'Only the user can decide, and the answer changes the work. One question a run.';
    case 'Evidence':
      return 'First: capture what each act of the node gave; the result cites it.';
    default:
      return 'If people are to read the frame as a story; it moves nothing.';
  }
};

/** A node can be reported as completed once Evidence shows each act that it requires. */
const opensOf = (type: SubmittedType, own: Draft | null): string | undefined =>
  type === 'Evidence' && own && !own.variants.some(({ name }) => name === completed) ? completed : undefined;

/** What a blank says that a variant replaces need not be said again. */
const terse = ({ blanks, variants }: Draft): Variant[] => {
  const hows = new Map(blanks.map(({ path, how }) => [path, how]));
  return variants.map((variant) => ({
    ...variant,
    blanks: variant.blanks.map((blank) => (blank.how === hows.get(blank.path) ? { ...blank, how: '' } : blank)),
  }));
};

const alternativesOf = (stand: Stand, own: Draft | null): Alternative[] => {
  const { accepts, supports } = phaseTable[stand.run.phase];
  // What the work needs first stands first.
  const others = [...supports, ...accepts.slice(1)].filter((type) => type !== 'ContextManifest');
  const ordered = isForbidden(stand) ? others.reverse() : others;
  return ordered.flatMap((type): Alternative[] => {
    const draft = drafts[type](stand);
    if (!draft) return [];
    const opens = opensOf(type, own);
    return [
      {
        type,
        ...(opens !== undefined && { opens }),
        when: whenOf(stand, type),
        draft: draft.body,
        blanks: [...draft.blanks],
        ...(draft.variants.length > 0 && { variants: terse(draft) }),
      },
    ];
  });
};

/** The phases whose artifacts cite sources of the repository. */
const reading: readonly string[] = ['agent_1_frame', 'agent_2_compile', 'agent_2_revise', 'agent_4_execute'];

/**
 * The brief of a run that works in a phase: what to do, the body to fill, the blanks, the rules, and what else is
 * accepted. A function of snapshot and record; it adds nothing to authority (guidance section 1).
 */
export const briefOf = (stand: Stand): Brief => {
  const { run, record } = stand;
  const required = phaseTable[run.phase].accepts[0] ?? 'ClarificationRequest';
  // The controller itself writes the manifest; a host calls the grounding.
  const draft = required === 'ContextManifest' ? null : drafts[required](stand);
  return {
    task: taskOf(stand),
    draft: draft?.body ?? null,
    blanks: [...(draft?.blanks ?? [])],
    variants: draft ? terse(draft) : [],
    sourceRefs: [...new Set([...run.lineage, ...(draft?.sourceRefs ?? [])])],
    rules: [...rulesShown(stand, draft ? required : 'ClarificationRequest')],
    sources: reading.includes(run.phase) ? [...sourcesOf(record)] : [],
    permitted: permittedIn(stand),
    alternatives: alternativesOf(stand, draft),
  };
};
