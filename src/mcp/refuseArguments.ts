import type { FailureCode, Finding } from '../../schemas/failure.ts';
import type { ToolName } from '../../schemas/tools.ts';
import { TelicError } from '../controller/telicError.ts';

/** A call whose arguments are wrong, as the one failure shape: nothing was looked at but the call itself. */
export const refuseArguments = (
  tool: ToolName,
  findings: readonly Finding[],
  code: FailureCode = 'invalid_arguments',
): TelicError => {
  const first = findings[0]?.message ?? 'the arguments are wrong';
  const sentence =
    findings.length > 1 ? `${tool} has ${findings.length} wrong arguments; first: ${first}` : `${tool}: ${first}`;
  return new TelicError(code, sentence, {
    findings,
    nextSteps: [`Mend what issues names and call ${tool} again; this call changed nothing.`],
  });
};
