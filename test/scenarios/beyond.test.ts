import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  clarification,
  evidence,
  execEvidence,
  frame,
  fresh,
  Live,
  nextBody,
  report,
  result,
  review,
  scenarioSpec,
  step,
  walkTo,
} from '../conformance/scenarios/lib/build.mjs';
import type { Answer } from '../conformance/scenarios/lib/client.mjs';
import { accepted, at, eventsOf, payloadOf, runOf, sharedWorld, verdictOf } from './bench.ts';

/** Calls that are sent again, refused or answered: what they must leave behind, beyond the black-box scenarios. */

const world = sharedWorld();
type Args = Readonly<Record<string, unknown>>;
const call = (tool: string, args: Args): Promise<Answer> => world.client.call(`telic_${tool}`, args);
const inPhase = (profile: Parameters<typeof fresh>[1], phase?: string): Promise<Live> =>
  fresh(world.client, profile, phase);
const submit = (token: Args, args: Args): Promise<Answer> =>
  world.client.call('telic_submit_artifact', { ...token, ...args });

/** Sends the valid body of the current phase, which must be taken. */
const go = async (run: Live): Promise<void> => {
  accepted(await step(run));
};
const typesOf = async (run: Live): Promise<readonly string[]> =>
  (await eventsOf(run)).map(({ eventType }) => eventType);

describe('a call that is sent again', () => {
  const Told = z.looseObject({
    already_accepted: z.object({ artifactRef: z.string(), version: z.number() }).optional(),
    current: z.object({ version: z.number(), actionId: z.string() }),
    nextAction: z.looseObject({ id: z.string() }).optional(),
  });
  const told = async (answer: Promise<Answer>) => {
    const payload = payloadOf(await answer);
    expect(payload).toMatchObject({ ok: false, code: 'stale_version', kind: 'stale' });
    return Told.parse(payload);
  };

  it('is told what became of it, however the body is spelled, and leaves nothing', async () => {
    const run = await inPhase('analyze', 'agent_1_frame');
    const token = run.tok();
    const body = frame(run);
    accepted(await run.submit('ProblemFrame', body));
    const before = await eventsOf(run);
    const spellings: readonly Args[] = [
      { body },
      { body_json: JSON.stringify(body, null, 2) },
      { body: Object.fromEntries(Object.entries(body).reverse()) },
      { body, expected_run_version: String(token.expected_run_version) },
    ];
    for (const spelling of spellings)
      expect(await told(submit(token, { artifact_type: 'ProblemFrame', ...spelling }))).toMatchObject({
        already_accepted: { artifactRef: run.uri(body.id), version: run.version },
        current: { version: run.version, actionId: run.action.id },
        nextAction: { id: run.action.id },
      });
    const other = await told(submit(token, { artifact_type: 'ProblemFrame', body: { ...body, goal: 'Other.' } }));
    expect(other.already_accepted).toBeUndefined();
    await go(run);
    const later = await told(submit(token, { artifact_type: 'ProblemFrame', body }));
    expect(later.already_accepted?.version).toBe(token.expected_run_version + 1);
    expect(later.current.version).toBe(run.version);
    expect((await eventsOf(run)).slice(0, before.length)).toEqual(before);
    expect(await typesOf(run)).not.toContain('transition_denied');
  });

  it('may be a question, an answer or the last report', async () => {
    const run = await inPhase('plan', 'agent_3_plan');
    const asked = run.tok();
    const question = clarification(run);
    accepted(await run.clarify(question));
    const again = await told(submit(asked, { artifact_type: 'ClarificationRequest', body: question }));
    expect(again.already_accepted?.artifactRef).toBe(run.clarRef);
    const answered = run.tok();
    accepted(await run.answer('go-on'));
    const same = await told(submit(answered, { clarification_response: 'go-on' }));
    expect(same.already_accepted).toEqual({ artifactRef: at(run.lineage ?? [], 1), version: run.version });
    const other = await told(submit(answered, { clarification_response: 'stop' }));
    expect(other.already_accepted).toBeUndefined();
    await walkTo(run, 'user_report');
    const reporting = run.tok();
    const body = report(run);
    accepted(await run.submit('UserReport', body));
    const last = await told(submit(reporting, { artifact_type: 'UserReport', body }));
    expect(last).toMatchObject({ already_accepted: { version: run.version }, nextAction: { kind: 'terminal' } });
  });

  it('stores supporting artifacts once, at any version of their phase, and never under other content', async () => {
    const run = await inPhase('analyze', 'agent_4_execute');
    const body = evidence(run, 'repository');
    const sent = { artifact_type: 'Evidence', body };
    accepted(await run.submit('Evidence', body));
    const before = await eventsOf(run);
    accepted(await run.rawSubmit(sent));
    accepted(await run.rawSubmit({ artifact_type: 'Evidence', body_json: JSON.stringify(body) }));
    expect(verdictOf(await run.rawSubmit({ ...sent, body: { ...body, content: 'other' } }))).toBe('ADM-EVID-08');
    expect(verdictOf(await run.rawSubmit({ ...sent, source_refs: [run.requestRef] }))).toBe('ADM-EVID-08');
    expect((await eventsOf(run)).filter(({ eventType }) => eventType === 'artifact_recorded')).toEqual(
      before.filter(({ eventType }) => eventType === 'artifact_recorded'),
    );
    run.nodeEv = { repository: run.uri(body.id) };
    accepted(await run.submit('WorkResult', result(run)));
    accepted(await run.rawSubmit(sent));
    await go(run);
    expect(payloadOf(await run.rawSubmit(sent))).toMatchObject({ code: 'wrong_phase' });

    const told = await inPhase('analyze', 'agent_2_compile');
    const story = scenarioSpec(told);
    accepted(await told.submit('ScenarioSpec', story));
    accepted(await told.rawSubmit({ artifact_type: 'ScenarioSpec', body: story }));
    const other = { artifact_type: 'ScenarioSpec', body: { ...story, title: 'Other' } };
    expect(verdictOf(await told.rawSubmit(other))).toBe('ADM-SCEN-05');
    expect(verdictOf(await told.rawSubmit({ ...other, body: { ...story, id: 'second' } }))).toBe('ADM-SCEN-04');
  });
});

