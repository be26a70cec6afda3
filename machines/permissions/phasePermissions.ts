import type { PermissionSet } from '../../schemas/permissions.ts';
import type { RecordPhase, RecordStatus } from '../../schemas/vocabulary.ts';
import { emptyPermissions, keepCapabilities } from './permissionSet.ts';
import { subset } from './subset.ts';

/**
 * What the current action permits: reading in context grounding, the pending node's own set in execution as long as it
 * is inside the run's, nothing elsewhere, paused or ended. Rules: permissions sections 4 and 9, run-machine section 11.
 */
export const phasePermissions = ({
  status,
  phase,
  effective,
  node,
}: Readonly<{
  status: RecordStatus;
  phase: RecordPhase;
  effective: PermissionSet;
  node: PermissionSet | null;
}>): PermissionSet => {
  if (status !== 'running') return emptyPermissions();
  if (phase === 'context_grounding')
    return keepCapabilities(effective, (capability) => capability === 'repository.read');
  return phase === 'agent_4_execute' && node !== null && subset(node, effective) ? node : emptyPermissions();
};
