import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import {
  clarification,
  clone,
  contract,
  contract2,
  contract2Src,
  frame,
  fresh,
  review,
} from '../conformance/scenarios/lib/build.mjs';
import {
  accepted,
  at,
  type Build,
  instead,
  type Make,
  outcomesOf,
  type Row,
  set,
  sharedWorld,
  table,
  wanted,
} from './bench.ts';

/** One change each to a valid body of intent: boundary values, modes and references beyond the black-box scenarios. */

const world = sharedWorld();
const ok = 'accepted';

describe('a problem frame', () => {
  type B = BodyOf<'ProblemFrame'>;
  const build: Build<B> = (run) => ['ProblemFrame', frame(run)];
  const json = (text: string): unknown => instead({ body_json: text });

  table('is judged by its bounds', world.inPhase('analyze', 'agent_1_frame'), build, [
    ['a goal of 16,385 two-byte characters', (b) => set(b, { goal: 'é'.repeat(16_385) }), 'SCH-TEXT-01'],
    ['a rationale of 2,049 two-byte characters', (b) => set(b, { rationaleSummary: 'é'.repeat(2049) }), 'SCH-SUM-01'],
    ['257 constraints', (b) => set(b, { constraints: Array(257).fill('x') }), 'SCH-LEN-02'],
    ['a scope of 1,025 characters', (b) => set(b.scope, { include: ['a'.repeat(1025)] }), 'SCH-LEN-01'],
    ['a confidence above 1', (b) => set(at(b.inferences), { confidence: 1.0001 }), 'SCH-NUM-01'],
    ['an id with a line feed', (b) => set(b, { id: 'frame-1\n' }), 'SCH-ID-01'],
    ['a missing nullable', (b) => json(JSON.stringify(b).replace(',"reason":null', '')), 'SCH-KEY-02'],
    ['null for a list', (b) => json(JSON.stringify({ ...b, unknowns: null })), 'SCH-TYPE-01'],
    [
      'a number as text',
      (b) => json(JSON.stringify(b).replace('"confidence":0.6', '"confidence":"0.6"')),
      'SCH-TYPE-01',
    ],
    [
      'a criterion that bears the id of a fact',
      (b) => set(at(b.draftAcceptanceCriteria), { id: 'F-1' }),
      'SCH-FRAME-01',
    ],
    ['a goal of 16,384 two-byte characters', (b) => set(b, { goal: 'é'.repeat(16_384) }), ok],
    ['256 constraints', (b) => set(b, { constraints: Array(256).fill('x') }), ok],
    ['an id of 128 characters', (b) => set(b, { id: 'f'.repeat(128) }), ok],
    ['an own __proto__ key', (b) => json(JSON.stringify(b).replace('{', '{"__proto__":{"a":1},')), ok],
    ['no facts at all', (b) => Object.assign(b, { knownFacts: [], inferences: [], applicableRuleRefs: [] }), ok],
  ]);

  table('cites what it may cite', world.inPhase('analyze', 'agent_1_frame'), build, [
    ['itself', (b, run) => set(at(b.inferences), { sourceRefs: [run.uri(b.id)] }), 'ADM-REF-16'],
    ['two id segments', (b, run) => set(at(b.inferences), { sourceRefs: [`${run.requestRef}/x`] }), 'ADM-REF-13'],
    [
      'an event that is not there',
      (b, run) => set(at(b.inferences), { sourceRefs: [`trace://${run.runId}/event-9999`] }),
      'ADM-REF-11',
    ],
    [
      'an event number without zeros',
      (b, run) => set(at(b.inferences), { sourceRefs: [`trace://${run.runId}/event-1`] }),
      'ADM-REF-11',
    ],
    ['the trace of another run', (b) => set(at(b.inferences), { sourceRefs: ['trace://another-run'] }), 'ADM-REF-09'],
    [
      'a role where facts belong',
      (b) => set(at(b.inferences), { sourceRefs: ['artifact://system/roles/executor-v1'] }),
      'ADM-REF-04',
    ],
    ['an invented role', (b) => set(b, { applicableRuleRefs: ['artifact://system/roles/boss-v1'] }), 'ADM-REF-04'],
    [
      'the envelope as the user',
      (b, run) => set(at(b.knownFacts), { sourceRef: run.uri(run.envelopeId) }),
      'ADM-FRAME-06',
    ],
    ['a file as the browser', (b) => set(at(b.knownFacts, 1), { provenance: 'browser' }), 'ADM-FRAME-08'],
    [
      '256 references with the body',
      (_, run) => instead({ source_refs: Array.from({ length: 256 }, (_e, i) => `trace://${run.runId}/e-${i}`) }),
      'ADM-REF-02',
    ],
    ['the id of the request', (b, run) => set(b, { id: run.requestId }), 'ADM-COM-11'],
    ['the id of the envelope', (b, run) => set(b, { id: run.runId }), 'ADM-COM-11'],
    [
      'the first finding in the order of the page',
      (b, run) => {
        b.intentMode = 'plan_only';
        at(b.inferences).sourceRefs = [run.uri('none')];
      },
      'ADM-REF-16',
    ],
    [
      'roles and rubrics as rules',
      (b) =>
        set(b, {
          applicableRuleRefs: [
            'artifact://system/roles/quality_controller-reverify-v1',
            'artifact://system/rubrics/execution-quality-v1',
          ],
        }),
      ok,
    ],
    [
      'the stored copy of a selected file',
      (b, run) => set(at(b.knownFacts, 1), { sourceRef: at(run.manifest.derivedRefs) }),
      ok,
    ],
    [
      'its own trace and two events',
      (_, run) =>
        instead({
          source_refs: [`trace://${run.runId}`, `trace://${run.runId}/event-0001`, `trace://${run.runId}/event-0002`],
        }),
      ok,
    ],
  ]);

  table('is refused when no contract could satisfy it', world.inPhase('anf', 'agent_1_frame'), build, [
    ['no criterion', (b) => set(b, { draftAcceptanceCriteria: [] }), 'ADM-FRAME-11'],
    ['no criterion of the diagnosis', (b) => b.draftAcceptanceCriteria.shift(), 'ADM-FRAME-11'],
    ['no criterion of the fix', (b) => b.draftAcceptanceCriteria.pop(), 'ADM-FRAME-11'],
  ]);

  it('of more than 2 MiB is refused as too much, of less is taken', async () => {
    const run = await fresh(world.client, 'analyze', 'agent_1_frame');
    const fact = { claim: 'x'.repeat(9000), provenance: 'user', sourceRef: run.requestRef } as const;
    const facts = Array.from({ length: 256 }, (_, i) => ({ ...fact, id: `K-${i}` }));
    const rows: readonly Row<B>[] = [
      ['256 long facts', (b) => set(b, { knownFacts: facts }), 'ADM-COM-13'],
      ['200 long facts', (b) => set(b, { knownFacts: facts.slice(0, 200) }), ok],
    ];
    const own: Build<B> = (one) => ['ProblemFrame', { ...frame(one), runId: one.runId }];
    expect(await outcomesOf(async () => run, own, rows)).toEqual(wanted(rows));
  });

  table(
    'of a micro run keeps to one criterion and three facts',
    world.inPhase('report_micro', 'agent_1_frame'),
    build,
    [
      ['no criterion', (b) => set(b, { draftAcceptanceCriteria: [] }), 'ADM-FRAME-01'],
      ['a criterion of the diagnosis', (b) => set(at(b.draftAcceptanceCriteria), { stage: 'diagnosis' }), ok],
      ['a criterion id of 128 characters', (b) => set(at(b.draftAcceptanceCriteria), { id: 'A'.repeat(128) }), ok],
      ['the id of a companion', (b) => set(b, { id: 'contract-01' }), ok],
    ],
  );
});

