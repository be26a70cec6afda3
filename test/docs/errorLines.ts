import type { FailureCode, FailureKind } from '../../schemas/failure.ts';

/** One line a kind: whether trying again can help. */
export const kindLines = {
  bad_input: 'Correct the call or the body, then send it again with the same token.',
  refused: 'Nothing was stored. Do what the findings say, then send it again with the same token.',
  stale: 'Refresh the action, decide again whether the step is still wanted, and use the new token.',
  denied: 'Trying again does not help: the authority of a run never grows.',
  not_found: 'Trying again does not help: look the id up first.',
  conflict: 'Choose another id.',
  limit: 'Trying again does not help: finish the run within its limits, or end it.',
  moved: 'The run went on without storing the artifact. Fetch the next action.',
  corrupt: 'Trying again does not help: an operator has to look at the ledger.',
  unavailable: 'Trying again helps once the cause that is named has been removed.',
  internal: 'A defect of Telic. The id in the answer is also on standard error.',
} as const satisfies Record<FailureKind, string>;

/** One line a code: what happened. */
export const codeLines = {
  invalid_arguments: 'The arguments of the call do not fit the tool.',
  invalid_body: 'The body does not fit the schema of its type; every misfit is listed by its path.',
  stale_version: 'The run has moved past the version that the call names.',
  stale_action: 'The action id is not the one of the current version.',
  run_not_found: 'No run of this repository has this id.',
  artifact_not_found: 'The run holds no artifact with this id.',
  run_terminal: 'The run has ended and takes nothing more.',
  wrong_phase: 'The run is in a phase that does not take this, or it is paused for an answer.',
  wrong_type: 'The type is not one that this phase takes.',
  controller_owned: 'Only Telic writes artifacts of this type.',
  reference_invalid: 'A reference names nothing that exists, or something that may not be cited there.',
  permission_exceeded: 'The artifact asks for more authority than the run has.',
  secret_detected: 'The content looks like a secret, which the ledger must not keep.',
  clarification_invalid: 'The question, or the answer to it, cannot be taken.',
  not_awaiting_clarification: 'An answer came while no question is open.',
  infeasible: 'The artifact promises what the rest of the run could not carry out.',
  rule_broken: 'The body has the right shape and says something that a rule forbids.',
  permission_denied: 'The result reports an action that the run did not permit; the denial is in the trace.',
  id_taken: 'Another artifact has this id already.',
  quota_exceeded: 'A limit of the run is reached.',
  run_escalated: 'The artifact showed that the run needs more control: its topology rose, the artifact was not stored.',
  integrity_failed: 'Something stored is not what was written.',
  incompatible: 'The run was written by another version of the machine: it can be read, not moved.',
  state_unavailable: 'The state directory or the ledger in it cannot be used; the sentence says why.',
  repository_not_configured: 'There is no repository to work on; TELIC_REPOSITORY_ROOT names one.',
  internal: 'Something happened that must not happen.',
} as const satisfies Record<FailureCode, string>;
