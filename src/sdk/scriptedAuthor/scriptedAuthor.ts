import { pendingNode } from '../../../machines/rules/derived.ts';
import { VerificationCapability } from '../../../schemas/vocabulary.ts';
import type { Author, Product, Work, Write } from '../author.ts';
import { clarificationRequest } from './clarificationRequest.ts';
import { evidence } from './evidence.ts';
import type { Captured, Change, Inspect, Look, MakeChange } from './look.ts';
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

/** Stores what an act gave. */
const keep = async (work: Work, look: Look, change?: Change): Promise<Captured> => {
  const body = evidence(await standOf(work), look);
  const evidenceRef = await work.support({ type: 'Evidence', body });
  const { capability, target } = look;
  return { capability, target, finding: body.summary, evidenceRef, ...(change && { change }) };
};

/** Does what the node requires, captures what was seen, and gives the references. */
const carryOut = async (work: Work, inspect: Inspect, makeChange: MakeChange | null): Promise<readonly Captured[]> => {
  const required = pendingNode((await standOf(work)).record)?.requiredCapabilities ?? [];
  if (required.includes('repository.write')) {
    if (!makeChange) throw new Error('This author was given nothing that it could change.');
    const { change, written, readBack } = await makeChange(await standOf(work));
    // Read after the change: what was seen before it verifies nothing.
    return [await keep(work, written, change), await keep(work, readBack)];
  }
  const captured: Captured[] = [];
  for (const capability of required)
    for (const look of await inspect(VerificationCapability.parse(capability), await standOf(work), work.reader))
      captured.push(await keep(work, look));
  return captured;
};

/**
 * An author that needs no model: it writes legal bodies from the state of the run alone, gathers real evidence through
 * `inspect`, changes a file through `makeChange` where the mode allows it, and decides as the script says. It covers every
 * mode in every topology that it reaches.
 */
export const scriptedAuthor = (inspect: Inspect, script: Script = {}, makeChange: MakeChange | null = null): Author => {
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
      const captured = await carryOut(work, inspect, makeChange);
      return { type: 'WorkResult', body: workResult(await standOf(work), script, captured) };
    }),
    QualityReview: by((stand) => ({ type: 'QualityReview', body: qualityReview(stand, script) })),
    ReleaseAudit: by((stand) => ({ type: 'ReleaseAudit', body: releaseAudit(stand, script) })),
    UserReport: by((stand) => ({ type: 'UserReport', body: userReport(stand, script) })),
  };
};
