import { phaseTable } from '../../schemas/vocabulary.ts';
import type { RunContext } from '../context.ts';

/** Where a role has a text of its own for one topology: the short frame, the spot check, the second look at evidence. */
const variantOf = ({ phase, topology }: Pick<RunContext, 'phase' | 'topology'>): string => {
  if (topology === 'micro' && phase === 'agent_1_frame') return '-micro';
  if (topology === 'micro' && phase === 'agent_3_review') return '-spot';
  if (topology === 'forensic' && phase === 'agent_3_evidence_reverify') return '-reverify';
  return '';
};

/** The name of the role's instruction in this phase: `artifact://system/roles/<role>[-variant]-v1` (run-machine section 2). */
export const instructionRefOf = (run: Pick<RunContext, 'phase' | 'topology'>): string =>
  `artifact://system/roles/${phaseTable[run.phase].role}${variantOf(run)}-v1`;
