import { describe, expect, it } from 'vitest';
import { workResultRules } from '../../machines/rules/workResult.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';
import {
  act,
  type Body,
  contract,
  covered,
  damagedRecord,
  findings,
  fixResult,
  type Given,
  grant,
  node,
  plan,
  planned,
  planOf,
  queryOf,
  result,
  type Step,
  start,
  suite,
  unlocked,
  worked,
} from './executionFixtures.ts';
import { change, own, pinned, root, verification } from './fixtures.ts';

const { accepts, refuses } = suite('WorkResult', workResultRules);

const executing = (mode: IntentMode, steps: readonly Step[] = planned(mode)): Given => ({
  steps,
  run: { mode, phase: 'agent_4_execute' },
});
const fixing = executing('analyze_and_fix', unlocked);

/** A run whose plan has one node with these tools. */
const withTools = (mode: IntentMode, tools: readonly string[], more: Record<string, unknown> = {}): Given =>
  executing(mode, [
    ...start(mode),
    ['WorkPlan', planOf([node(plan(mode).nodes[0].id, tools, plan(mode).nodes[0].acceptanceCriteria, more)])],
  ]);

const read = (id: string, more: Record<string, unknown> = {}): Body =>
  act(id, 'repository.read', 'src/args.ts', 'ev-repo', more);
const write = (id: string, more: Record<string, unknown> = {}): Body =>
  act(id, 'repository.write', 'src/args.ts', 'ev-diff', { mutating: true, ...more });

const stopped = (mode: IntentMode, more: Record<string, unknown>): Body =>
  result(mode, { status: 'partial', acceptanceCoverage: [], ...more });

describe('the guards', () => {
  refuses('ADM-RESULT-01', 'a result when no node is ready', () => [
    result('analyze_only', { id: 'result-02' }),
    executing('analyze_only', worked('analyze_only')),
  ]);
  accepts('ADM-RESULT-01', 'the result of the ready node', () => [result('analyze_only'), executing('analyze_only')]);
  it('ADM-RESULT-25 refuses, a second time, a result when no node is ready', () => {
    const query = queryOf(
      'WorkResult',
      result('analyze_only', { id: 'result-02' }),
      executing('analyze_only', worked('analyze_only')),
    );
    const second = workResultRules.filter(({ code }) => code === 'ADM-RESULT-25');
    expect(findings(second, query)).toMatchObject([{ code: 'ADM-RESULT-25', path: 'nodeId' }]);
  });
  accepts('ADM-RESULT-25', 'the result of the ready node', () => [result('fix_only'), executing('fix_only')]);
  refuses('ADM-RESULT-24', 'a result for an earlier plan, before anything else', () => [
    fixResult({ workPlanRef: own('plan-01'), nodeId: 'nowhere', actions: [] }),
    fixing,
  ]);
  accepts('ADM-RESULT-24', 'a result for the current plan', () => [fixResult(), fixing]);
  const twoNodes: Given = executing('analyze_only', [
    ...start('analyze_only'),
    [
      'WorkPlan',
      planOf([node('first', ['repository.read'], ['AC-1']), node('look', ['repository.read'], ['AC-1', 'AC-2'])]),
    ],
  ]);
  refuses('ADM-RESULT-26', 'the result of a node whose turn it is not', () => [result('analyze_only'), twoNodes]);
  accepts('ADM-RESULT-26', 'the result of the first node', () => [
    result('analyze_only', { nodeId: 'first', acceptanceCoverage: [covered('AC-1', 'ev-repo')] }),
    twoNodes,
  ]);
  refuses('ADM-RESULT-27', 'a result in a run whose plan is lost', () => [
    result('analyze_only'),
    executing('analyze_only', start('analyze_only')),
  ]);
  refuses('ADM-RESULT-27', 'a result for a plan without nodes', () => [
    result('analyze_only'),
    {
      ...executing('analyze_only'),
      steps: damagedRecord([...start('analyze_only'), ['WorkPlan', plan('analyze_only', { nodes: [] })]]),
    },
  ]);
  accepts('ADM-RESULT-27', 'a result for a plan that can be read', () => [result('fix_only'), executing('fix_only')]);
});

