import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { effectivePermissions } from '../../machines/permissions/modes.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import type { Artifact } from '../../machines/record.ts';
import { startRules } from '../../machines/start/rules.ts';
import type { StartArgs, StartOutcome } from '../../machines/start/start.ts';
import { bodySchemas } from '../../schemas/artifacts/index.ts';
import { digest } from '../../schemas/canonical.ts';
import { failureCodes } from '../../schemas/failure.ts';
import { IntentMode } from '../../schemas/vocabulary.ts';
import { everyCapability, facts, refusedCodes, started, startOf } from './starts.ts';

const envelopeOf = (outcome: StartOutcome & { ok: true }): Artifact<'RunEnvelope'>['body'] => {
  const found = outcome.effect.artifacts.find((artifact) => artifact.type === 'RunEnvelope');
  if (found?.type !== 'RunEnvelope') throw new Error('no envelope');
  return found.body;
};

const Sparse = z.record(z.string(), z.record(z.string(), z.unknown()));
const rows = z
  .object({
    startRun: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        arguments: z.object({
          mode: IntentMode,
          original_request: z.string().optional(),
          native_subagents: z.enum(['available', 'unavailable', 'unknown']).optional(),
          host_capabilities: z.union([z.literal('ALL'), z.array(z.string())]).optional(),
          authorization_granted: z.array(z.string()).optional(),
          authorization_denied: z.array(z.string()).optional(),
          shell_execute_allowlist: z.union([z.literal('257 distinct commands'), z.array(z.string())]).optional(),
          network_read_domains: z.array(z.string()).optional(),
        }),
        expect: z.union([
          z.object({ ok: z.literal(false) }),
          z.object({
            ok: z.literal(true),
            granted: Sparse,
            denied: Sparse,
            effective: Sparse,
            budgets: z.object({ maximumParallelWorkers: z.number(), maximumSubagentDepth: z.number() }),
          }),
        ]),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../conformance/permissions.json', import.meta.url), 'utf8'))).startRun;

/** A sparse patch laid over the empty set. */
const full = (patch: z.infer<typeof Sparse>): unknown =>
  Object.fromEntries(Object.entries(emptyPermissions()).map(([part, empty]) => [part, { ...empty, ...patch[part] }]));

describe('start rows of the conformance data', () => {
  it('are the 32 of the page', () => {
    expect(rows).toHaveLength(32);
  });
  it.each(rows.map((row) => [row.id, row.name, row] as const))('%s: %s', (_id, _name, row) => {
    const given = row.arguments;
    const commands =
      given.shell_execute_allowlist === '257 distinct commands'
        ? Array.from({ length: 257 }, (_, number) => `command ${number}`)
        : given.shell_execute_allowlist;
    const outcome = startOf({
      mode: given.mode,
      ...(given.original_request === undefined ? {} : { originalRequest: given.original_request }),
      ...(given.native_subagents === undefined ? {} : { nativeSubagents: given.native_subagents }),
      hostCapabilities: given.host_capabilities === 'ALL' ? everyCapability : given.host_capabilities,
      granted: given.authorization_granted,
      denied: given.authorization_denied,
      commands,
      hosts: given.network_read_domains,
    });
    expect(outcome.ok).toBe(row.expect.ok);
    if (!outcome.ok || !row.expect.ok) {
      expect(outcome.ok ? '' : outcome.code).toBe('invalid_arguments');
      return;
    }
    const { authorization, budgets } = envelopeOf(outcome);
    expect(authorization.granted).toEqual(full(row.expect.granted));
    expect(authorization.denied).toEqual(full(row.expect.denied));
    expect(effectivePermissions(given.mode, authorization.granted, authorization.denied)).toEqual(
      full(row.expect.effective),
    );
    expect(budgets).toMatchObject(row.expect.budgets);
  });
});

describe('a refused start', () => {
  const shell: Partial<StartArgs> = { hostCapabilities: everyCapability, granted: ['shell.execute'] };
  const many = (length: number, text: string): string[] => Array.from({ length }, (_, number) => `${text}${number}`);
  const cases: readonly (readonly [string, Partial<StartArgs> & Pick<StartArgs, 'mode'>])[] = [
    ['ADM-START-01', { mode: 'plan_only', originalRequest: ' \t\n ' }],
    ['ADM-START-02', { mode: 'plan_only', originalRequest: 'a'.repeat(32_769) }],
    ['ADM-START-03', { mode: 'plan_only', hostName: '  ' }],
    ['ADM-START-04', { mode: 'plan_only', denied: Array.from({ length: 257 }, () => 'repository.read') }],
    ['ADM-START-05', { mode: 'fix_only', ...shell, commands: many(257, 'run ') }],
    [
      'ADM-START-06',
      {
        mode: 'analyze_only',
        hostCapabilities: ['network.read'],
        granted: ['network.read'],
        hosts: many(257, 'host-'),
      },
    ],
    ['ADM-START-07', { mode: 'fix_only', hostCapabilities: everyCapability, commands: ['npm test'] }],
    ['ADM-START-08', { mode: 'analyze_only', hostCapabilities: everyCapability, hosts: ['a.example'] }],
    [
      'ADM-START-09',
      { mode: 'analyze_only', hostCapabilities: ['network.read'], granted: ['network.read'], hosts: ['*.example'] },
    ],
    ['ADM-START-10', { mode: 'fix_only', ...shell, commands: ['npm test | tee log'] }],
    ['ADM-START-11', { mode: 'fix_only', hostCapabilities: ['repository.erase'] }],
    ['ADM-START-13', { mode: 'plan_only', topologyOverride: 'micro' }],
    ['ADM-START-14', { mode: 'analyze_and_fix', topologyOverride: 'standard' }],
  ];
  it.each(cases)('is refused by %s alone, with a sentence and a way out', (code, args) => {
    const outcome = startOf(args);
    expect(refusedCodes(outcome)).toEqual([code]);
    if (outcome.ok) return;
    expect(outcome.code).toBe('invalid_arguments');
    expect(outcome.findings[0]?.message).toMatch(/\.$/);
    expect(outcome.findings[0]?.fix).toMatch(/\.$/);
  });
  it('is told every finding, in the order of the rules', () => {
    const outcome = startOf({
      mode: 'analyze_only',
      originalRequest: '',
      hostName: '',
      hostCapabilities: ['network.read', 'telepathy'],
      granted: ['network.read'],
      hosts: ['https://a.example', 'b.example:80'],
      commands: ['a && b'],
      priorRunId: 'gone',
    });
    expect(refusedCodes(outcome)).toEqual([
      'ADM-START-01',
      'ADM-START-03',
      'ADM-START-07',
      'ADM-START-09',
      'ADM-START-09',
      'ADM-START-10',
      'ADM-START-11',
      'ADM-LIN-01',
    ]);
  });
  it('takes the code of its first finding from the rule book', () => {
    expect(startOf({ mode: 'plan_only', originalRequest: '', priorRunId: 'gone' })).toMatchObject({
      code: 'invalid_arguments',
    });
    expect(startOf({ mode: 'plan_only', priorRunId: 'gone' })).toMatchObject({ code: 'run_not_found' });
  });
  it('names what speaks against an override', () => {
    const standard = startOf({ mode: 'fix_only', hostCapabilities: everyCapability, topologyOverride: 'standard' });
    expect(standard).toMatchObject({ findings: [{ path: 'topology_override', expected: ['forensic'] }] });
    expect(standard.ok ? '' : standard.findings[0]?.message).toContain('ELEVATED_CAPABILITY');
    const micro = startOf({ mode: 'report_only', originalRequest: 'Is it either?', topologyOverride: 'micro' });
    expect(micro.ok ? '' : micro.findings[0]?.message).toContain('"either"');
  });
  it('judges no topology while the authority cannot be read', () => {
    expect(refusedCodes(startOf({ mode: 'plan_only', hostCapabilities: ['x'], topologyOverride: 'micro' }))).toEqual([
      'ADM-START-11',
    ]);
  });
});

describe('a start that is taken', () => {
  it('takes 32,768 characters, however many bytes they have', () => {
    expect(startOf({ mode: 'plan_only', originalRequest: '\u20ac'.repeat(32_768) }).ok).toBe(true);
  });
  it('stores the request exactly as sent and an envelope that cites it, both with their digests', () => {
    const request = '  Keep\tmy  spacing \u00e9\u{1F600}\n';
    const { effect } = started({ mode: 'report_only', originalRequest: request });
    expect(effect.artifacts.map(({ type, producer, id, sourceRefs }) => ({ type, producer, id, sourceRefs }))).toEqual([
      { type: 'UserMessage', producer: 'user', id: facts.requestId, sourceRefs: [] },
      {
        type: 'RunEnvelope',
        producer: 'controller',
        id: facts.runId,
        sourceRefs: [`artifact://${facts.runId}/${facts.requestId}`],
      },
    ]);
    expect(effect.artifacts[0]?.body).toMatchObject({ content: request });
    for (const { type, body, sha256, redaction, createdAt } of effect.artifacts) {
      expect(bodySchemas[type].parse(body)).toEqual(body);
      expect(sha256).toBe(digest(body));
      expect([redaction, createdAt]).toEqual(['none', facts.at]);
    }
  });
  it('writes an envelope that stays active, with the budgets of the host', () => {
    const envelope = envelopeOf(
      started({
        mode: 'analyze_only',
        nativeSubagents: 'available',
        hostCapabilities: ['shell.inspect', 'repository.read', 'shell.inspect'],
      }),
    );
    expect(envelope).toMatchObject({
      runId: facts.runId,
      requestedMode: 'analyze_only',
      topology: 'standard',
      status: 'active',
      followupRequestRefs: [],
      policyRefs: [],
      workingContext: { repositoryRoot: facts.repositoryRoot, activeFiles: [], applicableRuleRefs: [] },
      host: {
        name: 'sample-host',
        version: null,
        nativeSubagents: 'available',
        capabilities: ['repository.read', 'shell.inspect'],
      },
      budgets: { promptRevisions: 1, postExecutionRemediations: 1, maximumParallelWorkers: 3, maximumSubagentDepth: 1 },
    });
  });
  it('traces the start and why it has its topology', () => {
    const { effect, input } = started({ mode: 'plan_only' });
    expect(effect.trace.map(({ event, actor, phase, summary }) => [event, actor, phase, summary])).toEqual([
      ['run_started', 'controller', 'context_grounding', 'The run began in mode plan_only.'],
      ['topology_classified', 'controller', 'context_grounding', 'PLAN_ONLY'],
    ]);
    expect(input).toEqual({
      runId: facts.runId,
      repositoryRoot: facts.repositoryRoot,
      mode: 'plan_only',
      topology: 'standard',
      priorRunId: null,
      createdAt: facts.at,
    });
  });
  it('tells the grants that can never take effect, and why', () => {
    const { droppedGrants } = started({
      mode: 'fix_only',
      hostCapabilities: ['repository.read', 'browser.inspect', 'shell.inspect'],
      granted: ['repository.read', 'repository.write', 'browser.inspect', 'shell.inspect'],
      denied: ['shell.inspect'],
    });
    expect(droppedGrants).toEqual([
      { capability: 'browser.inspect', reason: 'mode' },
      { capability: 'repository.write', reason: 'host' },
      { capability: 'shell.inspect', reason: 'denied' },
    ]);
  });
  it('is no micro fix when the write that it needs was denied (D5)', () => {
    const args = {
      mode: 'fix_only',
      originalRequest: 'Correct src/app.ts.',
      hostCapabilities: ['repository.read', 'repository.write'],
    } as const;
    expect(started(args).input.topology).toBe('micro');
    expect(started({ ...args, denied: ['repository.write'] }).input.topology).toBe('forensic');
    expect(started({ ...args, topologyOverride: 'micro' }).input.topology).toBe('micro');
  });
});

describe('the rules of the start', () => {
  it('stand once each, in order, with a known refusal', () => {
    const codes = startRules.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
    expect(codes.filter((code) => code.startsWith('ADM-START'))).toEqual(
      Array.from({ length: 14 }, (_, index) => `ADM-START-${String(index + 1).padStart(2, '0')}`),
    );
    for (const { refusal, text } of startRules) {
      expect(failureCodes).toHaveProperty(refusal);
      expect(text).toMatch(/\.$/);
    }
  });
});
