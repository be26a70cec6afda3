/** One line a guard, a fact of `when`, and an action: what the names in the pictures mean. */
export const guardLines: ReadonlyMap<string, string> = new Map([
  ['stale', 'The token is not the one of the current version.'],
  ['controllerOwned', 'The type is one that only the controller writes.'],
  ['breaksSchema', 'The body does not fit the schema of its type.'],
  ['breaksCommonRule', 'It breaks a rule that holds for every artifact: ids, references, lineage, limits.'],
  ['breaksRule', 'It breaks a rule of its own type.'],
  ['unknownChoice', 'The answer names no choice of the open question.'],
  ['recordFull', 'What is left of the trace is kept for events that move the run.'],
  ['when', 'The facts beside the arrow hold. In the pictures only the facts are written.'],
]);

export const factLines: ReadonlyMap<string, string> = new Map([
  ['exit', 'How the phase ended, or what the artifact decides; written as its bare value, `pass`.'],
  ['micro', 'The topology is micro.'],
  ['standard', 'The topology is standard.'],
  ['forensic', 'The topology is forensic.'],
  ['executes', 'The mode visits `execute`: all but report_only and plan_only.'],
  ['revisable', 'A revision of the contract is left.'],
  ['asked', 'The user was asked already.'],
  ['reverifying', 'The state that stands or ended is the second look at the evidence.'],
  ['nodesRemain', 'Nodes of the plan are left after this result.'],
  ['userReported', 'A claim rests on the word of the user alone.'],
  ['stopped', 'The run was blocked before an audit could be written.'],
]);

export const actionLines: ReadonlyMap<string, string> = new Map([
  ['refuse', 'Stays put; hands the code and all findings to the caller.'],
  ['record', 'Hands the artifacts and trace entries to the controller, which stores them in one commit.'],
  ['moved', 'Tells the caller that the run escalated instead of storing the artifact.'],
  ['ended', 'Tells the caller that the run had ended before: nothing to write.'],
  ['step', 'Raises the version by one.'],
  ['note', 'Keeps what later guards need of the artifact: its id, its decision.'],
  ['ask', 'Opens the question and remembers the paused phase.'],
  ['answered', 'Closes the question; question and answer must be cited by the next artifact.'],
  ['enter', 'Writes the phase into the record.'],
  ['close', 'Writes the final status into the record.'],
  ['spend', 'Takes one from the budget that is named.'],
  ['settle', 'Sets what the report may at best claim.'],
  ['settleByReview', 'Sets it from the latest review: partial or blocked; a pass leaves it.'],
  ['block', 'Only a blocked report is left, and why.'],
  ['lift', 'Raises the topology.'],
  ['setGate', 'Says how far the fix of an analysis is unlocked.'],
  ['planned', 'A new plan: none of its nodes is done; an issued fix gate is unlocked.'],
  ['packed', 'The contract and plan of a micro run were stored with its frame.'],
  ['executed', 'Says whether all nodes of the plan are completed.'],
]);