describe('calls and permissions', () => {
  const tight = withTools('analyze_only', ['repository.read'], {
    budgets: { maximumToolCalls: 2, maximumChildren: 0 },
  });
  refuses('ADM-RESULT-02', 'more actions than calls', () => [
    result('analyze_only', { actions: [read('A-1'), read('A-2'), read('A-3')] }),
    tight,
  ]);
  refuses('ADM-RESULT-02', 'more tool events than calls', () => [
    result('analyze_only', { toolEventRefs: [own('ev-repo'), own('ev-test'), own('ev-diff')] }),
    tight,
  ]);
  accepts('ADM-RESULT-02', 'skipped actions beside as many calls as allowed', () => [
    result('analyze_only', { actions: [read('A-1'), read('A-2'), read('A-3', { status: 'skipped' })] }),
    tight,
  ]);

  refuses('ADM-RESULT-03', 'a change before the fix is unlocked, told once for each act', () => [
    stopped('analyze_and_fix', { actions: [write('A-1')], filesChanged: [change('src/args.ts', own('ev-diff'))] }),
    executing('analyze_and_fix'),
  ]);
  refuses(
    'ADM-RESULT-03',
    'a changed file in analyze_only',
    () => [
      stopped('analyze_only', { actions: [], filesChanged: [change('src/args.ts', own('ev-diff'))] }),
      executing('analyze_only'),
    ],
    ['ADM-RESULT-13'],
  );
  accepts('ADM-RESULT-03', 'the same change once the fix is unlocked', () => [fixResult(), fixing]);
  accepts('ADM-RESULT-03', 'a change that was honestly denied', () => [
    stopped('analyze_only', { actions: [write('A-1', { status: 'denied' })] }),
    executing('analyze_only'),
  ]);

  it('ADM-RESULT-04 refuses an unknown capability, as a damaged body could hold it', () => {
    const query = queryOf('WorkResult', result('analyze_only'), executing('analyze_only'));
    const body: typeof query.body = JSON.parse(
      JSON.stringify({ ...query.body, actions: [read('A-1', { capability: 'repository.move', status: 'denied' })] }),
    );
    const codes = findings(workResultRules, { ...query, body }).map(({ code }) => code);
    expect(codes).toContain('ADM-RESULT-04');
  });
  accepts('ADM-RESULT-04', 'a known capability', () => [result('analyze_only'), executing('analyze_only')]);

  const inspecting = withTools('analyze_only', ['repository.read', 'shell.inspect'], {
    requiredCapabilities: ['repository.read'],
  });
  const inspect = (target: string, more: Record<string, unknown> = {}): Body =>
    result('analyze_only', { actions: [read('A-1'), act('A-2', 'shell.inspect', target, 'ev-test', more)] });
  refuses('ADM-RESULT-05', 'an inspection without a name of its own, told once', () => [
    inspect('git status --short'),
    inspecting,
  ]);
  accepts('ADM-RESULT-05', 'a named inspection', () => [inspect('git.status'), inspecting]);
  accepts('ADM-RESULT-05', 'another target that was denied', () => [
    stopped('analyze_only', {
      actions: [act('A-2', 'shell.inspect', 'git status', 'ev-test', { status: 'denied', evidenceRefs: [] })],
    }),
    inspecting,
  ]);

  refuses('ADM-RESULT-06', 'a capability that the node does not allow, told once', () => [
    inspect('git.status'),
    executing('analyze_only'),
  ]);
  accepts('ADM-RESULT-06', 'such an action that was denied', () => [
    stopped('analyze_only', {
      actions: [act('A-2', 'shell.inspect', 'git.status', 'ev-test', { status: 'denied', evidenceRefs: [] })],
    }),
    executing('analyze_only'),
  ]);

  refuses('ADM-RESULT-07', 'a claimed denial of what is permitted', () => [
    stopped('analyze_only', { actions: [read('A-1', { status: 'denied' })] }),
    executing('analyze_only'),
  ]);
  accepts('ADM-RESULT-07', 'a denial outside the scopes of the node', () => [
    stopped('fix_only', {
      actions: [write('A-1', { status: 'denied', target: 'docs/a.md' })],
      filesChanged: [],
    }),
    executing('fix_only'),
  ]);

  refuses(
    'ADM-RESULT-08',
    'a write outside the scopes of the node',
    () => [
      result('fix_only', {
        actions: [write('A-1', { target: 'docs/a.md' }), read('A-2')],
        filesChanged: [change('docs/a.md', own('ev-diff'))],
      }),
      executing('fix_only'),
    ],
    ['ADM-RESULT-12'],
  );
  refuses('ADM-RESULT-08', 'a read through a link that leads outside', () => [
    result('analyze_only'),
    { ...executing('analyze_only'), targets: { 'src/args.ts': { ok: false, code: 'symlink_escape' } } },
  ]);
  refuses('ADM-RESULT-08', 'a read of which the disk said nothing', () => {
    const query = result('analyze_only', { actions: [read('A-1', { target: 'constructor' })] });
    return [
      query,
      {
        ...executing('analyze_only'),
        targets: Object.fromEntries([['constructor', { ok: false, code: 'root_unavailable' }]]),
      },
    ];
  });
  accepts('ADM-RESULT-08', 'a command that stands in the list', () => [fixResult(), fixing]);
  refuses('ADM-RESULT-08', 'a command that does not', () => [
    fixResult({ actions: [fixResult().actions[0], act('A-2', 'shell.execute', 'npm test -- all', 'ev-test')] }),
    fixing,
  ]);
});

