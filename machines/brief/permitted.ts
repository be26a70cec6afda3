import type { Brief } from '../../schemas/brief.ts';
import type { DroppedGrant, PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, actionCapabilities, inspectTargets } from '../../schemas/vocabulary.ts';
import { effectivePermissions, reaches } from '../permissions/modes.ts';
import { capabilitiesOf, entryOf, mentions } from '../permissions/permissionSet.ts';
import { phasePermissions } from '../permissions/phasePermissions.ts';
import { effectiveFor, envelopeOf, pendingNode } from '../rules/derived.ts';
import type { Stand } from './draft.ts';

type Permitted = Brief['permitted'];

/** What a target of the capability may be (permissions sections 6 to 8). */
const targetsOf = (set: PermissionSet, capability: ActionCapability): readonly string[] => {
  if (capability === 'shell.inspect') return inspectTargets;
  if (capability === 'browser.inspect' || capability === 'browser.mutate') return ['an http(s) URL'];
  if (capability === 'external.write') return ['a URL'];
  if (capability === 'subagent.spawn') return [`at most ${set.subagents.maximumChildren} children`];
  const entry = entryOf(set, capability);
  return typeof entry === 'boolean' ? [] : entry;
};

/**
 * The grants of the start that never take effect, as the envelope shows them: what the mode does not reach, and what was
 * denied. Grants that the host does not offer are not stored; the answer of the start alone tells them.
 */
export const droppedGrants = ({ run, record }: Stand): readonly DroppedGrant[] => {
  const authorization = envelopeOf(record)?.body.authorization;
  if (!authorization) return [];
  const { granted, denied } = authorization;
  const effective = effectivePermissions(run.mode, granted, denied);
  return actionCapabilities
    .filter((capability) => mentions(granted, capability) && !mentions(effective, capability))
    .map((capability) => ({ capability, reason: reaches(run.mode, capability) ? 'denied' : 'mode' }));
};

/** Capabilities that a plan counts as possible change whatever they are used for (permissions section 2). */
const doubtful: readonly ActionCapability[] = ['shell.execute', 'subagent.spawn'];

/** What the run may use at most, for the phases that write it into contract, review and plan. */
const authorityText = (authority: readonly ActionCapability[]): string => {
  if (authority.length === 0) return 'The run has no authority at all.';
  const counted = doubtful.filter((capability) => authority.includes(capability));
  const caution =
    counted.length > 0 ? ` ${counted.join(' and ')} count${counted.length > 1 ? '' : 's'} as possible change.` : '';
  return `The run may use at most ${authority.join(', ')}.${caution}`;
};

/** What the user granted and this mode never does: only the user can say what to do about it. */
const droppedText = (stand: Stand): string => {
  const names = droppedGrants(stand).flatMap(({ capability, reason }) => (reason === 'mode' ? [capability] : []));
  return names.length > 0 ? ` ${stand.run.mode} never uses ${names.join(', ')}, though granted: tell the user.` : '';
};

const textOf = (stand: Stand, now: PermissionSet): string => {
  const { run, record } = stand;
  const authority = effectiveFor(record, run.mode);
  switch (run.phase) {
    case 'context_grounding':
      return capabilitiesOf(now).length > 0
        ? `You may read the repository; telic_ground_context selects and stores what the run rests on.${droppedText(stand)}`
        : 'Nothing is read in this mode; telic_ground_context stores an empty selection.';
    case 'agent_4_execute':
      return 'Only this, at these targets; secrets, .git and the like stay closed. In doubt ask telic_check_tool_action.';
    case 'agent_1_frame':
    case 'agent_2_compile':
    case 'agent_2_revise':
    case 'agent_1_review':
    case 'agent_3_plan':
      return `Nothing outside Telic's own tools in this phase. ${authorityText(capabilitiesOf(authority))}`;
    default:
      return "Nothing outside Telic's own tools in this phase: judge by what is stored.";
  }
};

/** What the host may do itself in this phase, in words and as capabilities with their legal targets. */
export const permittedIn = (stand: Stand): Permitted => {
  const { run, record } = stand;
  const now = phasePermissions({
    status: run.status,
    phase: run.phase,
    effective: effectiveFor(record, run.mode),
    node: run.phase === 'agent_4_execute' ? (pendingNode(record)?.permissions ?? null) : null,
  });
  return {
    text: textOf(stand, now),
    capabilities: capabilitiesOf(now).map((capability) => ({ capability, targets: [...targetsOf(now, capability)] })),
    dropped: [...droppedGrants(stand)],
  };
};
