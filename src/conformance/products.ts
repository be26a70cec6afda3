import { uriOf } from '../../machines/record.ts';
import { pendingNode } from '../../machines/rules/derived.ts';
import { WorkStatus } from '../../schemas/artifacts/execution.ts';
import { ContractDecision } from '../../schemas/artifacts/promptReview.ts';
import { QualityDecision } from '../../schemas/artifacts/quality.ts';
import { AuditDecision } from '../../schemas/artifacts/release.ts';
import { TerminalStatus } from '../../schemas/vocabulary.ts';
import type { Product } from '../sdk/author.ts';
import { evidence } from '../sdk/scriptedAuthor/evidence.ts';
import type { Captured } from '../sdk/scriptedAuthor/look.ts';
import { type Move, write } from '../sdk/scriptedAuthor/move.ts';
import { scenarioSpec } from '../sdk/scriptedAuthor/scenarioSpec.ts';
import type { Stand } from '../sdk/scriptedAuthor/stand.ts';
import { type Act, actsFor } from './acts.ts';
import { type Model, runOf } from './model.ts';

/** A body for each label of the machine's graph, written from the state of the run alone. */

const standOf = (model: Model): Stand => ({ run: runOf(model), record: model.record });

/** The acts of the pending node, each with its evidence once that is stored. */
const actsNow = (model: Model): readonly Readonly<{ act: Act; ref: string | null; finding: string }>[] => {
  const { record } = model;
  const after = Math.max(
    ...[record.latest('WorkPlan'), record.latest('WorkResult')].map((one) => (one ? record.indexOf(one.id) : -1)),
  );
  const fresh = record.all('Evidence').filter(({ id }) => record.indexOf(id) > after);
  return actsFor(standOf(model)).map((act) => {
    const stored = fresh.find(({ body }) => body.kind === act.look.kind && body.content === act.look.content);
    return { act, ref: stored ? uriOf(stored) : null, finding: act.look.finding };
  });
};

/** Whether the run waits for the result of a node. */
const awaitsResult = ({ snapshot: { context }, record }: Model): boolean =>
  context.status === 'running' && context.phase === 'agent_4_execute' && pendingNode(record) !== null;

/** The next piece of evidence that the pending node lacks; null when all is captured. */
export const lackingEvidence = (model: Model): Product | null => {
  if (!awaitsResult(model)) return null;
  const missing = actsNow(model).find(({ ref }) => ref === null);
  return missing ? { type: 'Evidence', body: evidence(standOf(model), missing.act.look) } : null;
};

/** Evidence that nobody asked for: legal as long as a node is executed. */
export const moreEvidence = (model: Model): Product | null => {
  const [any] = awaitsResult(model) ? actsNow(model) : [];
  if (!any) return null;
  const content = `${any.act.look.content}Looked at once more.\n`;
  return { type: 'Evidence', body: evidence(standOf(model), { ...any.act.look, content }) };
};

/** The retelling that may stand between frame and contract. */
export const scenario = (model: Model): Product | null =>
  model.record.latest('ProblemFrame') ? { type: 'ScenarioSpec', body: scenarioSpec(standOf(model)) } : null;

const captured = (model: Model): readonly Captured[] =>
  actsNow(model).flatMap(({ act: { look, change }, ref, finding }) =>
    ref === null
      ? []
      : [{ capability: look.capability, target: look.target, finding, evidenceRef: ref, ...(change && { change }) }],
  );

/** One of the three ways to end a node short, by turns. */
const short: readonly WorkStatus[] = ['failed', 'partial', 'blocked'];

const moveFor = (model: Model, label: string, nodes: number): Move => {
  const [type, ...words] = label.split(' ');
  const word = words.at(-1);
  const userReported = word === 'user-reported';
  switch (type) {
    case 'ClarificationRequest':
      return { type, reason: 'permission_expanding' };
    case 'ProblemFrame':
    case 'TaskContract':
      return { type };
    case 'PromptReview':
      return { type, decision: ContractDecision.parse(word) };
    case 'WorkPlan':
      return { type, nodes };
    case 'WorkResult': {
      const status = word === 'unsuccessful' ? short[runOf(model).version % short.length] : 'completed';
      return { type, status: WorkStatus.parse(status), captured: captured(model) };
    }
    case 'QualityReview':
      return { type, decision: QualityDecision.parse(word) };
    case 'ReleaseAudit':
      return userReported ? { type, userReported } : { type, decision: AuditDecision.parse(word) };
    case 'UserReport':
      return userReported ? { type, userReported } : { type, status: TerminalStatus.parse(word) };
    default:
      throw new Error(`No artifact stands for ${label}.`);
  }
};

/**
 * The artifact that a label stands for, as legal as the state lets it be; whether the run takes it is the machine's word.
 *
 * @param nodes of a plan: at most so many for its criteria, and more that look again
 */
export const productFor = (model: Model, label: string, nodes = 1): Product =>
  write(standOf(model), moveFor(model, label, nodes));
