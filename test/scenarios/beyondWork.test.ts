import { describe } from 'vitest';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import {
  clone,
  contract,
  evidence,
  execEvidence,
  fresh,
  type Live,
  type PROFILES,
  perms,
  plan,
  quality,
  result,
  step,
} from '../conformance/scenarios/lib/build.mjs';
import { accepted, at, type Build, type Make, set, sharedWorld, table } from './bench.ts';

/** One change each to a valid plan, result or piece of Evidence: limits, denials and encodings beyond the black-box scenarios. */

const world = sharedWorld();
const ok = 'accepted';
const why = 'short rationale';
const hash = (digit: string): string => `sha256:${digit.repeat(64)}`;
const inspect = { capability: 'shell.inspect', target: 'git.status' } as const;

describe('a work plan', () => {
  type B = BodyOf<'WorkPlan'>;
  const build: Build<B> = (run) => ['WorkPlan', plan(run)];
  const extra = (b: B, id: string, dependsOn: string[], calls: number): void => {
    b.nodes.push({ ...clone(at(b.nodes)), id, dependsOn, budgets: { maximumToolCalls: calls, maximumChildren: 0 } });
  };

  table('keeps to its bounds', world.inPhase('analyze', 'agent_3_plan'), build, [
    ['no node', (b) => set(b, { nodes: [] }), 'SCH-LEN-02'],
    [
      '65 nodes',
      (b) => {
        for (let i = 0; i < 63; i += 1) extra(b, `k${i}`, [], 0);
      },
      'SCH-LEN-02',
    ],
    ['a node that waits for itself', (b) => at(b.nodes).dependsOn.push('n1'), 'SCH-PLAN-03'],
    ['1,001 calls in a node', (b) => set(at(b.nodes).budgets, { maximumToolCalls: 1001 }), 'SCH-NUM-01'],
    ['4,001 calls in all', (b) => set(b.globalBudgets, { maximumToolCalls: 4001 }), 'SCH-NUM-01'],
    ['a sum one above', (b) => set(b.globalBudgets, { maximumToolCalls: 19 }), 'ADM-PLAN-04'],
    ['a depth that the host lacks', (b) => set(b.globalBudgets, { maximumSubagentDepth: 1 }), 'ADM-PLAN-06'],
    [
      'a required capability twice',
      (b) => set(at(b.nodes), { requiredCapabilities: ['repository.read', 'repository.read'] }),
      'ADM-PLAN-17',
    ],
    ['children without permission', (b) => set(at(b.nodes).budgets, { maximumChildren: 1 }), 'ADM-PLAN-14'],
    ['a scope outside the contract', (b) => at(b.nodes).permissions.repository.read.push('../x'), 'ADM-PLAN-12'],
    [
      '64 nodes',
      (b) => {
        for (let i = 0; i < 62; i += 1) extra(b, `k${i}`, ['n1'], 1);
        b.globalBudgets.maximumToolCalls = 82;
      },
      ok,
    ],
    ['nodes before what they wait for', (b) => b.nodes.reverse(), ok],
    ['a dependency twice', (b) => set(at(b.nodes, 1), { dependsOn: ['n1', 'n1'] }), ok],
    ['a criterion in two nodes', (b) => set(at(b.nodes, 1), { acceptanceCriteria: ['AC-1', 'AC-2'] }), ok],
  ]);

  table('verifies after every change', world.inPhase('fix', 'agent_3_plan'), build, [
    [
      'a command that may change things, unwatched',
      (b) => {
        extra(b, 'sh', ['n1'], 1);
        Object.assign(at(b.nodes, -1), {
          allowedTools: ['shell.execute'],
          requiredCapabilities: ['shell.execute'],
          permissions: perms(['shell.execute'], { shell: ['npm test'] }),
        });
        b.globalBudgets.maximumToolCalls = 21;
      },
      'ADM-PLAN-29',
    ],
    [
      'through a node between',
      (b) => {
        b.nodes.push({ ...clone(at(b.nodes, 1)), id: 'm', dependsOn: ['n1'] });
        at(b.nodes, 1).dependsOn = ['m'];
        b.globalBudgets.maximumToolCalls = 30;
      },
      ok,
    ],
    [
      'one of two verifying nodes',
      (b) => {
        b.nodes.push({ ...clone(at(b.nodes, 1)), id: 'early', dependsOn: [] });
        b.globalBudgets.maximumToolCalls = 30;
      },
      ok,
    ],
  ]);

  const ordered: Make = async () => {
    const run = await fresh(world.client, 'analyze', 'agent_3_quality_review');
    accepted(await run.submit('QualityReview', quality(run, {}, { decision: 'remediate', fail: ['AC-1'] })));
    return run;
  };
  table('under a work order stays inside it', ordered, build, [
    ['the order uncited', (b, run) => set(at(b.nodes), { inputRefs: [run.last('TaskContract').ref] }), 'ADM-PLAN-08'],
    ['more calls than ordered', (b) => set(b.globalBudgets, { maximumToolCalls: 51 }), 'ADM-PLAN-09'],
    ['a permission that was not ordered', (b) => set(at(b.nodes).permissions.shell, { inspect: true }), 'ADM-PLAN-11'],
    ['a criterion that was not ordered', (b) => at(b.nodes).acceptanceCriteria.push('AC-2'), 'ADM-PLAN-23'],
    ['the id of the first plan', (b, run) => set(b, { id: run.last('WorkPlan').id }), 'ADM-COM-11'],
    ['unchanged', () => {}, ok],
  ]);

  table('of a diagnosis does not write yet', world.inPhase('anf', 'agent_3_plan'), build, [
    ['a permission to write', (b) => set(at(b.nodes).permissions.repository, { write: ['src/app.ts'] }), 'ADM-PLAN-13'],
    ['a criterion of the fix', (b) => at(b.nodes).acceptanceCriteria.push('AC-C'), 'ADM-PLAN-24'],
  ]);
});

