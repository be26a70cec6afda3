import type { WorkStatus } from '../../schemas/artifacts/execution.ts';
import { ContractDecision } from '../../schemas/artifacts/promptReview.ts';
import { QualityDecision } from '../../schemas/artifacts/quality.ts';
import { AuditDecision } from '../../schemas/artifacts/release.ts';
import { TerminalStatus } from '../../schemas/vocabulary.ts';
import type { Captured } from '../../src/sdk/index.ts';
import type { Move } from '../../src/sdk/scriptedAuthor/move.ts';
import type { Path } from './cover.ts';

/** The ways to end a node short, which the abstract machine holds for one. */
const short: readonly WorkStatus[] = ['failed', 'partial', 'blocked'];

/** The nodes that a plan needs for the results that follow it. */
const nodesFor = (rest: Path): number => {
  const end = rest.indexOf('WorkPlan');
  const own = end < 0 ? rest : rest.slice(0, end);
  return 1 + own.filter((label) => label === 'WorkResult completed-more').length;
};

/** What a label means at one place of a path. */
export interface Place {
  /** The labels that follow. */
  readonly rest: Path;
  readonly version: number;
  /** Does the work of the pending node. */
  carryOut(): Promise<readonly Captured[]>;
}

/** The artifact that a label stands for (run-machine section 17), its decision taken from the label. */
export const moveFor = async (label: string, { rest, version, carryOut }: Place): Promise<Move> => {
  const [type, ...words] = label.split(' ');
  const word = words.at(-1);
  const userReported = word === 'user-reported';
  switch (type) {
    case 'ClarificationRequest':
      // The reason under which an answer may do each of the three things.
      return { type, reason: 'permission_expanding' };
    case 'ProblemFrame':
    case 'TaskContract':
      return { type };
    case 'PromptReview':
      return { type, decision: ContractDecision.parse(word) };
    case 'WorkPlan':
      return { type, nodes: nodesFor(rest) };
    case 'WorkResult': {
      const status = word === 'unsuccessful' ? short[version % short.length] : 'completed';
      return { type, status, captured: await carryOut() };
    }
    case 'QualityReview':
      return { type, decision: QualityDecision.parse(word) };
    case 'ReleaseAudit':
      return userReported ? { type, userReported } : { type, decision: AuditDecision.parse(word) };
    case 'UserReport':
      return userReported ? { type, userReported } : { type, status: TerminalStatus.parse(word) };
    default:
      throw new Error(`There is no artifact for ${label}.`);
  }
};

/** The choice of the scripted author's question that a label of an answer stands for. */
export const choiceFor = (label: string): string => {
  const choices: Readonly<Record<string, string>> = {
    'ANSWER resume': 'go-on',
    'ANSWER cancel': 'stop',
    'ANSWER new_run': 'start-over',
  };
  const choice = choices[label];
  if (choice === undefined) throw new Error(`There is no choice for ${label}.`);
  return choice;
};