describe('marks, children and files', () => {
  refuses(
    'ADM-RESULT-09',
    'a write that is not marked as mutating',
    () => [result('fix_only', { actions: [write('A-1', { mutating: false }), read('A-2')] }), executing('fix_only')],
    ['ADM-RESULT-13'],
  );
  accepts('ADM-RESULT-09', 'a command that is not', () => [fixResult(), fixing]);
  refuses('ADM-RESULT-10', 'a read that is marked as mutating', () => [
    result('fix_only', { actions: [write('A-1'), read('A-2'), read('A-3', { mutating: true }), read('A-4')] }),
    executing('fix_only'),
  ]);
  accepts('ADM-RESULT-10', 'a command that is marked as mutating', () => [
    fixResult({
      actions: [
        fixResult().actions[0],
        act('A-2', 'shell.execute', 'npm test', 'ev-test', { mutating: true }),
        act('A-3', 'shell.execute', 'npm test', 'ev-test'),
      ],
    }),
    fixing,
  ]);

  const spawning = withTools('analyze_only', ['repository.read', 'subagent.spawn'], {
    requiredCapabilities: ['repository.read'],
    permissions: grant({
      repository: { read: ['**'], write: [], delete: [] },
      subagents: { spawn: true, maximumChildren: 2, maximumDepth: 1 },
    }),
    budgets: { maximumToolCalls: 8, maximumChildren: 1 },
  });
  const spawn = (id: string, more: Record<string, unknown> = {}): Body =>
    act(id, 'subagent.spawn', 'child', 'ev-test', more);
  refuses('ADM-RESULT-11', 'more children than the budget', () => [
    result('analyze_only', { actions: [read('A-1'), spawn('A-2'), spawn('A-3')] }),
    spawning,
  ]);
  accepts('ADM-RESULT-11', 'as many children as the budget', () => [
    result('analyze_only', { actions: [read('A-1'), spawn('A-2'), spawn('A-3', { status: 'skipped' })] }),
    spawning,
  ]);

  refuses(
    'ADM-RESULT-12',
    'a deleted file that the node may not delete',
    () => [
      stopped('fix_only', {
        actions: [],
        filesChanged: [{ ...change('src/old.ts', own('ev-diff')), changeType: 'deleted', afterHash: null }],
      }),
      executing('fix_only'),
    ],
    ['ADM-RESULT-13'],
  );
  accepts('ADM-RESULT-12', 'a deleted file that the node may delete', () => [
    stopped('fix_only', {
      actions: [act('A-1', 'repository.delete', 'src/old.ts', 'ev-diff', { mutating: true })],
      filesChanged: [{ ...change('src/old.ts', own('ev-diff')), changeType: 'deleted', afterHash: null }],
    }),
    withTools('fix_only', ['repository.read', 'repository.delete']),
  ]);
  refuses('ADM-RESULT-13', 'a changed file that no action names', () => [
    result('fix_only', {
      filesChanged: [change('src/args.ts', own('ev-diff')), change('src/run.ts', own('ev-diff'))],
    }),
    executing('fix_only'),
  ]);
  for (const target of ['./src/args.ts', `${root}/src/args.ts`])
    accepts('ADM-RESULT-13', `the same path written as ${target}`, () => [
      result('fix_only', { actions: [write('A-1', { target }), read('A-2')] }),
      executing('fix_only'),
    ]);
  refuses('ADM-RESULT-16', 'a completed write without its changed file', () => [
    result('fix_only', { filesChanged: [] }),
    executing('fix_only'),
  ]);
  accepts('ADM-RESULT-16', 'two writes of one file with one entry', () => [
    result('fix_only', { actions: [write('A-1'), write('A-2'), read('A-3')] }),
    executing('fix_only'),
  ]);
});