describe('sub-agents', () => {
  const profile = { mode: 'analyze_only', caps: ['repository.read', 'subagent.spawn'], request: 'Look into the app.' };
  const start = { native_subagents: 'available' };
  const compiled: Make = async () => {
    const run = await fresh(world.client, profile, 'agent_2_compile', {}, { start });
    const body = contract(run);
    body.verificationRequirements.pop();
    accepted(await run.submit('TaskContract', body));
    accepted(await step(run));
    return run;
  };
  const spawning: Build<BodyOf<'WorkPlan'>> = (run) => {
    const body = plan(run);
    body.nodes.pop();
    const both = ['repository.read', 'subagent.spawn'];
    Object.assign(at(body.nodes), {
      acceptanceCriteria: ['AC-1', 'AC-2'],
      allowedTools: both,
      requiredCapabilities: both,
    });
    Object.assign(at(body.nodes), { permissions: perms(both), budgets: { maximumToolCalls: 10, maximumChildren: 2 } });
    body.globalBudgets.maximumSubagentDepth = 1;
    return ['WorkPlan', body];
  };
  table('are planned within the permission and the host', compiled, spawning, [
    ['no depth for them', (b) => set(b.globalBudgets, { maximumSubagentDepth: 0 }), 'ADM-PLAN-15'],
    ['deeper than the host goes', (b) => set(b.globalBudgets, { maximumSubagentDepth: 2 }), 'ADM-PLAN-06'],
    ['more children than permitted', (b) => set(at(b.nodes).budgets, { maximumChildren: 4 }), 'ADM-PLAN-14'],
    ['required without children', (b) => set(at(b.nodes).budgets, { maximumChildren: 0 }), 'ADM-PLAN-21'],
    ['unchanged', () => {}, ok],
  ]);

  const planned: Make = async () => {
    const run = await compiled();
    const [type, body] = spawning(run);
    accepted(await run.submit(type, body));
    accepted(await execEvidence(run));
    return run;
  };
  const spawns = (b: BodyOf<'WorkResult'>, more: number): void => {
    const one = b.actions.find(({ capability }) => capability === 'subagent.spawn');
    for (let i = 0; one && i < more; i += 1) b.actions.push({ ...one, id: `spawn-${i}` });
  };
  table('are counted in the result', planned, (run) => ['WorkResult', result(run)], [
    ['three of two', (b) => spawns(b, 2), 'ADM-RESULT-11'],
    ['two of two', (b) => spawns(b, 1), ok],
  ]);
});

