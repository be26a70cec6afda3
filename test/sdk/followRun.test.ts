import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CallTool,
  type Connection,
  connectStdio,
  followRun,
  inspectRepository,
  QuestionError,
  RefusedError,
  type Step,
  scriptedAuthor,
  traceOf,
} from '../../src/sdk/index.ts';
import { bundlePath } from '../support/bundle.ts';
import { callOf, controllerOf, newWorld, sampleFiles, type World } from './world.ts';

const start = {
  originalRequest: 'What does the parser do?',
  mode: 'analyze_only',
  hostCapabilities: ['repository.read', 'shell.inspect'],
} as const;

const authorFor = ({ root }: World) => scriptedAuthor(inspectRepository(root, { PATH: process.env.PATH }));

const connected = async ({ root, env }: World): Promise<Connection> => {
  const connection = await connectStdio({
    command: process.execPath,
    args: [bundlePath, 'mcp'],
    cwd: root,
    env: { ...env, PATH: process.env.PATH, TELIC_REPOSITORY_ROOT: root },
    onStderr: () => {},
  });
  onTestFinished(() => connection.close());
  return connection;
};

describe('followRun over a server process', () => {
  it('drives a whole run, reports each step, and gives the report that is stored', async () => {
    const world = newWorld(sampleFiles, 'commit', 'a name with blanks');
    const { call } = await connected(world);
    const told: Step[] = [];
    const followed = await followRun({ call, author: authorFor(world), start, onStep: (step) => told.push(step) });

    expect(followed.terminal).toMatchObject({ kind: 'terminal', status: 'completed' });
    expect(followed.steps).toEqual(told);
    expect(told.map(({ kind, artifactType, version }) => `${version} ${kind} ${artifactType ?? ''}`.trim())).toEqual([
      '1 started RunEnvelope',
      '2 grounded ContextManifest',
      '3 submitted ProblemFrame',
      '4 submitted TaskContract',
      '5 submitted PromptReview',
      '6 submitted WorkPlan',
      '6 supported Evidence',
      '6 supported Evidence',
      '7 submitted WorkResult',
      '7 supported Evidence',
      '7 supported Evidence',
      '8 submitted WorkResult',
      '9 submitted QualityReview',
      '10 submitted ReleaseAudit',
      '11 submitted UserReport',
      '11 ended',
    ]);
    const stored = await followed.reader.artifact(followed.terminal.reportRef ?? '');
    expect(stored.body).toEqual(followed.report);
    const trace = await traceOf(call, followed.runId);
    expect(trace.map(({ sequence }) => sequence)).toEqual(trace.map((_, index) => index + 1));
    expect(trace.at(-1)?.eventType).toBe('run_terminated');
  });

  it('goes on with a run that another process has begun', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const first = await connected(world);
    const author = authorFor(world);
    const stop = new Error('enough');
    const half = { ...author, WorkPlan: () => Promise.reject(stop) };
    let runId = '';
    const begun = followRun({
      call: first.call,
      author: half,
      start,
      onStep: (step) => {
        if (step.kind === 'started') runId = step.artifactId ?? '';
      },
    });
    await expect(begun).rejects.toBe(stop);
    await first.close();

    const second = await connected(world);
    const followed = await followRun({ call: second.call, author, start: { runId } });
    expect(followed.runId).toBe(runId);
    expect(followed.terminal.status).toBe('completed');
    expect(followed.steps[1]).toMatchObject({ kind: 'submitted', artifactType: 'WorkPlan' });
  });

  it('tells why a program that is no server does not answer', async () => {
    const none = connectStdio({ command: process.execPath, args: ['-e', ''], onStderr: () => {} });
    await expect(none).rejects.toThrow(/closed/i);
  });
});

describe('followRun', () => {
  const inProcess = (world: World): CallTool => callOf(controllerOf(world));

  it('ends in a typed error when an artifact is refused; the run stays where it was', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const call = inProcess(world);
    const author = authorFor(world);
    const wrong = followRun({
      call,
      start,
      author: {
        ...author,
        ProblemFrame: async (work) => {
          const right = await author.ProblemFrame?.(work);
          return { type: 'ProblemFrame', body: { ...right?.body, intentMode: 'fix_only' } };
        },
      },
    });
    const error = await wrong.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof RefusedError)) throw new Error('The wrong frame was not refused.');
    expect(error.artifactType).toBe('ProblemFrame');
    expect(error.failure).toMatchObject({ ok: false, code: 'rule_broken', kind: 'refused', rule: 'ADM-FRAME-04' });
    expect(error.failure.issues).toMatchObject([
      { path: 'intentMode', code: 'ADM-FRAME-04', expected: 'analyze_only' },
    ]);
  });

  it('refreshes and asks the author anew when somebody else moved the run', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const call = inProcess(world);
    const author = authorFor(world);
    let lost = 0;
    /** The first submission of a contract is answered as if the answer had been lost: it was accepted. */
    const losing: CallTool = async (tool, args) => {
      const answer = await call(tool, args);
      if (args.artifact_type !== 'TaskContract' || lost > 0) return answer;
      lost += 1;
      return call(tool, args);
    };
    const followed = await followRun({ call: losing, author, start });
    expect(followed.terminal.status).toBe('completed');
    expect(followed.steps.filter(({ kind }) => kind === 'refreshed')).toMatchObject([{ next: 'agent_1_review' }]);
    expect((await followed.reader.record()).all('TaskContract')).toHaveLength(1);
  });

  it('gives up when the token is stale again and again', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const call = inProcess(world);
    let calls = 0;
    const stale: CallTool = async (tool, args) => {
      if (tool !== 'telic_ground_context') return call(tool, args);
      calls += 1;
      return call(tool, { ...args, expected_run_version: 99 });
    };
    const lost = followRun({ call: stale, author: authorFor(world), start });
    await expect(lost).rejects.toMatchObject({ failure: { code: 'stale_version' } });
    expect(calls).toBe(9);
  });

  it('hands the question out when there is nobody to answer it', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const inspect = inspectRepository(world.root);
    const question = { phase: 'agent_1_frame', reason: 'permission_expanding' } as const;
    const asked = followRun({ call: inProcess(world), author: scriptedAuthor(inspect, { question }), start });
    const error = await asked.catch((thrown: unknown) => thrown);
    if (!(error instanceof QuestionError)) throw new Error('Nobody was asked.');
    expect(error.question.responseChoices.map(({ id }) => id)).toEqual(['go-on', 'stop', 'start-over']);
  });

  it('names the artifact that the author cannot write', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const { UserReport: _, ...author } = authorFor(world);
    const short = followRun({ call: inProcess(world), author, start });
    await expect(short).rejects.toThrow('no function for UserReport, which phase user_report requires');
  });
});
