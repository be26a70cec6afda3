import { describe, expect, it } from 'vitest';
import { authorize } from '../../machines/permissions/authorize.ts';
import { authorizeAction, envelopePolicy, modePolicy, nodePolicy } from '../../machines/permissions/authorizeAction.ts';
import { type BrokerState, brokerDecision } from '../../machines/permissions/brokerDecision.ts';
import { mayMutate, mutates } from '../../machines/permissions/capability.ts';
import { effectivePermissions, modeCeiling } from '../../machines/permissions/modes.ts';
import { emptyPermissions, grantedSet } from '../../machines/permissions/permissionSet.ts';
import { phasePermissions } from '../../machines/permissions/phasePermissions.ts';
import { type ActionCapability, actionCapabilities, intentModes, recordPhases } from '../../schemas/vocabulary.ts';

const at = (path: string) => ({ target: path, resolved: { ok: true, lexical: path, real: path } as const });
const writes = grantedSet({ capabilities: ['repository.read', 'repository.write'] });

const state: BrokerState = {
  mode: 'fix_only',
  status: 'running',
  authority: { granted: writes, denied: emptyPermissions() },
  envelopeRef: 'artifact://run-1/run-1',
  phasePermissions: emptyPermissions(),
  scope: 'envelope',
};

describe('several policies', () => {
  it('must all allow; those that deny are named in order', () => {
    const node = nodePolicy('n1', grantedSet({ capabilities: ['repository.read'] }));
    const verdict = authorizeAction([modePolicy('analyze_only'), node], { capability: 'repository.write', ...at('a') });
    expect(verdict).toEqual({
      allowed: false,
      reasonCode: 'policy_denied',
      detailCode: 'mode_ceiling',
      deniedBy: ['intent_mode:analyze_only', 'work_node:n1'],
    });
    const read = authorizeAction([modePolicy('analyze_only'), node], { capability: 'repository.read', ...at('a') });
    expect(read).toEqual({ allowed: true, reasonCode: 'allowed', detailCode: 'ok', deniedBy: [] });
  });

  it('deny when there is none, and deny an unknown capability before any is asked', () => {
    expect(authorizeAction([], { capability: 'repository.read', ...at('a') }).reasonCode).toBe('no_policy');
    expect(authorizeAction([], { capability: 'runtime.mutate' }).reasonCode).toBe('capability_not_granted');
  });

  it('deny everything without an envelope', () => {
    for (const capability of actionCapabilities)
      expect(authorizeAction([envelopePolicy(null)], { capability, ...at('a') })).toMatchObject({
        allowed: false,
        detailCode: 'no_envelope',
        deniedBy: ['run_envelope'],
      });
  });

  it('let a node open a protected file by its exact name', () => {
    const exact = { ...emptyPermissions(), repository: { read: ['.env'], write: [], delete: [] } };
    const request = { capability: 'repository.read', ...at('.env') };
    expect(authorizeAction([modePolicy('fix_only'), nodePolicy('n1', exact)], request).allowed).toBe(true);
  });
});