describe('a work result', () => {
  type B = BodyOf<'WorkResult'>;
  const working =
    (profile: keyof typeof PROFILES): Make =>
    async () => {
      const run = await fresh(world.client, profile, 'agent_4_execute');
      accepted(await execEvidence(run, ['repository', 'test', 'log', 'diff', 'tool_output', 'user_confirmation']));
      return run;
    };
  const kindsOf = { analyze: ['repository'], fix: ['diff'] } as const;
  const build =
    (profile: 'analyze' | 'fix'): Build<B> =>
    (run) => {
      const all = run.nodeEv;
      run.nodeEv = Object.fromEntries(kindsOf[profile].map((kind) => [kind, all[kind] ?? '']));
      const body = result(run);
      run.nodeEv = all;
      return ['WorkResult', body];
    };
  const act = (run: Live, over: object): B['actions'][number] => ({
    ...{ id: 'act-9', capability: 'repository.read', target: 'src/util.ts', mutating: false, status: 'completed' },
    ...{ evidenceRefs: [run.nodeEv.repository ?? ''], rationaleSummary: why },
    ...over,
  });
  const stopped = (b: B): void => {
    b.status = 'partial';
    b.unresolvedIssues = ['Not finished.'];
  };
  const many = (b: B, run: Live, count: number, over: object): void => {
    for (let i = 0; i < count; i += 1) b.actions.push(act(run, { id: `x-${i}`, ...over }));
  };

  table('of an analysis', working('analyze'), build('analyze'), [
    [
      'that ran a raw command',
      (b, run) => {
        stopped(b);
        b.actions.push(act(run, { ...inspect, target: 'git status', status: 'failed' }));
      },
      'ADM-RESULT-05',
    ],
    [
      'that failed outside its node',
      (b, run) => {
        stopped(b);
        b.actions.push(act(run, { ...inspect, status: 'failed' }));
      },
      'ADM-RESULT-06',
    ],
    [
      'that tried to write',
      (b, run) => {
        stopped(b);
        b.actions.push(act(run, { capability: 'repository.write', mutating: true, status: 'failed' }));
      },
      'ADM-RESULT-03',
    ],
    [
      'that claims a denial of what is permitted',
      (b, run) => {
        stopped(b);
        b.actions.push(act(run, { status: 'denied' }));
      },
      'ADM-RESULT-07',
    ],
    ['that read a protected file', (b) => set(at(b.actions), { target: '.env' }), 'ADM-RESULT-08'],
    ['with 11 calls of 10', (b, run) => many(b, run, 10, {}), 'ADM-RESULT-02'],
    ['with a target of 2,049 characters', (b) => set(at(b.actions), { target: 'a'.repeat(2049) }), 'SCH-LEN-01'],
    [
      'that proves a read by the user',
      (b, run) => set(at(b.actions), { evidenceRefs: [run.nodeEv.user_confirmation ?? ''] }),
      'ADM-KIND-06',
    ],
    ['that rests on the plan', (b, run) => set(b, { evidenceRefs: [run.last('WorkPlan').ref] }), 'ADM-REF-19'],
    [
      'that covers a criterion by a document',
      (b, run) => set(at(b.acceptanceCoverage), { evidenceRefs: [at(run.manifest.derivedRefs)] }),
      'ADM-KIND-01',
    ],
    [
      'that passes what does not apply',
      (b) => set(at(b.acceptanceCoverage), { status: 'not_applicable' }),
      'SCH-RESULT-04',
    ],
    ['that observes an inference', (b) => set(at(b.observations), { status: 'inferred' }), 'SCH-RESULT-05'],
    ['for another node', (b) => set(b, { nodeId: 'n9' }), 'ADM-RESULT-26'],
    ['with 10 calls of 10', (b, run) => many(b, run, 9, {}), ok],
    [
      'with skipped actions beyond the calls',
      (b, run) => many(b, run, 20, { status: 'skipped', evidenceRefs: [] }),
      ok,
    ],
    [
      'with honest denials beyond the calls',
      (b, run) => {
        stopped(b);
        many(b, run, 20, { ...inspect, target: 'rm -rf /', status: 'denied', evidenceRefs: [] });
      },
      ok,
    ],
    [
      'with a denied escape',
      (b, run) => {
        stopped(b);
        b.actions.push(act(run, { target: '../x', status: 'denied', evidenceRefs: [] }));
      },
      ok,
    ],
    ['with a target of 2,005 characters', (b) => set(at(b.actions), { target: `src/${'a/'.repeat(1000)}x` }), ok],
    ['with an absolute target inside', (b) => set(at(b.actions), { target: `${world.root}/src/app.ts` }), ok],
    [
      'with a test command of kind test',
      (b, run) => {
        const ref = run.nodeEv.test ?? '';
        b.testResults = [
          {
            id: 'T',
            name: 'n',
            status: 'passed',
            commandRef: ref,
            outputRef: ref,
            exitCode: 255,
            rationaleSummary: why,
          },
        ];
      },
      ok,
    ],
    [
      'that found nothing',
      (b) =>
        Object.assign(b, {
          status: 'blocked',
          observations: [],
          actions: [],
          evidenceRefs: [],
          acceptanceCoverage: [],
        }),
      ok,
    ],
  ]);

  const write = (b: B): B['actions'][number] => at(b.actions);
  const file = (b: B): B['filesChanged'][number] => at(b.filesChanged);
  table('of a fix', working('fix'), build('fix'), [
    [
      'that changed a hook',
      (b) => {
        write(b).target = '.git/hooks/pre-commit';
        file(b).path = '.git/hooks/pre-commit';
      },
      'ADM-RESULT-08',
    ],
    [
      'that ran a command outside its node',
      (b, run) =>
        b.actions.push(act(run, { capability: 'shell.execute', target: 'npm test', evidenceRefs: [run.nodeEv.test] })),
      'ADM-RESULT-06',
    ],
    [
      'that changed a file by a failed write',
      (b) => {
        stopped(b);
        write(b).status = 'failed';
        at(b.acceptanceCoverage).status = 'unverified';
      },
      'ADM-RESULT-13',
    ],
    ['that created over a file', (b) => set(file(b), { changeType: 'created' }), 'SCH-FILE-01'],
    ['that names one path in two ways', (b) => set(write(b), { target: './src/app.ts' }), ok],
    [
      'that created a file',
      (b) => {
        Object.assign(file(b), { path: 'src/new.ts', changeType: 'created', beforeHash: null });
        write(b).target = 'src/new.ts';
      },
      ok,
    ],
    [
      'that changed two files',
      (b) => {
        b.actions.push({ ...write(b), id: 'w2', target: 'src/b.ts' });
        b.filesChanged.push({ ...file(b), path: 'src/b.ts', afterHash: hash('c') });
      },
      ok,
    ],
    [
      'that failed honestly',
      (b) => {
        stopped(b);
        write(b).status = 'failed';
        b.filesChanged = [];
        at(b.acceptanceCoverage).status = 'unverified';
      },
      ok,
    ],
  ]);
});

