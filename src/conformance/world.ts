import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { type Answer, type CallTool, type Connection, connectStdio } from '../sdk/connectStdio.ts';

/** The files of the temporary repository: little to ground, one of them to change. */
export const repositoryFiles: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n\nA parser and its notes.\n',
  'src/parser.ts': 'export const parse = (text: string): string[] => text.split(",");\n',
};

export type Client = 0 | 1;

/** The server under test with a repository and a state directory of its own, and up to two processes on them. */
export interface World {
  /** Real path of the temporary repository. */
  readonly root: string;
  /** A call over one of the two connections, each opened when it is first used. */
  call(client: Client, ...call: Parameters<CallTool>): Promise<Answer>;
  /** Ends the process of a client; the next call starts another on the same state. */
  restart(client: Client): Promise<void>;
  /** What the servers last said on standard error. */
  stderr(): string;
  /** Ends both processes and removes everything that was made. */
  close(): Promise<void>;
}

const longestStderr = 4000;

const memory = '/dev/shm';

/** Bytes: far more than the longest examination leaves on disk; the memory file system of a container often holds 64 MB. */
const leastRoom = 1024 ** 3;

/** A file system in memory, where there is one with room and nobody names another place, makes thousands of durable commits quick. */
const temporary = ({ TMPDIR }: Readonly<Record<string, string | undefined>>): string => {
  if (TMPDIR !== undefined && TMPDIR !== '') return TMPDIR;
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastRoom ? memory : tmpdir();
  } catch {
    // There is none, or it is not for us.
    return tmpdir();
  }
};

/** A server may answer a refusal as a protocol error; what kind of refusal it was is not told then. */
const refusalOf = (error: unknown): Answer => {
  if (error instanceof McpError && error.code !== -32_000 && error.code !== -32_001)
    return { ok: false, error: error.message };
  throw error;
};

/**
 * Makes a place for one server. Nothing is started yet.
 *
 * @param command program and arguments; relative paths are meant from `cwd`
 */
export const createWorld = (
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): World => {
  const base = realpathSync.native(mkdtempSync(join(temporary(env), 'telic-conformance-')));
  const remove = (): void => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  // An examination that is broken off leaves nothing either.
  process.once('exit', remove);
  const root = join(base, 'repository');
  for (const [path, content] of Object.entries(repositoryFiles)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const connections = new Map<Client, Promise<Connection>>();
  let said = '';
  let closed = false;

  const connected = async (client: Client): Promise<Connection> => {
    const open = connections.get(client);
    if (open) return open;
    // Of an examination that was broken off between two calls: a server would lay its state down anew.
    if (closed) throw new Error('The world of this server is closed.');
    const opening = connectStdio({
      command,
      args,
      cwd,
      env: { ...env, TELIC_REPOSITORY_ROOT: root, TELIC_STATE_DIR: join(base, 'state') },
      onStderr: (text) => {
        said = (said + text).slice(-longestStderr);
      },
    });
    connections.set(client, opening);
    return opening;
  };

  const end = async (client: Client): Promise<void> => {
    const open = connections.get(client);
    connections.delete(client);
    if (open) await (await open).close();
  };

  return {
    root,
    call: async (client, tool, sent) => {
      const { call } = await connected(client);
      return call(tool, sent).catch(refusalOf);
    },
    restart: end,
    stderr: () => said,
    close: async () => {
      closed = true;
      // A process that never answered has nothing to close; its state goes with the folder.
      await Promise.allSettled([end(0), end(1)]);
      process.off('exit', remove);
      remove();
    },
  };
};