describe('coverage and completion', () => {
  refuses('ADM-RESULT-14', 'a criterion of another node', () => [
    result('analyze_and_fix', { acceptanceCoverage: [covered('AC-1', 'ev-repo'), covered('AC-2', 'ev-repo')] }),
    executing('analyze_and_fix'),
  ]);
  accepts('ADM-RESULT-14', 'the criteria of the node', () => [result('analyze_and_fix'), executing('analyze_and_fix')]);
  refuses('ADM-RESULT-15', 'a criterion that is covered twice', () => [
    result('analyze_and_fix', { acceptanceCoverage: [covered('AC-1', 'ev-repo'), covered('AC-1', 'ev-repo')] }),
    executing('analyze_and_fix'),
  ]);
  accepts('ADM-RESULT-15', 'a partial result that covers nothing', () => [
    stopped('analyze_only', {}),
    executing('analyze_only'),
  ]);
  refuses('ADM-RESULT-17', 'a verification before the last change', () => [
    result('fix_only', { actions: [read('A-1'), write('A-2')] }),
    executing('fix_only'),
  ]);
  refuses('ADM-RESULT-17', 'the same for criteria of any stage outside analyze_and_fix', () => [
    result('fix_only', { actions: [read('A-1'), write('A-2')] }),
    executing('fix_only', [
      ...start('fix_only').slice(0, -1),
      [
        'TaskContract',
        contract('fix_only', {
          acceptanceCriteria: ['AC-1', 'AC-2'].map((id) => ({
            id,
            stage: 'diagnosis',
            requirement: 'Shown.',
            evidenceRequired: ['out'],
          })),
        }),
      ],
      ['WorkPlan', plan('fix_only')],
    ]),
  ]);
  accepts('ADM-RESULT-17', 'a verification after the last change', () => [
    result('fix_only', { actions: [read('A-1'), write('A-2'), read('A-3')] }),
    executing('fix_only'),
  ]);
  accepts('ADM-RESULT-17', 'an optional verification before it', () => [
    result('fix_only', { actions: [read('A-1'), write('A-2')] }),
    executing('fix_only', [
      ...start('fix_only').slice(0, -1),
      [
        'TaskContract',
        contract('fix_only', {
          verificationRequirements: [
            verification('VR-1', 'completion', 'repository.read', false),
            verification('VR-2', 'completion', 'shell.execute'),
          ],
        }),
      ],
      ['WorkPlan', plan('fix_only')],
    ]),
  ]);
  refuses('ADM-RESULT-18', 'a completed result without a required capability', () => [
    result('fix_only', { actions: [read('A-1')], filesChanged: [] }),
    executing('fix_only'),
  ]);
  accepts('ADM-RESULT-18', 'a partial one', () => [
    stopped('fix_only', { actions: [read('A-1')], filesChanged: [] }),
    executing('fix_only'),
  ]);
  refuses('ADM-RESULT-19', 'a completed result that leaves out a criterion', () => [
    result('analyze_only', { acceptanceCoverage: [covered('AC-1', 'ev-repo')] }),
    executing('analyze_only'),
  ]);
  accepts('ADM-RESULT-19', 'a completed result that covers all', () => [
    result('analyze_only'),
    executing('analyze_only'),
  ]);
  const damaged = (code: string, more: Record<string, unknown>): void => {
    it(`${code} refuses what the schema refuses first`, () => {
      const query = queryOf('WorkResult', result('analyze_only'), executing('analyze_only'));
      const body: typeof query.body = JSON.parse(JSON.stringify({ ...query.body, ...more }));
      const found = findings(workResultRules, { ...query, body });
      expect(found.map((one) => one.code)).toEqual([code]);
      expect(pinned(found)).toMatchSnapshot();
    });
    accepts(code, 'the same in a result that is partial', () => [
      result('analyze_only', { status: 'partial', ...more }),
      executing('analyze_only'),
    ]);
  };
  damaged('ADM-RESULT-20', { actions: [read('A-1'), read('A-2', { status: 'failed' })] });
  it('ADM-RESULT-20 refuses a denied action in a completed result, too', () => {
    const query = queryOf('WorkResult', result('analyze_only'), executing('analyze_only'));
    const body: typeof query.body = JSON.parse(
      JSON.stringify({ ...query.body, actions: [read('A-1'), read('A-2', { status: 'denied' })] }),
    );
    expect(findings(workResultRules, { ...query, body })).toMatchObject([
      { code: 'ADM-RESULT-07' },
      { code: 'ADM-RESULT-20', path: 'actions.1.status' },
    ]);
  });
  damaged('ADM-RESULT-21', {
    testResults: [
      {
        id: 'T-1',
        name: 'npm test',
        status: 'failed',
        commandRef: null,
        outputRef: own('ev-test'),
        exitCode: 1,
        rationaleSummary: 'It failed.',
      },
    ],
  });
  accepts('ADM-RESULT-21', 'a completed result whose tests passed or were not run', () => [
    result('analyze_only', {
      testResults: ['passed', 'skipped'].map((status, at) => ({
        id: `T-${at}`,
        name: 'npm test',
        status,
        commandRef: null,
        outputRef: own('ev-test'),
        exitCode: status === 'passed' ? 0 : null,
        rationaleSummary: 'It was run.',
      })),
    }),
    executing('analyze_only'),
  ]);
  damaged('ADM-RESULT-22', {
    acceptanceCoverage: [covered('AC-1', 'ev-repo'), covered('AC-2', 'ev-repo', 'fail')],
  });
});

describe('all faults at once', () => {
  refuses(
    'ADM-RESULT-06',
    'a result with five faults, all told',
    () => [
      result('fix_only', {
        actions: [write('A-1', { target: 'docs/a.md' }), act('A-2', 'shell.inspect', 'git.status', 'ev-test')],
        acceptanceCoverage: [covered('AC-1', 'ev-repo'), covered('AC-9', 'ev-repo')],
      }),
      executing('fix_only'),
    ],
    [
      'ADM-RESULT-08',
      'ADM-RESULT-13',
      'ADM-RESULT-14',
      'ADM-RESULT-16',
      'ADM-RESULT-17',
      'ADM-RESULT-18',
      'ADM-RESULT-19',
    ],
  );
  accepts('ADM-RESULT-06', 'the fix of analyze_and_fix', () => [fixResult(), fixing]);
});