describe('a task contract', () => {
  type B = BodyOf<'TaskContract'>;
  const build: Build<B> = (run) => ['TaskContract', contract(run)];
  const required = { id: 'VR-1', stage: 'completion', description: 'd', required: true, fallback: null } as const;

  table('keeps to the frame and to the authority', world.inPhase('analyze', 'agent_2_compile'), build, [
    ['version 3', (b) => set(b, { version: 3 }), 'SCH-NUM-01'],
    ['the criteria in another order', (b) => b.acceptanceCriteria.reverse(), 'ADM-CONTRACT-06'],
    ['a rule twice', (b) => b.ruleRefs.push(at(b.ruleRefs)), 'ADM-CONTRACT-07'],
    [
      'the source of an inference left out',
      (b) => set(b, { contextRefs: b.contextRefs.slice(0, 1) }),
      'ADM-CONTRACT-03',
    ],
    [
      'children without a right to spawn',
      (b) => set(b.permissions.subagents, { maximumChildren: 1 }),
      'ADM-CONTRACT-11',
    ],
    ['17 children', (b) => set(b.permissions.subagents, { maximumChildren: 17 }), 'SCH-NUM-01'],
    ['a command with a wildcard', (b) => set(b.permissions.shell, { executeAllowlist: ['npm *'] }), 'ADM-CONTRACT-10'],
    [
      'a verification by writing',
      (b) => instead({ body: { ...b, verificationRequirements: [{ ...required, capability: 'repository.write' }] } }),
      'SCH-ENUM-01',
    ],
    [
      'a verification by an ungranted capability',
      (b) => set(at(b.verificationRequirements), { capability: 'network.read' }),
      'ADM-CONTRACT-09',
    ],
    [
      'more context than needed',
      (b, run) => set(b, { contextRefs: [...new Set([...b.contextRefs, ...run.repoRefs])] }),
      ok,
    ],
    ['several narrow scopes', (b) => set(b.permissions.repository, { read: ['src/app.ts', 'docs/*.md'] }), ok],
    [
      'no outputs, stops or assumptions',
      (b) => Object.assign(b, { requiredOutputs: [], stopConditions: [], assumptions: [] }),
      ok,
    ],
  ]);

  table('of a plan_only run may demand a verification', world.inPhase('plan', 'agent_2_compile'), build, [
    [
      'of the diagnosis',
      (b) => set(b, { verificationRequirements: [{ ...required, stage: 'diagnosis', capability: 'repository.read' }] }),
      'SCH-CONTRACT-06',
    ],
    [
      'beyond the mode',
      (b) => set(b, { verificationRequirements: [{ ...required, capability: 'shell.inspect' }] }),
      'ADM-CONTRACT-09',
    ],
    [
      'that the mode can make',
      (b) => set(b, { verificationRequirements: [{ ...required, capability: 'repository.read' }] }),
      ok,
    ],
  ]);

  const mending = {
    ...{ mode: 'analyze_and_fix', request: 'Find out why app ignores util and repair it.', shell: ['npm test'] },
    caps: ['repository.read', 'repository.write', 'shell.execute'],
  };
  table('is refused when no plan could follow it', world.inPhase(mending, 'agent_2_compile'), build, [
    [
      'a diagnosis verified by a command',
      (b) => set(at(b.verificationRequirements), { capability: 'shell.execute' }),
      'ADM-CONTRACT-12',
    ],
    ['a fix verified by a command', (b) => set(at(b.verificationRequirements, 1), { capability: 'shell.execute' }), ok],
  ]);

  const revised =
    (finding: Partial<BodyOf<'PromptReview'>['findings'][number]>): Make =>
    async () => {
      const run = await fresh(world.client, 'analyze', 'agent_1_review');
      const body = review(run, 'revise');
      Object.assign(at(body.findings), finding);
      accepted(await run.submit('PromptReview', body));
      return run;
    };
  const second: Build<B> = (run) => ['TaskContract', contract2(run), contract2Src(run)];

  table('of version 2 changes what was asked and nothing else', revised({}), second, [
    ['only the review cited', (_, run) => instead({ source_refs: [run.last('PromptReview').ref] }), 'ADM-REVISE-02'],
    [
      'only the first contract cited',
      (_, run) => instead({ source_refs: [run.last('TaskContract').ref] }),
      'ADM-REVISE-02',
    ],
    ['another rationale', (b) => set(b, { rationaleSummary: 'Other.' }), 'ADM-REVISE-05'],
    ['narrower permissions', (b) => set(b.permissions.repository, { read: ['src/**'] }), 'ADM-REVISE-05'],
    ['the id of the first', (b, run) => set(b, { id: run.last('TaskContract').id }), 'ADM-COM-11'],
    ['keys in another order', (b) => set(b, { scope: { exclude: b.scope.exclude, include: b.scope.include } }), ok],
  ]);
  table(
    'of version 2 may follow a review that keeps id and version',
    revised({ preserveFields: ['id', 'version'] }),
    second,
    [['unchanged', () => {}, ok]],
  );
});