describe('Evidence', () => {
  type B = BodyOf<'Evidence'>;
  const key = `AKIA${'ABCDEFGHIJKLMNOP'}`;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const coded = (content: string) => (b: B) => Object.assign(b, { encoding: 'base64', content });

  table(
    'is scanned, bounded and canonical',
    world.inPhase('analyze', 'agent_4_execute'),
    (run) => ['Evidence', evidence(run, 'log')],
    [
      ['base64 with a line feed', coded(`${base64('hello world')}\n`), 'ADM-EVID-03'],
      ['base64 without padding', coded('aGVsbG8gd29ybGQ'), 'ADM-EVID-03'],
      ['base64 with loose bits', coded('QR=='), 'ADM-EVID-03'],
      ['base64 for URLs', coded('-_-_'), 'ADM-EVID-03'],
      ['padding alone', coded('===='), 'ADM-EVID-03'],
      ['a key inside base64', coded(base64(`${'x'.repeat(20_000)}\nkey ${key}\n`)), 'ADM-EVID-05'],
      ['a key in the summary', (b) => set(b, { summary: `key ${key}` }), 'ADM-EVID-05'],
      ['a key among the redactions', (b) => set(b, { redactions: [`was ${key}`] }), 'ADM-EVID-05'],
      ['32,769 characters', (b) => set(b, { content: 'a'.repeat(32_769) }), 'SCH-LEN-01'],
      ['16,385 two-byte characters', (b) => set(b, { content: 'é'.repeat(16_385) }), 'SCH-TEXT-01'],
      ['a day that is none', (b) => set(b, { capturedAt: '2026-02-30T00:00:00Z' }), 'SCH-TIME-01'],
      ['a time without a zone', (b) => set(b, { capturedAt: '2026-01-02T03:04:05' }), 'SCH-TIME-01'],
      ['the id of the plan', (b, run) => set(b, { id: run.last('WorkPlan').id }), 'ADM-EVID-08'],
      ['binary base64', coded(Buffer.from([0, 255, 254, 1]).toString('base64')), ok],
      ['32,768 characters of base64', coded('A'.repeat(32_768)), ok],
      ['a time without seconds', (b) => set(b, { capturedAt: '2024-02-29T23:59+05:30' }), ok],
      ['an id with every sign', (b) => set(b, { id: 'ev:1.a_b-c' }), ok],
    ],
  );
});
