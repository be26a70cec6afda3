import type { ClarificationReason } from '../../../schemas/artifacts/clarification.ts';
import type { WorkStatus } from '../../../schemas/artifacts/execution.ts';
import type { ContractDecision } from '../../../schemas/artifacts/promptReview.ts';
import type { QualityDecision } from '../../../schemas/artifacts/quality.ts';
import type { AuditDecision } from '../../../schemas/artifacts/release.ts';
import type { RecordPhase, TerminalStatus } from '../../../schemas/vocabulary.ts';

export type Question = Readonly<{ phase: RecordPhase; reason: ClarificationReason }>;

/**
 * What the author decides where the run leaves a choice. A list gives the first decision, the second, and so on; what it
 * does not say follows from the run: go on while all is well, and never claim more than the record supports.
 */
export interface Script {
  readonly review?: readonly ContractDecision[];
  readonly result?: readonly WorkStatus[];
  readonly quality?: readonly QualityDecision[];
  readonly audit?: readonly AuditDecision[];
  readonly report?: TerminalStatus;
  /** `one`: a single node; otherwise one node for each criterion, each after the one before it. */
  readonly plan?: 'one' | 'chain';
  /** Adds the retelling that may stand between frame and contract. */
  readonly scenario?: boolean;
  /** Asks the user in this phase, once. */
  readonly question?: Question;
  /** Asks again in this phase; a run shows one question only, so that this one ends it blocked. */
  readonly furtherQuestion?: Question;
  /** Makes, wherever claims are made, one more that rests on the user's word alone: the run moves up to the next topology. */
  readonly userReported?: boolean;
}
