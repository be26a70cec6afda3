import { describe, expect, it } from 'vitest';
import { acceptedChecks, checkKey, deniedCheck } from '../../machines/rules/recordedDenials.ts';
import { workResultRules } from '../../machines/rules/workResult.ts';
import {
  act,
  type Body,
  findings,
  fixResult,
  type Given,
  node,
  planned,
  planOf,
  queryOf,
  result,
  review,
  reviewed,
  start,
  unlocked,
} from './executionFixtures.ts';
import { change, own } from './fixtures.ts';

const executing = (
  mode: 'analyze_only' | 'fix_only' | 'analyze_and_fix',
  steps: Given['steps'] = planned(mode),
): Given => ({
  steps,
  run: { mode, phase: 'agent_4_execute' },
});
const stopped = (more: Record<string, unknown>): Body =>
  result('fix_only', { status: 'partial', acceptanceCoverage: [], filesChanged: [], ...more });

const recorded = (body: Body, given: Given) => {
  const query = queryOf('WorkResult', body, given);
  const found = findings(workResultRules, query);
  return { found, denied: deniedCheck(query, found) };
};

const refs = [own('contract-01'), own('plan-01')];

describe('the record of a refused result', () => {
  it('is the first of the five refusals in row order, with its action, scope and policies', () => {
    const { found, denied } = recorded(
      stopped({
        actions: [
          act('A-1', 'repository.write', 'docs/a.md', 'ev-diff', { mutating: true }),
          act('A-2', 'shell.inspect', 'git status', 'ev-test'),
        ],
      }),
      executing('fix_only'),
    );
    expect(found.map(({ code }) => code)).toEqual(['ADM-RESULT-05', 'ADM-RESULT-06', 'ADM-RESULT-08', 'ADM-RESULT-16']);
    expect(denied?.entry).toEqual({
      event: 'permission_checked',
      actor: 'controller',
      phase: 'agent_4_execute',
      inputRefs: refs,
      outputRefs: [],
      summary: found[0]?.message,
      decision: {
        decision: 'deny',
        capability: 'shell.inspect',
        scope: 'git status',
        policyRefs: refs,
        rationaleSummary: 'Denied by permission intersection: work_node:fix.',
      },
    });
  });

  it('stands wherever that refusal stands among the findings', () => {
    const { found, denied } = recorded(
      stopped({
        toolEventRefs: Array.from({ length: 9 }, () => own('ev-test')),
        actions: [act('A-1', 'repository.write', 'docs/a.md', 'ev-diff', { mutating: true })],
      }),
      executing('fix_only'),
    );
    expect(found[0]?.code).toBe('ADM-RESULT-02');
    expect(denied?.entry.decision).toMatchObject({ capability: 'repository.write', scope: 'docs/a.md' });
    expect(denied?.entry.decision?.rationaleSummary).toBe('Denied by permission intersection: work_node:fix.');
  });

  it('names the mode where nothing may change: the first changing action, else the first changed file', () => {
    const given = executing('analyze_only');
    const body = (more: Record<string, unknown>) =>
      result('analyze_only', { status: 'partial', acceptanceCoverage: [], ...more });
    const deleted = { ...change('src/old.ts', own('ev-diff')), changeType: 'deleted', afterHash: null };
    const byFile = recorded(body({ actions: [], filesChanged: [deleted] }), given).denied;
    expect(byFile?.entry.decision).toMatchObject({
      capability: 'repository.delete',
      scope: 'src/old.ts',
      rationaleSummary: 'Denied by permission intersection: intent_mode:analyze_only.',
    });
    const byAction = recorded(
      body({
        actions: [act('A-1', 'shell.execute', 'rm -rf build', 'ev-test', { mutating: true })],
        filesChanged: [deleted],
      }),
      given,
    ).denied;
    expect(byAction?.entry.decision).toMatchObject({ capability: 'shell.execute', scope: 'rm -rf build' });
  });

  it('keeps the host of a network target alone, and no credential', () => {
    const asked = (target: string) =>
      recorded(stopped({ actions: [act('A-1', 'network.read', target, 'ev-test')] }), executing('fix_only')).denied
        ?.entry.decision?.scope;
    expect(asked('https://api.example.com/v1?token=abc')).toBe('api.example.com');
    expect(asked('https://')).toBe('invalid_network_target');
    const secret = `ghp_${'a'.repeat(36)}`;
    const { found, denied } = recorded(
      stopped({ actions: [act('A-1', 'shell.inspect', `deploy --token=${secret}`, 'ev-test')] }),
      executing('fix_only'),
    );
    expect(denied?.entry.decision?.scope).toBe('[redacted: likely credential]');
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  it('is the same for the same attempt, and another for another', () => {
    const attempt = (target: string) =>
      recorded(
        stopped({ actions: [act('A-1', 'repository.write', target, 'ev-diff', { mutating: true })] }),
        executing('fix_only'),
      ).denied;
    expect(attempt('docs/a.md')?.key).toBe(attempt('docs/a.md')?.key);
    expect(attempt('docs/a.md')?.key).not.toBe(attempt('docs/b.md')?.key);
    const one = attempt('docs/a.md');
    expect(one && checkKey(structuredClone(one.entry))).toBe(one?.key);
  });

  it('is left by no other refusal and by no other type', () => {
    const { found, denied } = recorded(
      result('fix_only', { actions: [result('fix_only').actions[0]] }),
      executing('fix_only'),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(denied).toBeNull();
    const query = queryOf('QualityReview', review('fix_only'), { ...executing('fix_only', reviewed('fix_only')) });
    expect(deniedCheck(query, [{ path: '', code: 'ADM-RESULT-08', message: 'No.' }])).toBeNull();
    expect(acceptedChecks(query)).toEqual([]);
  });
});

describe('the checks of an accepted result', () => {
  it('stand in the order of its actions, skipped ones left out, each before the result', () => {
    const body = fixResult({
      actions: [
        ...fixResult().actions,
        act('A-3', 'shell.execute', 'npm test', 'ev-test', { status: 'skipped', evidenceRefs: [] }),
      ],
    });
    const checks = acceptedChecks(queryOf('WorkResult', body, executing('analyze_and_fix', unlocked)));
    expect(checks.map(({ summary }) => summary)).toEqual([
      'Allowed repository.write for src/args.ts.',
      'Allowed shell.execute for npm test.',
    ]);
    expect(checks[0]).toMatchObject({
      event: 'permission_checked',
      actor: 'controller',
      inputRefs: [own('contract-01'), own('plan-02')],
      outputRefs: [own('result-02')],
      decision: { decision: 'allow', capability: 'repository.write', scope: 'src/args.ts' },
    });
  });

  it('tell an honest denial and who denied it', () => {
    const given = executing('fix_only', [
      ...start('fix_only'),
      ['WorkPlan', planOf([node('fix', ['repository.read', 'repository.write'], ['AC-1', 'AC-2'])])],
    ]);
    const body = stopped({
      actions: [
        act('A-1', 'repository.write', 'docs/a.md', 'ev-diff', { mutating: true, status: 'denied', evidenceRefs: [] }),
        act('A-2', 'browser.mutate', 'https://example.com/', 'ev-diff', { status: 'denied', evidenceRefs: [] }),
      ],
    });
    const query = queryOf('WorkResult', body, given);
    expect(findings(workResultRules, query)).toEqual([]);
    expect(acceptedChecks(query).map(({ summary, decision }) => [summary, decision?.rationaleSummary])).toEqual([
      ['Denied repository.write for docs/a.md.', 'Denied by permission intersection: work_node:fix.'],
      [
        'Denied browser.mutate for https://example.com/.',
        'Denied by permission intersection: intent_mode:fix_only, work_node:fix.',
      ],
    ]);
  });
});
