import { parseArguments } from '../../schemas/tools/parse.ts';
import type { ToolName } from '../../schemas/tools.ts';
import type { Controller, GroundOptions } from '../controller/api.ts';
import { type Answer, present } from './present.ts';
import { refuseArguments } from './refuseArguments.ts';
import { tools } from './tools.ts';

/**
 * One tool call: parse, one call of the controller, present. Loaded at the first call, since judging arguments needs
 * the schemas of every artifact, which `initialize` does not.
 *
 * @param controller opened only after the arguments were found right
 * @throws TelicError, LedgerError, GroundingError
 */
export const callTool = async <N extends ToolName>(
  name: N,
  sent: unknown,
  controller: () => Promise<Controller>,
  options: GroundOptions,
): Promise<Answer> => {
  const parsed = parseArguments(name, sent);
  if (!parsed.ok) throw refuseArguments(name, parsed.findings);
  return present(await tools[name].call(await controller(), parsed.args, options));
};
