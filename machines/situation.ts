import { executes } from '../schemas/vocabulary.ts';
import type { RunContext } from './context.ts';
import { exitOf, sent } from './events.ts';

/** The named facts that rows route by. */
export interface Situation {
  /** How the phase ended, or what the event decides. */
  readonly exit: string;
  readonly micro: boolean;
  readonly standard: boolean;
  readonly forensic: boolean;
  /** The mode visits `execute`. */
  readonly executes: boolean;
  /** A prompt revision is left. */
  readonly revisable: boolean;
  /** The user was asked already. */
  readonly asked: boolean;
  /** The phase that ended, or that stands, is the second look at the evidence. */
  readonly reverifying: boolean;
  /** Nodes of the plan remain after this result. */
  readonly nodesRemain: boolean;
  /** A claim rests on the user's word alone. */
  readonly userReported: boolean;
  /** The run was blocked before an audit could be written. */
  readonly stopped: boolean;
}

/** Reads the facts of one event at one state of the run. */
export const situationOf = (run: RunContext, event: Readonly<{ type: string }>): Situation => {
  const asked = sent(event);
  const facts = asked && 'case' in asked ? asked.case.facts : {};
  const chosen = asked?.type === 'user.answer' ? run.choices.find(({ id }) => id === asked.answer) : undefined;
  return {
    exit: exitOf(event) ?? chosen?.effect ?? facts.decision ?? '',
    micro: run.topology === 'micro',
    standard: run.topology === 'standard',
    forensic: run.topology === 'forensic',
    executes: executes(run.mode),
    revisable: run.budgets.revisions > 0,
    asked: run.questions > 0,
    reverifying: run.phase === 'agent_3_evidence_reverify',
    nodesRemain: facts.nodesRemain ?? false,
    userReported: facts.userReported ?? false,
    stopped: run.blockedBy !== null,
  };
};
