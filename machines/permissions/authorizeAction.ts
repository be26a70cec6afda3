import type { DecisionDetail, DecisionReason, PermissionSet } from '../../schemas/permissions.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';
import { canonicalCapability } from './capability.ts';
import { decideTarget, type TargetRequest } from './decideTarget.ts';
import { reaches } from './modes.ts';

/** One of the authorities that must all allow an action. */
export interface Policy {
  readonly name: string;
  judge(request: TargetRequest): DecisionDetail;
}

/** The ceiling of a mode. */
export const modePolicy = (mode: IntentMode): Policy => ({
  name: `intent_mode:${mode}`,
  judge: ({ capability }) => (reaches(mode, capability) ? 'ok' : 'mode_ceiling'),
});

/** The permission set of a plan's node. */
export const nodePolicy = (nodeId: string, permissions: PermissionSet): Policy => ({
  name: `work_node:${nodeId}`,
  judge: (request) => decideTarget(request, permissions),
});

/** The effective set of a run; null when its envelope is missing or unreadable, which permits nothing. */
export const envelopePolicy = (effective: PermissionSet | null): Policy => ({
  name: 'run_envelope',
  judge: (request) => (effective === null ? 'no_envelope' : decideTarget(request, effective)),
});

/** An action as it was asked for or reported; the capability may be any text. */
export type ActionRequest = Omit<TargetRequest, 'capability'> & Readonly<{ capability: string }>;

export interface ActionVerdict {
  readonly allowed: boolean;
  readonly reasonCode: DecisionReason;
  /** Of the first policy that denies; `ok` when all allow. */
  readonly detailCode: DecisionDetail;
  /** Names of all policies that deny, in the order given. */
  readonly deniedBy: readonly string[];
}

/**
 * Judges one action by several policies: each must allow, and none at all denies. An unknown capability is denied before
 * any policy is asked. Rule: admission 16.4.
 */
export const authorizeAction = (policies: readonly Policy[], request: ActionRequest): ActionVerdict => {
  const denied = (
    reasonCode: DecisionReason,
    detailCode: DecisionDetail,
    deniedBy: readonly string[] = [],
  ): ActionVerdict => ({ allowed: false, reasonCode, detailCode, deniedBy });

  const capability = canonicalCapability(request.capability);
  if (capability === null) return denied('capability_not_granted', 'unknown_capability');
  if (policies.length === 0) return denied('no_policy', 'not_granted');
  const against = policies.flatMap((policy) => {
    const detail = policy.judge({ ...request, capability });
    return detail === 'ok' ? [] : [{ name: policy.name, detail }];
  });
  const first = against[0];
  if (first)
    return denied(
      'policy_denied',
      first.detail,
      against.map(({ name }) => name),
    );
  return { allowed: true, reasonCode: 'allowed', detailCode: 'ok', deniedBy: [] };
};