describe('a prompt review', () => {
  type B = BodyOf<'PromptReview'>;
  const scores = (b: B, list: readonly number[], overall: number): void => {
    const names = Object.keys(b.dimensionScores);
    Object.assign(b.dimensionScores, Object.fromEntries(names.map((name, i) => [name, list[i]])));
    b.overallScore = overall;
  };
  const fractional = [81.9, 30.8, 53.6, 84.7, 70, 11.1];

  table(
    'is weighed in doubles and covers each source once',
    world.inPhase('analyze', 'agent_1_review'),
    (run) => ['PromptReview', review(run)],
    [
      ['79.99', (b) => scores(b, Array(6).fill(79.99), 79.99), 'SCH-PREVIEW-04'],
      ['four entries of coverage', (b) => b.coverage.push(clone(at(b.coverage))), 'ADM-REVIEW-02'],
      ['a field covered twice', (b) => at(b.coverage).contractFields.push('objective'), 'ADM-REVIEW-03'],
      ['a field that no source owns', (b) => at(b.coverage).contractFields.push('id'), 'ADM-REVIEW-03'],
      ['a file as a source', (b, run) => set(at(b.coverage), { sourceRef: at(run.repoRefs) }), 'ADM-REVIEW-03'],
      [
        'coverage in another order',
        (b) => {
          b.coverage.reverse();
          for (const entry of b.coverage) entry.contractFields.reverse();
        },
        ok,
      ],
      [
        'a gate that rests on a file and the request',
        (b, run) => set(at(b.hardGates), { evidenceRefs: [at(run.repoRefs), run.requestRef] }),
        ok,
      ],
    ],
  );
  table(
    'that blocks or asks for a revision',
    world.inPhase('analyze', 'agent_1_review'),
    (run) => ['PromptReview', review(run, 'block')],
    [
      ['rounds scaled integers', (b) => scores(b, fractional, 63.27), 'SCH-PREVIEW-01'],
      [
        'keeps and corrects one field',
        (b, run) => {
          Object.assign(b, review(run, 'revise'));
          at(b.findings).preserveFields = ['objective'];
        },
        'ADM-REVIEW-05',
      ],
      [
        'keeps what another finding corrects',
        (b, run) => {
          Object.assign(b, review(run, 'revise'));
          b.findings.push({
            ...at(b.findings),
            id: 'FN-2',
            severity: 'info',
            preserveFields: ['objective'],
            correctionFields: [],
          });
        },
        'ADM-REVIEW-05',
      ],
      ['blocks without a source', (b) => set(at(b.findings), { sourceRefs: [] }), 'SCH-FIND-01'],
      ['rounds doubles', (b) => scores(b, fractional, 63.26), ok],
      ['leaves a source uncovered', (b) => set(at(b.coverage), { status: 'missing' }), ok],
    ],
  );
});