describe('a broker decision', () => {
  it('has its keys in the published order and cites the envelope', () => {
    const decision = brokerDecision({ capability: 'repository.write', ...at('src/a.ts') }, state);
    expect(Object.keys(decision)).toEqual([
      'allowed',
      'phaseAllowed',
      'reasonCode',
      'detailCode',
      'summary',
      'permissionDecision',
    ]);
    expect(decision).toMatchObject({ allowed: true, phaseAllowed: false, reasonCode: 'allowed', detailCode: 'ok' });
    expect(decision.permissionDecision).toEqual({
      decision: 'allow',
      capability: 'repository.write',
      scope: 'src/a.ts',
      policyRefs: ['artifact://run-1/run-1'],
      rationaleSummary: decision.summary,
    });
  });

  it('records the alias under its canonical name', () => {
    const decision = brokerDecision({ capability: 'shell.exec', target: 'npm test' }, state);
    expect(decision.permissionDecision.capability).toBe('shell.execute');
  });

  it('takes the first cause: unknown word, run state, mode, grant', () => {
    const ended = { ...state, status: 'cancelled', mode: 'report_only' } as const;
    const detail = (capability: string, of: BrokerState) => brokerDecision({ capability }, of).detailCode;
    expect(detail('nonsense', ended)).toBe('unknown_capability');
    expect(detail('repository.write', ended)).toBe('run_not_running');
    expect(detail('repository.write', { ...state, mode: 'report_only' })).toBe('mode_ceiling');
    expect(detail('repository.delete', state)).toBe('not_granted');
    expect(detail('repository.write', state)).toBe('target_required');
    expect(detail('repository.write', { ...state, authority: null })).toBe('no_envelope');
  });

  it('allows nothing in either scope when the run is paused or ended', () => {
    for (const status of ['awaiting_clarification', 'completed', 'partial', 'blocked', 'cancelled'] as const) {
      const decision = brokerDecision(
        { capability: 'repository.write', ...at('a') },
        { ...state, status, phasePermissions: writes, scope: 'action' },
      );
      expect(decision).toMatchObject({ allowed: false, phaseAllowed: false, detailCode: 'run_not_running' });
    }
  });

  it('follows a denial of the envelope', () => {
    const denied = grantedSet({ capabilities: ['repository.write'] });
    const decision = brokerDecision(
      { capability: 'repository.write', ...at('a') },
      { ...state, authority: { granted: writes, denied } },
    );
    expect(decision).toMatchObject({ allowed: false, reasonCode: 'policy_denied', detailCode: 'not_granted' });
  });

  it('says in action scope whether the envelope or only the current action denies', () => {
    const action = { ...state, scope: 'action' } as const;
    const detail = (path: string) => brokerDecision({ capability: 'repository.write', ...at(path) }, action).detailCode;
    expect(detail('src/a.ts')).toBe('phase_denied');
    expect(detail('.git/config')).toBe('protected_path');
  });

  it('shows no text of the target in its sentences and records no secret in place of a capability', () => {
    const token = `ghp_${'a'.repeat(36)}`;
    const decision = brokerDecision({ capability: token, target: 'private-name' }, state);
    expect(decision.summary).not.toContain('private-name');
    expect(JSON.stringify(decision)).not.toContain(token);
    const empty = brokerDecision({ capability: '' }, state);
    expect(empty.permissionDecision).toMatchObject({ capability: 'unknown', scope: 'unknown' });
  });
});

describe('the permissions of the current action', () => {
  const effective = grantedSet({ capabilities: ['repository.read', 'repository.write'] });
  const node = { ...emptyPermissions(), repository: { read: ['**'], write: ['src/**'], delete: [] } };

  it('are the node only in execution, and only inside the run', () => {
    const of = (phase: 'agent_4_execute' | 'agent_3_plan', set: typeof node | null) =>
      phasePermissions({ status: 'running', phase, effective, node: set });
    expect(of('agent_4_execute', node)).toEqual(node);
    expect(of('agent_4_execute', null)).toEqual(emptyPermissions());
    expect(of('agent_3_plan', node)).toEqual(emptyPermissions());
    const wider = { ...node, shell: { inspect: true, executeAllowlist: [] } };
    expect(of('agent_4_execute', wider)).toEqual(emptyPermissions());
  });

  it('are reading alone in context grounding, and nothing once the run is paused', () => {
    const of = (status: 'running' | 'awaiting_clarification') =>
      phasePermissions({ status, phase: 'context_grounding', effective, node: null });
    expect(of('running')).toEqual(grantedSet({ capabilities: ['repository.read'] }));
    expect(of('awaiting_clarification')).toEqual(emptyPermissions());
  });
});

