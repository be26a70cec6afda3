import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  type Answer,
  type AnswerQuestion,
  type Author,
  type CallTool,
  connectStdio,
  type Followed,
  followRun,
  inspectRepository,
  type Script,
  type StartRequest,
  type StdioServer,
  scriptedAuthor,
} from '../../src/sdk/index.ts';
import { newWorld, sampleFiles, type World } from '../sdk/world.ts';
import { bundlePath } from '../support/bundle.ts';

/** The real server over STDIO, as a host meets it, and a run that any test can drive on it. */

/** A repository with two files and one commit. */
export const sample = (): World => newWorld(sampleFiles, 'commit');

/** A server process; what is not said is that of the world. Its end comes with the test, unless `close` comes before. */
export const serve = async (world: World, over: Partial<StdioServer> = {}) => {
  const connection = await connectStdio({
    command: process.execPath,
    args: [bundlePath, 'mcp'],
    cwd: world.root,
    env: { ...world.env, PATH: process.env.PATH, TELIC_REPOSITORY_ROOT: world.root },
    onStderr: () => {},
    ...over,
  });
  onTestFinished(() => connection.close());
  return connection;
};

/** The answer of a call that has to succeed. */
export const must = async (call: CallTool, tool: string, args: Readonly<Record<string, unknown>>): Promise<Answer> => {
  const answer = await call(tool, args);
  if (answer.ok !== true) throw new Error(`${tool} was refused: ${JSON.stringify(answer)}`);
  return answer;
};

const Moved = z.looseObject({
  run: z.looseObject({ runId: z.string(), version: z.number() }),
  nextAction: z.looseObject({ id: z.string() }),
});

/** The current token, as an answer tells it. */
export const tokenOf = (answer: unknown) => {
  const { run, nextAction } = Moved.parse(answer);
  return { run_id: run.runId, action_id: nextAction.id, expected_run_version: run.version };
};

export const analysis = {
  originalRequest: 'What does the parser do?',
  mode: 'analyze_only',
  hostCapabilities: ['repository.read', 'shell.inspect'],
} as const satisfies StartRequest;

/** The same start as arguments of the tool. */
export const analysisArguments = {
  original_request: analysis.originalRequest,
  mode: analysis.mode,
  host_capabilities: analysis.hostCapabilities,
} as const;

export const authorFor = ({ root }: World, script: Script = {}): Author =>
  scriptedAuthor(inspectRepository(root, { PATH: process.env.PATH }), script);

/** Thrown by an author to leave the run where it stands. */
const enough = new Error('This is as far as the test goes.');

/** An author that stops before it writes a type. */
export const upTo = (author: Author, type: keyof Author): Author => ({
  ...author,
  [type]: () => Promise.reject(enough),
});

/** Drives a run until its author has had enough; gives the id of the run. */
export const driveUpTo = async (
  call: CallTool,
  author: Author,
  type: keyof Author,
  start: StartRequest = analysis,
  answer?: AnswerQuestion,
): Promise<string> => {
  let runId = '';
  try {
    await followRun({
      call,
      author: upTo(author, type),
      start,
      ...(answer && { answer }),
      onStep: (step) => {
        if (step.kind === 'started') runId = step.artifactId ?? '';
      },
    });
  } catch (error) {
    if (error === enough) return runId;
    throw error;
  }
  throw new Error(`The run ended before ${type}.`);
};

/** Drives a whole run. */
export const drive = (
  call: CallTool,
  author: Author,
  start: StartRequest = analysis,
  answer?: AnswerQuestion,
): Promise<Followed> => followRun({ call, author, start, ...(answer && { answer }) });

export const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