describe('a question', () => {
  type B = BodyOf<'ClarificationRequest'>;
  type Choice = B['responseChoices'][number];
  const choice = (id: string, runEffect: Choice['runEffect']): Choice => ({
    ...{ id, label: id, consequence: `What ${id} does.`, authorityEffect: 'within_current_authority', runEffect },
  });
  table(
    'offers choices that differ',
    world.inPhase('analyze', 'agent_1_frame'),
    (run) => ['ClarificationRequest', clarification(run)],
    [
      [
        'one consequence twice',
        (b) => set(at(b.responseChoices, 1), { consequence: at(b.responseChoices).consequence }),
        'SCH-CLAR-02',
      ],
      ['a label of 256 characters', (b) => set(at(b.responseChoices), { label: 'x'.repeat(256) }), 'SCH-LEN-01'],
      [
        'wider authority where none is asked for',
        (b) => b.responseChoices.push({ ...choice('wide', 'new_run'), authorityEffect: 'requires_new_run' }),
        'SCH-CLAR-04',
      ],
      ['evidence that is not there', (b, run) => set(b, { evidenceInspected: [run.uri('none')] }), 'ADM-REF-16'],
      ['only endings', (b) => set(b, { responseChoices: [choice('a', 'cancel'), choice('b', 'cancel')] }), ok],
      ['only ways on', (b) => set(b, { responseChoices: [choice('a', 'resume'), choice('b', 'resume')] }), ok],
    ],
  );
});
