import type { Author, Product, Work, Write } from '../author.ts';
import { carryOut, standOf } from './acts.ts';
import type { Inspect, MakeChange } from './look.ts';
import { type Move, write } from './move.ts';
import { scenarioSpec } from './scenarioSpec.ts';
import type { Question, Script } from './script.ts';
import { due, type Stand } from './stand.ts';

/** The question that is due here, if the script wants one. */
const questionAt = ({ run, record }: Stand, script: Script): Question | undefined => {
  const next = [script.question, script.furtherQuestion][record.all('ClarificationRequest').length];
  return next?.phase === run.phase ? next : undefined;
};

/**
 * An author that needs no model: it writes legal bodies from the state of the run alone, gathers real evidence through
 * `inspect`, changes a file through `makeChange` where the mode allows it, and decides as the script says. It covers every
 * mode in every topology that it reaches.
 */
export const scriptedAuthor = (inspect: Inspect, script: Script = {}, makeChange: MakeChange | null = null): Author => {
  const { userReported = false } = script;

  const asked = (stand: Stand): Product | null => {
    const question = questionAt(stand, script);
    return question ? write(stand, { type: 'ClarificationRequest', reason: question.reason }) : null;
  };

  /** Asks first where the script says so. */
  const by =
    (decide: (stand: Stand, work: Work) => Move | Promise<Move>): Write =>
    async (work) => {
      const stand = await standOf(work);
      return asked(stand) ?? write(stand, await decide(stand, work));
    };

  return {
    beforeGrounding: async (work) => asked(await standOf(work)),
    ProblemFrame: by(() => ({ type: 'ProblemFrame' })),
    TaskContract: by(async (stand, work) => {
      if (script.scenario && stand.run.phase === 'agent_2_compile' && !stand.record.latest('ScenarioSpec'))
        await work.support({ type: 'ScenarioSpec', body: scenarioSpec(stand) });
      return { type: 'TaskContract' };
    }),
    PromptReview: by(({ record }) => ({
      type: 'PromptReview',
      decision: due(script.review, record.all('PromptReview').length),
    })),
    WorkPlan: by(() => ({ type: 'WorkPlan', ...(script.plan === 'one' && { nodes: 1 }) })),
    WorkResult: by(async ({ record }, work) => ({
      type: 'WorkResult',
      status: due(script.result, record.all('WorkResult').length),
      captured: await carryOut(work, inspect, makeChange),
    })),
    QualityReview: by(({ record }) => ({
      type: 'QualityReview',
      decision: due(script.quality, record.all('QualityReview').length),
    })),
    ReleaseAudit: by(({ record }) => ({
      type: 'ReleaseAudit',
      decision: due(script.audit, record.all('ReleaseAudit').length),
      userReported,
    })),
    UserReport: by(() => ({ type: 'UserReport', status: script.report, userReported })),
  };
};
