import type { PermissionDecision } from '../../schemas/artifacts/trace.ts';
import type { DecisionDetail, DecisionReason, PermissionSet } from '../../schemas/permissions.ts';
import type { IntentMode, RecordStatus } from '../../schemas/vocabulary.ts';
import {
  type ActionRequest,
  type ActionVerdict,
  authorizeAction,
  envelopePolicy,
  modePolicy,
  type Policy,
} from './authorizeAction.ts';
import { canonicalCapability } from './capability.ts';
import { effectivePermissions } from './modes.ts';
import { recordedScope } from './recordedScope.ts';

/** What of the run a check is judged by. */
export interface BrokerState {
  readonly mode: IntentMode;
  readonly status: RecordStatus;
  /** The two sets of the run's envelope; null when it is missing or unreadable. */
  readonly authority: Readonly<{ granted: PermissionSet; denied: PermissionSet }> | null;
  /** The reference of the envelope, as the record cites it. */
  readonly envelopeRef: string | null;
  /** `effectivePermissions` of the current next action. */
  readonly phasePermissions: PermissionSet;
  /** Which of the two decides `allowed`: the envelope unless the server or the strict gate says otherwise. */
  readonly scope: 'envelope' | 'action';
}

export interface BrokerDecision {
  readonly allowed: boolean;
  readonly phaseAllowed: boolean;
  readonly reasonCode: DecisionReason;
  readonly detailCode: DecisionDetail;
  readonly summary: string;
  readonly permissionDecision: PermissionDecision;
}

/** Sentences without any text of the request, since they are shown and stored. */
const sentences: Readonly<Record<DecisionDetail, string>> = {
  ok: 'The action is inside the authority of this run.',
  unknown_capability: 'The capability is not in the vocabulary, so nothing can grant it.',
  run_not_running: 'The run is paused or ended and permits nothing.',
  mode_ceiling: 'The mode of this run never permits the capability.',
  no_envelope: 'The authority of this run cannot be read, so nothing is permitted.',
  not_granted: 'The capability was not granted to this run, or it was denied.',
  target_required: 'The capability is checked against a target, and none was given.',
  target_malformed: 'The target could be read in more than one way.',
  path_escape: 'The target lies outside the repository.',
  root_unavailable: 'The repository cannot be read, so no target is known to be inside it.',
  symlink_unresolved: 'A link on the way to the target cannot be resolved.',
  symlink_escape: 'A link on the way to the target leads out of the repository.',
  repository_root: 'The root of the repository is never written or deleted as a whole.',
  protected_path: 'The target is protected; only a scope of exactly its name could open it, and Git data stays closed.',
  scope_mismatch: 'No granted scope covers the target.',
  inspect_target_unknown: 'An inspection is one of six names, and the target is none of them.',
  command_placeholder: 'The command is a placeholder.',
  command_length: 'The command is empty or too long.',
  command_control_character: 'The command holds a control, invisible or non-ASCII blank character.',
  command_whitespace: 'The command begins or ends with a blank.',
  command_confusable: 'The command holds a character that only looks like an ASCII sign.',
  command_compound: 'The command holds a character that a shell could expand or use to join commands.',
  command_unbalanced_quote: 'A quote in the command stays open.',
  command_assignment: 'The command begins with a variable assignment.',
  command_launcher: 'The command starts another program or runs its argument as code.',
  command_not_listed: 'The command equals no entry of the allow-list.',
  host_malformed: 'The host of the target could be read in more than one way.',
  scheme_not_allowed: 'Only http and https targets are permitted.',
  credentials_in_target: 'The target carries credentials.',
  host_not_listed: 'The host equals no listed host; sub-domains are not implied.',
  budget_exhausted: 'The sub-agents that this authority allows are used up, or it allows none at this depth.',
  phase_denied: 'The run could permit this, but its current action does not.',
};

/**
 * Answers a host's question whether it may use a tool now. The order is: unknown capability, run not running, mode
 * ceiling, not granted, target required, target form, protected, scope or list, budget; the first failure decides.
 * `allowed` follows the envelope, in action scope the current action; `phaseAllowed` always the latter. A denial is an
 * answer, never an exception. Rule: permissions section 9, decisions 7.
 */
export const brokerDecision = (request: ActionRequest, state: BrokerState): BrokerDecision => {
  const capability = canonicalCapability(request.capability);
  const verdict = (policy: Policy): ActionVerdict => {
    if (capability !== null && state.status !== 'running')
      return { allowed: false, reasonCode: 'policy_denied', detailCode: 'run_not_running', deniedBy: [policy.name] };
    return authorizeAction([modePolicy(state.mode), policy], request);
  };

  const { authority } = state;
  const byEnvelope = verdict(
    envelopePolicy(authority && effectivePermissions(state.mode, authority.granted, authority.denied)),
  );
  const byPhase = verdict({ ...envelopePolicy(authority && state.phasePermissions), name: 'current_action' });
  const decided = state.scope === 'envelope' ? byEnvelope : inActionScope(byEnvelope, byPhase);
  const summary = sentences[decided.detailCode];
  return {
    allowed: decided.allowed,
    phaseAllowed: byPhase.allowed,
    reasonCode: decided.reasonCode,
    detailCode: decided.detailCode,
    summary,
    permissionDecision: {
      decision: decided.allowed ? 'allow' : 'deny',
      capability: capability ?? recordedName(request.capability),
      scope: recordedScope(request.capability, request.target, request.resolved),
      policyRefs: state.envelopeRef === null ? [] : [state.envelopeRef],
      rationaleSummary: summary,
    },
  };
};

/** What the envelope itself would deny keeps its finer cause. */
const inActionScope = (byEnvelope: ActionVerdict, byPhase: ActionVerdict): ActionVerdict => {
  if (byPhase.allowed) return byPhase;
  return byEnvelope.allowed ? { ...byPhase, detailCode: 'phase_denied' } : byEnvelope;
};

/** The record takes 1 to 255 characters for a capability, and no credential there either. */
const recordedName = (text: string): string => recordedScope('', text).slice(0, 255);
