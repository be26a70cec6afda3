import { parseArguments } from '../../schemas/tools/parse.ts';
import type { ToolName } from '../../schemas/tools.ts';
import type { Controller, GroundOptions, Stepped } from '../controller/api.ts';
import type { ArtifactMeta } from '../ledger/ledger.ts';
import type { AskPorts } from './elicitation/askUser.ts';
import { type Answer, type Facts, present } from './present.ts';
import { refuseArguments } from './refuseArguments.ts';
import { tools } from './tools.ts';

export interface CallOptions extends GroundOptions {
  /** The way to the user, where the client shows forms. */
  readonly ask?: AskPorts | null;
}

export interface Called {
  readonly answer: Answer;
  /** The artifacts that the call stored. */
  readonly stored: readonly ArtifactMeta[];
}

const isStepped = (facts: Facts): facts is Facts & Stepped =>
  facts.run !== undefined && facts.nextAction !== undefined && facts.stored !== undefined;

/** A question that the host just handed in goes to the user at once where the client can show it (guidance section 5). */
const asked = async (facts: Facts, controller: Controller, { ask = null }: CallOptions): Promise<Facts> => {
  if (!ask || !isStepped(facts) || facts.nextAction.kind !== 'clarification') return facts;
  const { askUser } = await import('./elicitation/askUser.ts');
  return { ...(await askUser(facts, controller, ask)) };
};

/**
 * One tool call: parse, one call of the controller, present. Loaded at the first call, since judging arguments needs
 * the schemas of every artifact, which `initialize` does not.
 *
 * @param open gives the controller; asked only after the arguments were found right
 * @throws TelicError, LedgerError, GroundingError
 */
export const callTool = async <N extends ToolName>(
  name: N,
  sent: unknown,
  open: () => Promise<Controller>,
  options: CallOptions,
): Promise<Called> => {
  const parsed = parseArguments(name, sent);
  if (!parsed.ok) throw refuseArguments(name, parsed.findings);
  const controller = await open();
  const facts = await tools[name].call(controller, parsed.args, options);
  const { stored = [], ...told } = name === 'telic_submit_artifact' ? await asked(facts, controller, options) : facts;
  return { answer: present(told), stored };
};