describe('a refused submission', () => {
  it('is kept without content, eight times a version, and anew at the next', async () => {
    const run = await inPhase('analyze', 'agent_1_frame');
    const wrong = { ...frame(run), intentMode: 'plan_only', goal: 'SECRETWORD' };
    for (let i = 0; i < 11; i += 1) await run.rawSubmit({ artifact_type: 'ProblemFrame', body: wrong });
    const denied = (await eventsOf(run)).filter(({ eventType }) => eventType === 'transition_denied');
    expect(denied).toHaveLength(8);
    expect(denied.every(({ actor, inputRefs }) => actor === 'scenario_author' && inputRefs.length === 0)).toBe(true);
    expect(JSON.stringify(denied)).not.toContain('SECRETWORD');
    await go(run);
    await run.rawSubmit({ artifact_type: 'ProblemFrame', body: wrong });
    expect((await typesOf(run)).filter((type) => type === 'transition_denied')).toHaveLength(9);
  });

  it('leaves nothing when only its arguments or its token were wrong', async () => {
    const run = await inPhase('analyze', 'agent_1_frame');
    const before = await eventsOf(run);
    const body = frame(run);
    const calls: readonly Args[] = [
      { artifact_type: 'ProblemFrame' },
      { artifact_type: 'ProblemFrame', body, surprise: 1 },
      { artifact_type: 'ProblemFrame', body, source_refs: '["artifact://x/y"]' },
      { artifact_type: 'ProblemFrame', body: JSON.stringify(body) },
      { artifact_type: 'ProblemFrame', body, expected_run_version: '1e0' },
      { artifact_type: 'ProblemFrame', body, expected_run_version: 1 },
      { artifact_type: 'ProblemFrame', body, action_id: `${run.action.id}0` },
    ];
    for (const args of calls) expect(payloadOf(await run.rawSubmit(args)).ok).toBe(false);
    expect(await eventsOf(run)).toEqual(before);
    const nulls = { source_refs: null, clarification_response: null, body: null };
    accepted(await run.rawSubmit({ artifact_type: 'ProblemFrame', body_json: JSON.stringify(body), ...nulls }));
  });

  it('that reports an unpermitted act is recorded once as a denial, and the report may admit it', async () => {
    const run = await inPhase('analyze', 'agent_4_execute');
    accepted(await execEvidence(run, ['diff']));
    const body = result(run);
    const write = { ...at(body.actions), id: 'w', capability: 'repository.write', mutating: true } as const;
    body.actions.push({ ...write, evidenceRefs: [run.nodeEv.diff ?? ''] });
    for (let i = 0; i < 2; i += 1)
      expect(payloadOf(await run.rawSubmit({ artifact_type: 'WorkResult', body }))).toMatchObject({
        code: 'permission_denied',
        rule: 'ADM-RESULT-03',
      });
    const checks = (await eventsOf(run)).filter(({ eventType }) => eventType === 'permission_checked');
    expect(checks).toMatchObject([
      { actor: 'controller', permissionDecision: { decision: 'deny', scope: 'src/app.ts' } },
    ]);
    expect(await typesOf(run)).not.toContain('transition_denied');
    accepted(await run.clarify(clarification(run)));
    accepted(await run.answer('go-on'));
    const lineage = run.lineage ?? [];
    accepted(await run.submit('ClarificationRequest', clarification(run)));
    const blocked = { terminalStatus: 'blocked', permissionsHonored: false } as const;
    const refs = { findingRefs: [run.last('ClarificationRequest').ref], completionClaims: [], unresolvedRisks: ['x'] };
    accepted(
      await run.rawSubmit({
        artifact_type: 'UserReport',
        body: report(run, { ...blocked, ...refs }),
        source_refs: lineage,
      }),
    );
  });
});

