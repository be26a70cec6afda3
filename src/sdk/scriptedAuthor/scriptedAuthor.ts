import { pendingNode } from '../../../machines/rules/derived.ts';
import { VerificationCapability } from '../../../schemas/vocabulary.ts';
import type { Author, Product, Work, Write } from '../author.ts';
import { clarificationRequest } from './clarificationRequest.ts';
import { evidence } from './evidence.ts';
import type { Captured, Inspect } from './look.ts';
import { problemFrame } from './problemFrame.ts';
import { promptReview } from './promptReview.ts';
import { qualityReview } from './qualityReview.ts';
import { releaseAudit } from './releaseAudit.ts';
import { scenarioSpec } from './scenarioSpec.ts';
import type { Script } from './script.ts';
import { answeredQuestion, type Stand } from './stand.ts';
import { taskContract } from './taskContract.ts';
import { userReport } from './userReport.ts';
import { workPlan } from './workPlan.ts';
import { workResult } from './workResult.ts';

const standOf = async ({ run, reader }: Work): Promise<Stand> => ({ run, record: await reader.record() });

/** Looks where the node may, captures what was seen, and gives the references. */
const capture = async (work: Work, inspect: Inspect): Promise<readonly Captured[]> => {
  const captured: Captured[] = [];
  const node = pendingNode((await standOf(work)).record);
  for (const capability of node?.requiredCapabilities ?? []) {
    const wanted = VerificationCapability.safeParse(capability);
    if (!wanted.success) throw new Error(`This author cannot use ${capability}.`);
    for (const look of await inspect(wanted.data, await standOf(work), work.reader)) {
      const body = evidence(await standOf(work), look);
      const evidenceRef = await work.support({ type: 'Evidence', body });
      captured.push({ capability: look.capability, target: look.target, finding: body.summary, evidenceRef });
    }
  }
  return captured;
};

/**
 * An author that needs no model: it writes legal bodies from the state of the run alone, gathers real evidence through
 * `inspect`, and decides as the script says. It covers `report_only`, `plan_only` and `analyze_only` in every topology
 * that they reach.
 */
export const scriptedAuthor = (inspect: Inspect, script: Script = {}): Author => {
  const asks = ({ run, record }: Stand): boolean =>
    script.question?.phase === run.phase && record.all('ClarificationRequest').length === 0;

  /** Asks first where the script says so; cites an answered question. */
  const by =
    (write: (stand: Stand, work: Work) => Product | Promise<Product>): Write =>
    async (work) => {
      const stand = await standOf(work);
      if (script.question && asks(stand))
        return { type: 'ClarificationRequest', body: clarificationRequest(stand, script.question.reason) };
      const product = await write(stand, work);
      return { ...product, sourceRefs: [...(product.sourceRefs ?? []), ...answeredQuestion(stand)] };
    };

  return {
    ProblemFrame: by((stand) => ({ type: 'ProblemFrame', body: problemFrame(stand) })),
    TaskContract: by(async (stand, work) => {
      if (script.scenario && stand.run.phase === 'agent_2_compile' && !stand.record.latest('ScenarioSpec'))
        await work.support({ type: 'ScenarioSpec', body: scenarioSpec(stand) });
      return taskContract(stand);
    }),
    PromptReview: by((stand) => ({ type: 'PromptReview', body: promptReview(stand, script) })),
    WorkPlan: by((stand) => ({ type: 'WorkPlan', body: workPlan(stand, script) })),
    WorkResult: by(async (_, work) => {
      const captured = await capture(work, inspect);
      return { type: 'WorkResult', body: workResult(await standOf(work), script, captured) };
    }),
    QualityReview: by((stand) => ({ type: 'QualityReview', body: qualityReview(stand, script) })),
    ReleaseAudit: by((stand) => ({ type: 'ReleaseAudit', body: releaseAudit(stand, script) })),
    UserReport: by((stand) => ({ type: 'UserReport', body: userReport(stand, script) })),
  };
};
