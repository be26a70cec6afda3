import { readdirSync, realpathSync } from 'node:fs';
import { shorten } from '../../../machines/sentence.ts';
import { locateStateDirectory } from '../../ledger/stateDirectory.ts';
import {
  type CallTool,
  type Connection,
  connectStdio,
  type Followed,
  followRun,
  gitAnswers,
  inspectRepository,
  traceOf,
} from '../../sdk/index.ts';
import { repositoryOf } from '../repository.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { narratorFor } from './narrator.ts';
import { tourAuthor } from './tourAuthor.ts';

/** Shows the whole procedure on a repository, with a server process and a scripted author in place of a model. */

const defaultRequest = 'What does the README say of this project, and is the working tree clean?';

export interface TourOptions {
  readonly repo?: string | undefined;
  readonly request?: string | undefined;
  readonly json: boolean;
  /** The executable file whose `mcp` command is the server; the running one when absent. */
  readonly entry?: string | undefined;
}

/** The file that Node was told to run: the bundle itself, also behind the link that npm makes for a command. */
const runningFile = (): string => {
  const [, file] = process.argv;
  if (file === undefined) throw new CommandError('The tour cannot tell which file is the telic executable.');
  return realpathSync(file);
};

const notesOn = (root: string, hasGit: boolean): readonly string[] => [
  ...(hasGit ? [] : ['Git does not answer here, so the run only reads files.']),
  ...(readdirSync(root).every((name) => name === '.git')
    ? ['This folder is empty: there is nothing to select, and the report will say so.']
    : []),
];

/** What the server said before it went away; its own sentence is better than "connection closed". */
const explained = (error: unknown, stderr: string): unknown => {
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const what = error instanceof Error ? error.message : String(error);
  return said === '' ? error : new CommandError(shorten(`${what} The server said: ${said}`, 800));
};

const connect = async (entry: string, root: string, terminal: Terminal): Promise<Connection> => {
  let stderr = '';
  try {
    return await connectStdio({
      command: process.execPath,
      args: [entry, 'mcp'],
      cwd: root,
      env: { ...terminal.env, TELIC_REPOSITORY_ROOT: root },
      onStderr: (text) => {
        stderr = (stderr + text).slice(-4000);
      },
    });
  } catch (error) {
    throw explained(error, stderr);
  }
};

const follow = async (
  call: CallTool,
  root: string,
  request: string,
  hasGit: boolean,
  onStep: Parameters<typeof followRun>[0]['onStep'],
  terminal: Terminal,
): Promise<Followed> =>
  followRun({
    call,
    author: tourAuthor({ inspect: inspectRepository(root, terminal.env), request, hasGit }),
    start: {
      originalRequest: request,
      mode: 'analyze_only',
      hostName: 'telic-tour',
      nativeSubagents: 'unavailable',
      hostCapabilities: hasGit ? ['repository.read', 'shell.inspect'] : ['repository.read'],
    },
    ...(onStep && { onStep }),
  });

/**
 * Runs the tour and tells it on the terminal.
 *
 * @returns 0 when the run is completed, else 1
 * @throws CommandError, RefusedError, LedgerError
 */
export const tour = async (terminal: Terminal, options: TourOptions): Promise<number> => {
  const root = repositoryOf(terminal, options.repo);
  const entry = options.entry ?? runningFile();
  const request = options.request ?? defaultRequest;
  const hasGit = await gitAnswers(root, terminal.env);
  const { path: stateDirectory } = locateStateDirectory(terminal.env, root);
  const narrator = narratorFor(terminal);

  // Connected first: a server that cannot start leaves nothing on standard output.
  const connection = await connect(entry, root, terminal);
  try {
    if (!options.json) narrator.opening(root, request, notesOn(root, hasGit));
    const onStep = options.json ? undefined : narrator.step;
    const followed = await follow(connection.call, root, request, hasGit, onStep, terminal);
    const { status } = followed.terminal;
    if (options.json) {
      const { runId, report, steps } = followed;
      terminal.out(`${JSON.stringify({ ok: status === 'completed', runId, status, report, steps, stateDirectory })}\n`);
    } else {
      narrator.report(followed);
      narrator.trace(await traceOf(connection.call, followed.runId));
      narrator.closing(followed, stateDirectory, entry);
    }
    return status === 'completed' ? 0 : 1;
  } finally {
    await connection.close();
  }
};
