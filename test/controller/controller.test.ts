import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkBody } from '../../schemas/issues.ts';
import type { Controller, Moved, TokenArgs } from '../../src/controller/api.ts';
import { failureOf, workbench } from './bench.ts';

const Missing = z.object({ add: z.array(z.string()) });

const tokenOf = ({ run, nextAction }: Moved): TokenArgs => ({
  runId: run.runId,
  actionId: nextAction.id,
  expectedVersion: run.version,
});

const request = 'Why does the answer differ from the one in the notes?';

const begin = (controller: Controller) =>
  controller.start({
    originalRequest: request,
    mode: 'analyze_only',
    hostName: 'test-host',
    hostCapabilities: ['repository.read', 'shell.inspect'],
  });

const grounded = async (controller: Controller) => controller.ground(tokenOf(await begin(controller)));

const requestRef = async (controller: Controller, runId: string): Promise<string> => {
  const { artifacts } = await controller.run(runId);
  return `artifact://${runId}/${artifacts.find(({ type }) => type === 'UserMessage')?.id}`;
};

const frameFor = async (controller: Controller, runId: string, id = 'frame-01') => {
  const originalRequestRef = await requestRef(controller, runId);
  return {
    schemaVersion: '1.0',
    id,
    runId,
    originalRequestRef,
    intentMode: 'analyze_only',
    goal: 'Say why the two answers differ.',
    knownFacts: [
      { id: 'KF-1', claim: 'The user sees two answers.', provenance: 'user', sourceRef: originalRequestRef },
    ],
    inferences: [],
    unknowns: [],
    scope: { include: ['src/**'], exclude: [] },
    constraints: [],
    nonGoals: [],
    applicableRuleRefs: [],
    draftAcceptanceCriteria: [
      {
        id: 'AC-1',
        stage: 'completion',
        requirement: 'The cause is named with its evidence.',
        evidenceRequired: ['repository'],
      },
    ],
    clarification: { required: false, reason: null },
    rationaleSummary: 'The request names the symptom.',
  };
};

const questionFor = async (controller: Controller, runId: string, id = 'question-01') => ({
  schemaVersion: '1.0',
  id,
  runId,
  question: 'Which of the two answers is the right one?',
  reason: 'user_owned_materially_divergent',
  divergence: 'The cause is another one for each reading.',
  evidenceInspected: [await requestRef(controller, runId)],
  blockedBoundary: 'the goal',
  responseConstraints: 'Name one choice.',
  responseChoices: [
    {
      id: 'code',
      label: 'The code',
      consequence: 'The notes are wrong.',
      authorityEffect: 'within_current_authority',
      runEffect: 'resume',
    },
    {
      id: 'stop',
      label: 'Stop',
      consequence: 'Nothing is looked at.',
      authorityEffect: 'within_current_authority',
      runEffect: 'cancel',
    },
  ],
  permissionExpansionRequired: false,
  rationaleSummary: 'Only the user knows.',
});

const submit = (
  controller: Controller,
  at: Moved,
  artifactType: string,
  body: unknown,
  sourceRefs: readonly string[] = [],
) => controller.submit({ ...tokenOf(at), artifactType, body, sourceRefs });

