import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { authorize, subagentBudgets } from '../../machines/permissions/authorize.ts';
import { type BrokerDecision, type BrokerState, brokerDecision } from '../../machines/permissions/brokerDecision.ts';
import { canonicalCapability } from '../../machines/permissions/capability.ts';
import { entryFault } from '../../machines/permissions/command.ts';
import { normalizeHost } from '../../machines/permissions/host.ts';
import { defaultGrant, effectivePermissions, modeCeiling } from '../../machines/permissions/modes.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { phasePermissions } from '../../machines/permissions/phasePermissions.ts';
import { recordedScope } from '../../machines/permissions/recordedScope.ts';
import { subset } from '../../machines/permissions/subset.ts';
import { decisionDetails, decisionReasons } from '../../schemas/permissions.ts';
import { actionCapabilities, inspectTargets, intentModes, phaseTable } from '../../schemas/vocabulary.ts';
import { resolveTarget } from '../../src/targets/resolveTarget.ts';
import { buildFixture, rootMark, rows } from './rows.ts';

const { folder, root } = buildFixture();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Request = Readonly<{ capability: string; target?: string | undefined }>;
type Context = Readonly<{ childrenUsed?: number | undefined; depth?: number | undefined }>;

/** As a check is answered: the disk step first, then the pure decision. */
const ask = (request: Request, state: BrokerState, context: Context = {}): BrokerDecision => {
  const target = request.target?.replaceAll(rootMark, root);
  const onDisk = target !== undefined && canonicalCapability(request.capability)?.startsWith('repository.');
  const resolved = onDisk ? resolveTarget(root, target) : null;
  return brokerDecision({ capability: request.capability, target, resolved, ...context }, state);
};

const sorted = (list: readonly string[]): readonly string[] => [...list].sort();

describe('the vocabulary', () => {
  it('has exactly the words of the rows', () => {
    expect(actionCapabilities).toEqual(rows.capabilities);
    expect(inspectTargets).toEqual(rows.inspectTargets);
    expect(decisionReasons).toEqual(rows.reasonCodes);
    expect(sorted(decisionDetails)).toEqual(sorted(rows.detailCodes));
  });

  it.each(intentModes)('gives %s the ceiling and the default grant of the rows', (mode) => {
    expect(sorted(modeCeiling(mode))).toEqual(sorted(rows.modeCeilings[mode]));
    expect(sorted(defaultGrant(mode))).toEqual(sorted(rows.defaultGrants[mode]));
  });
});

describe('a target decision', () => {
  it.each(rows.decide.map((row) => [row.id, row] as const))('answers row %s', (_id, row) => {
    const decision = ask(
      row.request,
      {
        mode: row.mode,
        status: row.context.runStatus ?? 'running',
        authority: { granted: row.permissions, denied: emptyPermissions() },
        envelopeRef: 'artifact://run-1/run-1',
        phasePermissions: row.permissions,
        scope: 'envelope',
      },
      { childrenUsed: row.context.childrenUsed, depth: row.context.depth },
    );
    const { allowed, reasonCode, detailCode } = decision;
    expect({ allowed, reasonCode, detailCode }).toEqual(row.expect);
    expect(decision.permissionDecision.decision).toBe(row.expect.allowed ? 'allow' : 'deny');
  });
});

describe('a list entry', () => {
  it.each(rows.hostEntries.map((row) => [row.id, row] as const))('of hosts is canonical as row %s says', (_id, row) => {
    expect(normalizeHost(row.input)).toBe(row.expect);
  });

  it.each(rows.commandEntries.map((row) => [row.id, row] as const))(
    'of commands is judged as row %s says',
    (_id, row) => {
      const fault = entryFault(row.input);
      expect({ valid: fault === null, detailCode: fault ?? 'ok' }).toEqual(row.expect);
    },
  );
});

describe('the algebra', () => {
  it.each(rows.subset.map((row) => [row.id, row] as const))('relates the sets of row %s', (_id, row) => {
    expect(subset(row.requested, row.allowed)).toBe(row.expect);
  });

  it.each(rows.intersect.map((row) => [row.id, row] as const))('intersects as row %s says', (_id, row) => {
    expect(effectivePermissions(row.mode, row.granted, row.denied)).toEqual(row.expectEffective);
  });
});

describe('the authority of a start', () => {
  // A blank request is ADM-START-01, no matter of permissions.
  const ours = rows.startRun.filter((row) => row.arguments.original_request === undefined);

  it('is what all start rows but the blank request are about', () => {
    expect(rows.startRun.length - ours.length).toBe(1);
  });

  it.each(ours.map((row) => [row.id, row.name, row] as const))('follows row %s: %s', (_id, _name, row) => {
    const given = row.arguments;
    const commands = given.shell_execute_allowlist;
    const result = authorize({
      mode: given.mode,
      hostCapabilities: given.host_capabilities === 'ALL' ? actionCapabilities : given.host_capabilities,
      granted: given.authorization_granted,
      denied: given.authorization_denied,
      commands:
        typeof commands === 'string' ? Array.from({ length: 257 }, (_, index) => `npm run t${index}`) : commands,
      hosts: given.network_read_domains,
    });
    expect(result.ok).toBe(row.expect.ok);
    if (!result.ok || !row.expect.ok) return;
    expect(result.granted).toEqual(row.expect.granted);
    expect(result.denied).toEqual(row.expect.denied);
    expect(effectivePermissions(given.mode, result.granted, result.denied)).toEqual(row.expect.effective);
    expect(subagentBudgets(given.native_subagents ?? 'unknown')).toEqual(row.expect.budgets);
  });
});

describe('the current action', () => {
  it.each(rows.phase.map((row) => [row.id, row] as const))('permits what row %s says', (_id, row) => {
    const phase = Object.values(phaseTable).find(({ wire }) => wire === row.phase)?.record;
    if (phase === undefined) throw new Error(`no phase is called ${row.phase}`);
    const effective = effectivePermissions(row.mode, row.runPermissions, emptyPermissions());
    const state = (scope: BrokerState['scope']): BrokerState => ({
      mode: row.mode,
      status: 'running',
      authority: { granted: row.runPermissions, denied: emptyPermissions() },
      envelopeRef: null,
      phasePermissions: phasePermissions({ status: 'running', phase, effective, node: row.nodePermissions ?? null }),
      scope,
    });
    const byEnvelope = ask(row.request, state('envelope'));
    const byAction = ask(row.request, state('action'));
    expect(byEnvelope.allowed).toBe(row.expect.envelopeScope.allowed);
    expect(byEnvelope.phaseAllowed).toBe(row.expect.actionScope.allowed);
    expect({ allowed: byAction.allowed, detailCode: byAction.detailCode }).toEqual(row.expect.actionScope);
  });
});

describe('the recorded scope', () => {
  it.each(rows.recordedScope.map((row) => [row.id, row] as const))('is kept as row %s says', (_id, row) => {
    const target = row.targetLength === undefined ? row.target : 'x'.repeat(row.targetLength);
    const scope = recordedScope(row.capability, target);
    if (row.scope !== undefined) expect(scope).toBe(row.scope);
    if (row.scopeMaxLength !== undefined) expect(scope).toBe(target?.slice(0, row.scopeMaxLength));
  });
});