describe('the authority of a start', () => {
  it('tells every finding, in the order of the rules', () => {
    const result = authorize({
      mode: 'fix_only',
      hostCapabilities: ['repository.read', 'shell.exec'],
      granted: ['repository.raed'],
      commands: ['npm test', 'a && b'],
      hosts: ['a.example', 'https://b.example'],
    });
    if (result.ok) throw new Error('the start was authorized');
    expect(result.findings.map(({ code, path }) => [code, path])).toEqual([
      ['ADM-START-07', 'shell_execute_allowlist'],
      ['ADM-START-08', 'network_read_domains'],
      ['ADM-START-09', 'network_read_domains.1'],
      ['ADM-START-10', 'shell_execute_allowlist.1'],
      ['ADM-START-11', 'host_capabilities.1'],
      ['ADM-START-11', 'authorization_granted.0'],
    ]);
    expect(result.findings[4]?.fix).toContain('shell.execute');
  });

  it('tells which grants can never take effect and which of host, mode and denial is the cause', () => {
    const result = authorize({
      mode: 'plan_only',
      hostCapabilities: ['subagent.spawn', 'repository.read', 'repository.write', 'repository.read'],
      granted: ['repository.write', 'subagent.spawn', 'shell.execute', 'repository.read', 'repository.read'],
      denied: ['subagent.spawn', 'repository.write'],
    });
    if (!result.ok) throw new Error('the start was refused');
    expect(result.hostCapabilities).toEqual(['repository.read', 'repository.write', 'subagent.spawn']);
    expect(result.grantedList).toEqual(['repository.read', 'repository.write', 'subagent.spawn']);
    expect(result.deniedList).toEqual(['repository.write', 'subagent.spawn']);
    expect(result.droppedGrants).toEqual([
      { capability: 'repository.write', reason: 'mode' },
      { capability: 'shell.execute', reason: 'host' },
      { capability: 'subagent.spawn', reason: 'denied' },
    ]);
  });

  it('takes an empty grant for a grant, and an absent one for the default', () => {
    const of = (granted: readonly string[] | undefined) =>
      authorize({ mode: 'plan_only', hostCapabilities: actionCapabilities, granted });
    expect(of([])).toMatchObject({ ok: true, grantedList: [] });
    expect(of(undefined)).toMatchObject({ ok: true, grantedList: ['repository.read'] });
  });

  it('counts entries before it looks at them', () => {
    const long = Array.from({ length: 257 }, () => 'repository.read');
    const result = authorize({ mode: 'plan_only', hostCapabilities: long, hosts: [] });
    expect(result).toMatchObject({ ok: false, findings: [{ code: 'ADM-START-04', path: 'host_capabilities' }] });
  });
});

describe('each mode, capability and phase', () => {
  const everything = grantedSet({
    capabilities: actionCapabilities,
    commands: ['npm test'],
    hosts: ['api.example.com'],
  });
  /** A capability that is missing here has no target to be tested with and fails the test. */
  const target: Readonly<Record<ActionCapability, string>> = {
    'repository.read': 'src/a.ts',
    'repository.write': 'src/a.ts',
    'repository.delete': 'src/a.ts',
    'shell.inspect': 'git.status',
    'shell.execute': 'npm test',
    'runtime.inspect': 'local',
    'runtime.restart': 'local',
    'browser.inspect': 'http://localhost:3000/',
    'browser.mutate': 'http://localhost:3000/',
    'network.read': 'https://api.example.com/',
    'external.write': 'https://api.example.com/',
    'subagent.spawn': 'reviewer',
  };

  it.each(intentModes)('of %s is allowed by the ceiling, and now only where the phase acts', (mode) => {
    const effective = effectivePermissions(mode, everything, emptyPermissions());
    for (const capability of actionCapabilities)
      for (const phase of recordPhases) {
        const decision = brokerDecision(
          { capability, ...at(target[capability]) },
          {
            ...state,
            mode,
            authority: { granted: everything, denied: emptyPermissions() },
            phasePermissions: phasePermissions({ status: 'running', phase, effective, node: effective }),
          },
        );
        const reached = modeCeiling(mode).includes(capability);
        const acts = phase === 'agent_4_execute' || (phase === 'context_grounding' && capability === 'repository.read');
        expect([decision.allowed, decision.phaseAllowed]).toEqual([reached, reached && acts]);
      }
  });
});

describe('whether a capability changes things', () => {
  it('is settled for each word of the vocabulary', () => {
    const of = (answer: boolean | null) => actionCapabilities.filter((capability) => mutates(capability) === answer);
    expect(of(true)).toEqual([
      'repository.write',
      'repository.delete',
      'runtime.restart',
      'browser.mutate',
      'external.write',
    ]);
    expect(of(null)).toEqual(['shell.execute']);
    expect(actionCapabilities.filter(mayMutate)).toEqual([
      'repository.write',
      'repository.delete',
      'shell.execute',
      'runtime.restart',
      'browser.mutate',
      'external.write',
      'subagent.spawn',
    ]);
  });
});