describe('starting and grounding', () => {
  it('starts at version 1 in context discovery, with request, envelope and two trace events', async () => {
    const { controller } = workbench().open();
    const started = await begin(controller);
    expect(started.run).toMatchObject({
      version: 1,
      status: 'running',
      phase: 'context_grounding',
      topology: 'standard',
    });
    expect(started.nextAction).toMatchObject({
      kind: 'phase',
      phase: 'context_discovery',
      id: `action:${started.run.runId}:1`,
    });
    const { artifacts } = await controller.run(started.run.runId);
    expect(artifacts.map(({ type }) => type)).toEqual(['UserMessage', 'RunEnvelope']);
    const { events } = await controller.trace(started.run.runId, 0, 100);
    expect(events.map(({ eventType }) => eventType)).toEqual(['run_started', 'topology_classified']);
    for (const event of events) expect(checkBody('TraceEvent', event)).toMatchObject({ ok: true });
  });

  it('refuses a start whose arguments break rules, and stores nothing', async () => {
    const { controller } = workbench().open();
    const failure = await failureOf(
      controller.start({ originalRequest: '  ', mode: 'fix_only', shellExecuteAllowlist: ['npm test'] }),
    );
    expect(failure).toMatchObject({ code: 'invalid_arguments', kind: 'bad_input', rule: 'ADM-START-01' });
    expect(failure.issues.length).toBeGreaterThan(1);
    expect((await controller.listRuns(20)).runs).toEqual([]);
  });

  it('grounds the repository: documents, then the manifest, in one step to version 2', async () => {
    const { controller, ledger } = workbench().open();
    const done = await grounded(controller);
    expect(done.run).toMatchObject({ version: 2, phase: 'agent_1_frame' });
    expect(done.manifest.candidates.map((candidate) => candidate.ref).toSorted()).toEqual([
      'repo://README.md',
      'repo://src/app.ts',
    ]);
    const { artifacts } = await controller.run(done.run.runId);
    expect(artifacts.map(({ type }) => type)).toEqual([
      'UserMessage',
      'RunEnvelope',
      'ContextDocument',
      'ContextDocument',
      'ContextManifest',
    ]);
    expect(ledger.head(done.run.runId)).toBe(2);
  });

  it('gives the same action everywhere while the version stays', async () => {
    const { controller } = workbench().open();
    const done = await grounded(controller);
    const { nextAction } = await controller.nextAction(done.run.runId);
    expect(JSON.stringify(nextAction)).toBe(JSON.stringify(done.nextAction));
    expect(JSON.stringify((await controller.run(done.run.runId)).nextAction)).toBe(JSON.stringify(done.nextAction));
    expect(checkBody('NextAction', nextAction)).toMatchObject({ ok: true });
  });

  it('tells a run of another server apart from none', async () => {
    const bench = workbench();
    const first = bench.open().controller;
    const { run } = await begin(first);
    expect((await bench.open().controller.run(run.runId)).run).toEqual(run);
    expect(await failureOf(first.nextAction('no-such-run'))).toMatchObject({
      code: 'run_not_found',
      rule: 'ADM-TR-01',
    });
  });
});