describe('a question and its answer', () => {
  it('bind the next phase artifact, wherever it cites them, and no supporting one', async () => {
    const run = await inPhase('analyze', 'agent_1_review');
    accepted(await run.clarify(clarification(run)));
    for (const wrong of ['GO-ON', 'go-on\n', 'Go on', 'a'.repeat(32_768)])
      expect(verdictOf(await submit(run.tok(), { clarification_response: wrong }))).toBe('ADM-CLR-10');
    accepted(await run.answer('go-on'));
    const [question = '', answer = ''] = run.lineage ?? [];
    const body = review(run);
    const half = { artifact_type: 'PromptReview', body, source_refs: [answer] };
    expect(verdictOf(await run.rawSubmit(half))).toBe('ADM-CLR-05');
    at(body.hardGates).evidenceRefs = [question, answer];
    accepted(await run.rawSubmit({ artifact_type: 'PromptReview', body }));

    const working = await inPhase('analyze', 'agent_4_execute');
    accepted(await working.clarify(clarification(working)));
    accepted(await working.answer('go-on'));
    accepted(await working.rawSubmit({ artifact_type: 'Evidence', body: evidence(working, 'log') }));
    accepted(await execEvidence(working));
    const [artifact_type, unbound] = nextBody(working);
    expect(verdictOf(await working.rawSubmit({ artifact_type, body: unbound }))).toBe('ADM-CLR-05');
  });

  it('asked while the first answer is unused leads to a blocked report that inherits the duty', async () => {
    const run = await inPhase('analyze', 'agent_3_plan');
    accepted(await run.clarify(clarification(run)));
    accepted(await run.answer('go-on'));
    const lineage = run.lineage ?? [];
    run.lineage = null;
    accepted(await run.submit('ClarificationRequest', clarification(run)));
    expect(await runOf(run)).toMatchObject({ phase: 'agent_5_report', outcomeHint: 'blocked', status: 'running' });
    const body = report(run, { findingRefs: [run.last('ClarificationRequest').ref] });
    const sent = { artifact_type: 'UserReport', body };
    expect(verdictOf(await run.rawSubmit(sent))).toBe('ADM-CLR-05');
    accepted(await run.rawSubmit({ ...sent, source_refs: lineage }));
    expect(await typesOf(run)).toContain('budget_consumed');
  });

  it('before grounding need no citing: the controller does', async () => {
    const run = new Live(world.client, 'analyze');
    accepted(await run.start());
    accepted(await run.clarify(clarification(run)));
    expect(payloadOf(await call('ground_context', run.tok()))).toMatchObject({ kind: 'refused' });
    accepted(await run.answer('go-on'));
    accepted(await run.ground());
    run.lineage = null;
    await go(run);
  });

  it.each([
    ['stop', 'cancel'],
    ['new', 'new_run'],
  ])('end the run without a report when the choice is %s', async (choice) => {
    const run = await inPhase('analyze', 'agent_1_frame');
    accepted(await run.clarify(clarification(run, {}, { reason: 'permission_expanding' })));
    accepted(await run.answer(choice));
    expect(run.action).toMatchObject({ kind: 'terminal', status: 'cancelled', reportRef: null });
    expect((await typesOf(run)).slice(-2)).toEqual(['transition_allowed', 'run_terminated']);
  });
});
