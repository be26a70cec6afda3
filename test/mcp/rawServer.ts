import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { bundlePath } from '../support/bundle.ts';

const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Message = z.infer<typeof Message>;

/** What may stand beside the text: links to what the call stored. */
const Link = z.object({
  type: z.literal('resource_link'),
  uri: z.string(),
  name: z.string(),
  title: z.string(),
  mimeType: z.literal('application/json'),
});

export const ToolResult = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })], Link),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

/** A folder that is gone after the test; its real path. */
export const temporary = (name: string): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `telic-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A small repository; Git is not needed to ground it. */
export const repository = (): string => {
  const root = temporary('repository');
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'README.md'), '# A small project\n');
  writeFileSync(join(root, 'src', 'app.ts'), 'export const answer = 42;\n');
  return root;
};

export interface ServerOptions {
  readonly root?: string;
  readonly state?: string;
  readonly cwd?: string;
  /** Instead of the usual variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly bundle?: string;
  readonly stdin?: 'pipe' | 'ignore';
  /** No file may grow beyond so many blocks of 512 bytes. */
  readonly fileBlocks?: number;
}

export interface RawServer {
  readonly child: ChildProcess;
  readonly messages: readonly Message[];
  /** Lines of standard output that are no JSON-RPC message. */
  readonly noise: readonly string[];
  readonly stderr: () => string;
  readonly sendLine: (line: string | Buffer) => void;
  readonly notify: (method: string, params?: object) => void;
  readonly request: (method: string, params?: object, id?: number | string) => Promise<Message>;
  readonly initialize: (protocolVersion?: string) => Promise<Message>;
  /** Calls a tool; the text and the structure have been compared. */
  readonly call: (name: string, args?: unknown) => Promise<Record<string, unknown>>;
  readonly answerTo: (id: number | string | null) => Promise<Message>;
  readonly until: (holds: () => boolean) => Promise<void>;
  readonly closeInput: () => void;
  readonly exit: Promise<Readonly<{ code: number | null; signal: string | null }>>;
}

/** Starts the bundled executable as `telic mcp` and speaks JSON-RPC with it by hand. */
export const startServer = (options: ServerOptions = {}): RawServer => {
  const root = options.root ?? repository();
  const env = options.env ?? {
    TELIC_REPOSITORY_ROOT: root,
    TELIC_STATE_DIR: options.state ?? join(temporary('state'), 'state'),
  };
  const node = [process.execPath, options.bundle ?? bundlePath, 'mcp'];
  const limited = ['sh', '-c', `ulimit -f ${options.fileBlocks}; exec "$0" "$@"`, ...node];
  const [program = '', ...args] = options.fileBlocks === undefined ? node : limited;
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    env: { PATH: process.env.PATH, ...env },
    stdio: [options.stdin ?? 'pipe', 'pipe', 'pipe'],
  });
  const { stdout, stderr: errors } = child;
  if (!stdout || !errors) throw new Error('The server was started without its pipes.');
  const messages: Message[] = [];
  const noise: string[] = [];
  let stderr = '';
  let rest = '';
  let watchers: (() => void)[] = [];
  const wake = (): void => {
    for (const watcher of watchers) watcher();
  };
  const read = (line: string): void => {
    try {
      messages.push(Message.parse(JSON.parse(line)));
    } catch {
      noise.push(line);
    }
  };
  stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(read);
    wake();
  });
  errors.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
    wake();
  });
  child.stdin?.on('error', () => {});
  let over = false;
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('close', (code, signal) => {
      over = true;
      if (rest !== '') read(rest);
      wake();
      resolve({ code, signal });
    });
  });
  onTestFinished(() => {
    if (!over) child.kill('SIGKILL');
  });

  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (holds()) resolve();
        else if (over) reject(new Error(`The server has ended. It wrote: ${stderr}`));
        else return;
        watchers = watchers.filter((one) => one !== look);
      };
      watchers.push(look);
      look();
    });
  const answerTo = async (id: number | string | null): Promise<Message> => {
    const find = (): Message | undefined => messages.find((message) => message.id === id && !message.method);
    await until(() => find() !== undefined);
    return Message.parse(find());
  };
  const sendLine = (line: string | Buffer): void => {
    child.stdin?.write(line);
    child.stdin?.write('\n');
  };
  let last = 0;
  const request = (method: string, params?: object, given?: number | string): Promise<Message> => {
    last += 1;
    const id = given ?? last;
    sendLine(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }));
    return answerTo(id);
  };
  const notify = (method: string, params?: object): void =>
    sendLine(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));

  return {
    child,
    messages,
    noise,
    stderr: () => stderr,
    sendLine,
    notify,
    request,
    initialize: async (protocolVersion = '2025-11-25') => {
      const clientInfo = { name: 'raw', version: '1' };
      const answer = await request('initialize', { protocolVersion, capabilities: {}, clientInfo });
      notify('notifications/initialized');
      return answer;
    },
    call: async (name, args) => {
      const { result, error } = await request('tools/call', { name, ...(args !== undefined && { arguments: args }) });
      if (error) throw new Error(`${error.code} ${error.message}`);
      const { content, structuredContent, isError } = ToolResult.parse(result);
      const [{ text }] = content;
      if (structuredContent && JSON.stringify(structuredContent) !== text)
        throw new Error('Text and structure differ.');
      const payload = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
      if ((payload.ok === false) !== (isError === true)) throw new Error('isError and ok disagree.');
      return payload;
    },
    answerTo,
    until,
    closeInput: () => child.stdin?.end(),
    exit,
  };
};

/** A started run's token. */
export const Token = z.object({
  run: z.looseObject({ runId: z.string(), version: z.number(), phase: z.string() }),
  nextAction: z.looseObject({ id: z.string() }),
});

export const tokenOf = (answer: unknown): { run_id: string; action_id: string; expected_run_version: number } => {
  const { run, nextAction } = Token.parse(answer);
  return { run_id: run.runId, action_id: nextAction.id, expected_run_version: run.version };
};

/** A request whose grounding reads the repository. */
export const request = { original_request: 'Plan what src/app.ts should export.', mode: 'plan_only' } as const;