describe('the token', () => {
  it('refuses a stale version and a foreign action with the current token, and writes nothing', async () => {
    const { controller, ledger } = workbench().open();
    const started = await begin(controller);
    const done = await controller.ground(tokenOf(started));
    const head = ledger.head(done.run.runId);
    const current = { version: 2, actionId: done.nextAction.id };
    const body = await frameFor(controller, done.run.runId);
    expect(await failureOf(submit(controller, started, 'ProblemFrame', body))).toMatchObject({
      code: 'stale_version',
      rule: 'ADM-TR-02',
      current,
    });
    const foreign = { ...tokenOf(done), actionId: 'action:other:2' };
    expect(
      await failureOf(controller.submit({ ...foreign, artifactType: 'ProblemFrame', body, sourceRefs: [] })),
    ).toMatchObject({
      code: 'stale_action',
      rule: 'ADM-TR-03',
      current,
    });
    expect(await failureOf(controller.ground(tokenOf(started)))).toMatchObject({ code: 'stale_version' });
    expect(ledger.head(done.run.runId)).toBe(head);
  });

  it('tells a repeat of an accepted submission that it was accepted, and changes no byte', async () => {
    const bench = workbench();
    const { controller, ledger } = bench.open();
    const before = await grounded(controller);
    const body = await frameFor(controller, before.run.runId);
    const accepted = await submit(controller, before, 'ProblemFrame', body);
    const head = ledger.head(before.run.runId);
    const database = readFileSync(`${bench.state}/ledger.sqlite3`);
    const log = readFileSync(`${bench.state}/ledger.sqlite3-wal`);
    const failure = await failureOf(submit(controller, before, 'ProblemFrame', body));
    expect(failure).toMatchObject({
      code: 'stale_version',
      already_accepted: { artifactRef: `artifact://${before.run.runId}/frame-01`, version: 3 },
      current: { version: 3, actionId: accepted.nextAction.id },
    });
    expect(JSON.stringify(failure.nextAction)).toBe(JSON.stringify(accepted.nextAction));
    const other = await failureOf(submit(controller, before, 'ProblemFrame', { ...body, goal: 'Something else.' }));
    expect(other).toMatchObject({ code: 'stale_version' });
    expect(other).not.toHaveProperty('already_accepted');
    expect(ledger.head(before.run.runId)).toBe(head);
    expect(readFileSync(`${bench.state}/ledger.sqlite3`).equals(database)).toBe(true);
    expect(readFileSync(`${bench.state}/ledger.sqlite3-wal`).equals(log)).toBe(true);
  });

  it('lets one of two controllers win a version; the other is stale with the current token', async () => {
    const bench = workbench();
    const [first, second] = [bench.open().controller, bench.open().controller];
    const at = await grounded(first);
    const bodies = await Promise.all(['frame-a', 'frame-b'].map((id) => frameFor(first, at.run.runId, id)));
    const ends = await Promise.allSettled([
      submit(first, at, 'ProblemFrame', bodies[0]),
      submit(second, at, 'ProblemFrame', bodies[1]),
    ]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = ends.find((end) => end.status === 'rejected');
    expect(lost?.reason.failure).toMatchObject({ code: 'stale_version', current: { version: 3 } });
    expect((await first.run(at.run.runId)).run).toEqual((await second.run(at.run.runId)).run);
  });
});

describe('refusals', () => {
  it('refuses an artifact of another phase before its schema is looked at', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const failure = await failureOf(submit(controller, at, 'WorkPlan', { nonsense: true }));
    expect(failure).toMatchObject({ code: 'wrong_phase', kind: 'refused', rule: 'ADM-COM-09' });
    expect(failure.next_steps.length).toBeGreaterThan(0);
  });

  it('lists every schema issue, with the count in the sentence', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const body = await frameFor(controller, at.run.runId);
    const failure = await failureOf(
      submit(controller, at, 'ProblemFrame', { ...body, goal: '', intentMode: 'fix', extra: 1 }),
    );
    expect(failure).toMatchObject({ code: 'invalid_body', kind: 'bad_input' });
    expect(failure.error).toMatch(/^ProblemFrame has 3 schema issues; first: /);
    expect(failure.issues.map(({ path }) => path).toSorted()).toEqual(['', 'goal', 'intentMode']);
  });

  it('keeps a refusal in the trace without content, at most eight a version', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const body = { ...(await frameFor(controller, at.run.runId)), intentMode: 'fix_only' };
    for (let attempt = 0; attempt < 12; attempt += 1)
      expect(await failureOf(submit(controller, at, 'ProblemFrame', body))).toMatchObject({ rule: 'ADM-FRAME-04' });
    const { events } = await controller.trace(at.run.runId, 0, 500);
    const denied = events.filter(({ eventType }) => eventType === 'transition_denied');
    expect(denied.length).toBe(8);
    expect(denied[0]).toMatchObject({ actor: 'scenario_author', inputRefs: [], outputRefs: [] });
    expect(denied[0]?.rationaleSummary).toBe('ProblemFrame refused: 1 finding (ADM-FRAME-04).');
    expect(denied[7]?.rationaleSummary).toContain('not recorded');
    expect((await controller.run(at.run.runId)).run).toEqual(at.run);
  });

  it('refuses a controller-owned type, and a word that is no type', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    expect(await failureOf(submit(controller, at, 'RunEnvelope', {}))).toMatchObject({
      code: 'controller_owned',
      rule: 'ADM-COM-01',
    });
    expect(await failureOf(submit(controller, at, 'Poem', {}))).toMatchObject({
      code: 'invalid_arguments',
      rule: 'ADM-COM-02',
    });
  });
});

