import type { PermissionSet } from '../../schemas/permissions.ts';
import type { ActionCapability, IntentMode } from '../../schemas/vocabulary.ts';
import { keepCapabilities, mentions } from './permissionSet.ts';

interface ModeRow {
  /** May ever be effective. */
  readonly ceiling: readonly ActionCapability[];
  /** Granted when the start names no grant. */
  readonly byDefault: readonly ActionCapability[];
}

const analysis = [
  'repository.read',
  'shell.inspect',
  'runtime.inspect',
  'browser.inspect',
  'network.read',
  'subagent.spawn',
] as const;

const fix = [
  'repository.read',
  'repository.write',
  'repository.delete',
  'shell.inspect',
  'shell.execute',
  'runtime.inspect',
  'subagent.spawn',
] as const;

const fixByDefault = ['repository.read', 'repository.write', 'shell.inspect', 'runtime.inspect'] as const;

/** The table of permissions section 4. No mode reaches `runtime.restart`, `browser.mutate` or `external.write`. */
const modeTable: Readonly<Record<IntentMode, ModeRow>> = {
  report_only: { ceiling: [], byDefault: [] },
  plan_only: { ceiling: ['repository.read', 'subagent.spawn'], byDefault: ['repository.read'] },
  analyze_only: {
    ceiling: analysis,
    byDefault: ['repository.read', 'shell.inspect', 'runtime.inspect', 'browser.inspect'],
  },
  fix_only: { ceiling: fix, byDefault: fixByDefault },
  analyze_and_fix: { ceiling: [...new Set([...analysis, ...fix])], byDefault: fixByDefault },
};

/** The capabilities that may ever be effective in a mode. */
export const modeCeiling = (mode: IntentMode): readonly ActionCapability[] => modeTable[mode].ceiling;

/** What a mode grants when the start names no grant. */
export const defaultGrant = (mode: IntentMode): readonly ActionCapability[] => modeTable[mode].byDefault;

/** Whether a mode may ever use a capability. */
export const reaches = (mode: IntentMode, capability: ActionCapability): boolean =>
  modeTable[mode].ceiling.includes(capability);

/** A denial counts as soon as anything of the capability is denied, counts without the flag included. */
const denies = (denied: PermissionSet, capability: ActionCapability): boolean =>
  mentions(denied, capability) ||
  (capability === 'subagent.spawn' && (denied.subagents.maximumChildren > 0 || denied.subagents.maximumDepth > 0));

/**
 * EFF: the granted entries whose capability the mode reaches and of which nothing is denied, unchanged; all else empty.
 * A denied scope takes the whole capability away. Rules: permissions section 4, admission 16.2.
 */
export const effectivePermissions = (mode: IntentMode, granted: PermissionSet, denied: PermissionSet): PermissionSet =>
  keepCapabilities(granted, (capability) => reaches(mode, capability) && !denies(denied, capability));