describe('the one question', () => {
  it('pauses the run, takes one choice, and has the answer cited by what resumes', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const { runId } = at.run;
    const paused = await submit(controller, at, 'ClarificationRequest', await questionFor(controller, runId));
    expect(paused.run).toMatchObject({
      status: 'awaiting_clarification',
      phase: 'agent_1_frame',
      resumePhase: 'agent_1_frame',
    });
    expect(paused.nextAction).toMatchObject({ kind: 'clarification', phase: 'awaiting_clarification' });
    const body = await frameFor(controller, runId);
    expect(await failureOf(submit(controller, paused, 'ProblemFrame', body))).toMatchObject({
      code: 'wrong_phase',
      rule: 'ADM-TR-12',
    });
    const wrong = { ...tokenOf(paused), answer: ' code', via: 'host' } as const;
    expect(await failureOf(controller.answer(wrong))).toMatchObject({
      code: 'clarification_invalid',
      rule: 'ADM-CLR-10',
    });
    const resumed = await controller.answer({ ...tokenOf(paused), answer: 'code', via: 'host' });
    expect(resumed.run).toMatchObject({ status: 'running', phase: 'agent_1_frame', resumePhase: null });
    const uncited = await failureOf(submit(controller, resumed, 'ProblemFrame', body));
    expect(uncited).toMatchObject({ rule: 'ADM-CLR-05' });
    const cites = Missing.parse(uncited.issues[0]?.expected).add;
    expect(cites).toHaveLength(2);
    const done = await submit(controller, resumed, 'ProblemFrame', body, cites);
    expect(done.run.phase).toBe('agent_2_compile');
    const again = await failureOf(controller.answer({ ...tokenOf(paused), answer: 'code', via: 'host' }));
    expect(again).toMatchObject({ code: 'stale_version', already_accepted: { version: resumed.run.version } });
  });

  it('ends the run when the choice says so', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const paused = await submit(controller, at, 'ClarificationRequest', await questionFor(controller, at.run.runId));
    const ended = await controller.answer({ ...tokenOf(paused), answer: 'stop', via: 'client' });
    expect(ended.nextAction).toMatchObject({ kind: 'terminal', status: 'cancelled', reportRef: null });
    const { events } = await controller.trace(at.run.runId, 0, 500);
    expect(events.slice(-2).map(({ eventType }) => eventType)).toEqual(['transition_allowed', 'run_terminated']);
    expect(events.at(-2)?.rationaleSummary).toContain('answered through the client');
  });
});

describe('checks, ends and reads', () => {
  it('leaves a run of another repository alone, also over the same state', async () => {
    const bench = workbench();
    const { controller } = bench.open();
    const at = await begin(controller);
    const other = join(bench.repository, '..', 'other');
    mkdirSync(other);
    const stranger = bench.open(other).controller;
    for (const call of [
      stranger.ground(tokenOf(at)),
      stranger.cancel(tokenOf(at)),
      stranger.check({ ...tokenOf(at), capability: 'repository.read', target: 'src/app.ts' }),
      stranger.submit({ ...tokenOf(at), artifactType: 'ProblemFrame', body: {}, sourceRefs: [] }),
      stranger.answer({ ...tokenOf(at), answer: 'yes', via: 'host' }),
      stranger.requireToken(tokenOf(at)),
    ])
      expect(await failureOf(call)).toMatchObject({
        code: 'run_not_found',
        error: expect.stringContaining(bench.repository),
      });
    expect((await stranger.run(at.run.runId)).run).toEqual(at.run);
    expect((await controller.ground(tokenOf(at))).run.version).toBe(2);
  });

  it('keeps nothing of a target or a capability that looks like a credential', async () => {
    const { controller, ledger } = workbench().open();
    const at = await grounded(controller);
    const secret = `ghp_${'aB3'.repeat(10)}`;
    for (const [capability, target] of [
      ['repository.read', `src/${secret}`],
      [secret, 'src/app.ts'],
    ] as const)
      await controller.check({ ...tokenOf(at), capability, target });
    const { runId } = at.run;
    const kept = JSON.stringify([ledger.chain(runId, 0, 500), ledger.trace(runId, 0, 500)]);
    expect(kept).toContain('host.check');
    expect(kept).not.toContain(secret);
  });

  it('answers a check with a decision and one event, and moves nothing', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const { decision } = await controller.check({
      ...tokenOf(at),
      capability: 'repository.read',
      target: 'src/app.ts',
    });
    expect(decision).toMatchObject({ allowed: true, phaseAllowed: false, reasonCode: 'allowed' });
    const denied = await controller.check({ ...tokenOf(at), capability: 'repository.write', target: 'src/app.ts' });
    expect(denied.decision).toMatchObject({ allowed: false, reasonCode: 'policy_denied', detailCode: 'mode_ceiling' });
    const { events } = await controller.trace(at.run.runId, 0, 500);
    expect(
      events
        .filter(({ eventType }) => eventType === 'broker_decision')
        .map(({ permissionDecision }) => permissionDecision?.decision),
    ).toEqual(['allow', 'deny']);
    expect((await controller.run(at.run.runId)).run).toEqual(at.run);
  });

  it('cancels once; a second cancel succeeds and writes nothing', async () => {
    const { controller, ledger } = workbench().open();
    const at = await grounded(controller);
    const ended = await controller.cancel(tokenOf(at));
    expect(ended.run).toMatchObject({ status: 'cancelled', version: 3, phase: 'agent_1_frame' });
    const head = ledger.head(at.run.runId);
    expect(await controller.cancel(tokenOf(ended))).toEqual(ended);
    expect(ledger.head(at.run.runId)).toBe(head);
    expect(await failureOf(submit(controller, ended, 'ProblemFrame', {}))).toMatchObject({ code: 'run_terminal' });
    expect(await failureOf(controller.cancel(tokenOf(at)))).toMatchObject({ code: 'stale_version' });
  });

  it('reads an artifact whole and in pieces, and says when there is none', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const { artifact } = await controller.artifact(at.run.runId, at.run.runId);
    expect(artifact).toMatchObject({ type: 'RunEnvelope', producer: 'controller' });
    const keys = 'body' in artifact ? Object.keys(Object(artifact.body)) : [];
    expect(keys).toEqual(keys.toSorted());
    const first = await controller.artifact(at.run.runId, at.run.runId, { offset: 0, limit: 10 });
    const rest = await controller.artifact(at.run.runId, at.run.runId, { offset: 10 });
    const text = [first, rest].map(({ artifact: piece }) => ('text' in piece ? piece.text : '')).join('');
    expect(JSON.parse(text)).toEqual('body' in artifact ? artifact.body : null);
    expect(await failureOf(controller.artifact(at.run.runId, 'none'))).toMatchObject({
      code: 'artifact_not_found',
      rule: 'ADM-TR-15',
    });
  });

  it('pages artifacts and trace exactly as asked', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    const page = await controller.run(at.run.runId, { after: 1, limit: 2 });
    expect(page).toMatchObject({ artifactCount: 5, nextAfterIndex: 3 });
    expect(page.artifacts.length).toBe(2);
    const trace = await controller.trace(at.run.runId, 1, 2);
    expect(trace).toMatchObject({ hasMore: true, nextAfterSequence: 3 });
    expect(trace.events.map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  it('lists runs newest change first, without request or root', async () => {
    const { controller } = workbench().open();
    const first = await begin(controller);
    const second = await begin(controller);
    await controller.ground(tokenOf(first));
    const { runs } = await controller.listRuns(20);
    expect(runs.map(({ runId }) => runId)).toEqual([first.run.runId, second.run.runId]);
    expect(JSON.stringify(runs)).not.toContain('answer differ');
    expect(runs[0]).not.toHaveProperty('repositoryRoot');
  });

  it('lists the runs of its own repository alone, whoever shares the state directory', async () => {
    const bench = workbench();
    const { controller, ledger } = bench.open();
    const { run } = await begin(controller);
    const [stored] = ledger.runs(20);
    if (!stored) throw new Error('The run was not stored.');
    const foreign = { ...stored.context, runId: 'foreign-run', repositoryRoot: '/another/repository' };
    const { snapshot, machineVersion } = stored;
    const event = { type: 'start', at: run.createdAt, payload: {} };
    ledger.commit({
      runId: 'foreign-run',
      expectedHead: 0,
      event,
      run: { context: foreign, snapshot, machineVersion },
      artifacts: [],
      trace: [],
    });
    expect(ledger.runs(20)).toHaveLength(2);
    expect((await controller.listRuns(20)).runs.map(({ runId }) => runId)).toEqual([run.runId]);
  });

  it('replays a run from its trace: every artifact with the status of its digest, no bodies', async () => {
    const { controller } = workbench().open();
    const at = await grounded(controller);
    await controller.check({ ...tokenOf(at), capability: 'repository.write', target: 'src/app.ts' });
    const { report } = await controller.replay(at.run.runId);
    expect(
      report.steps.map(({ sequence, artifactType, digestStatus }) => [sequence, artifactType, digestStatus]),
    ).toEqual([
      [0, 'UserMessage', 'ok'],
      [0, 'RunEnvelope', 'ok'],
      [3, 'ContextDocument', 'ok'],
      [4, 'ContextDocument', 'ok'],
      [5, 'ContextManifest', 'ok'],
    ]);
    expect(report.traceHighlights).toEqual(['The mode of this run never permits the capability.']);
  });
});
