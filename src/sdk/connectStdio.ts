import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';

declare const TELIC_VERSION: string;

/** Calls one tool and gives its structured answer, refusals (`ok: false`) included. */
export type CallTool = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;
export type Answer = Readonly<Record<string, unknown>>;

export interface StdioServer {
  /** The program, found on the path or absolute. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment of the server; the one of this process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Takes what the server says on standard error; without it, that goes to ours. */
  readonly onStderr?: (text: string) => void;
}

export interface Connection {
  readonly call: CallTool;
  /** Ends the server; it has its ledger closed when this resolves. */
  close(): Promise<void>;
}

/** Grounding a large repository may take longer than the minute that the protocol's client waits by default. */
const callMilliseconds = 600_000;

const Structure = z.record(z.string(), z.unknown());
const Result = z.looseObject({
  structuredContent: Structure.optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
});

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The structure of a result; before protocol version 2025-06-18 its text says the same. */
const structureOf = (tool: string, result: unknown): Answer => {
  const { structuredContent, content } = Result.parse(result);
  if (structuredContent) return structuredContent;
  const text = content.find((block) => block.type === 'text')?.text ?? '';
  const parsed = Structure.safeParse(json(text));
  if (parsed.success) return parsed.data;
  throw new Error(`${tool} gave no structured answer: ${text.slice(0, 400)}`);
};

const definedOnly = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/**
 * Starts a Telic server as a child process and speaks MCP with it over its standard input and output.
 *
 * @throws when the program cannot be started or does not answer `initialize`
 */
export const connectStdio = async (server: StdioServer): Promise<Connection> => {
  const { onStderr } = server;
  const transport = new StdioClientTransport({
    command: server.command,
    args: [...(server.args ?? [])],
    env: definedOnly(server.env ?? process.env),
    stderr: onStderr ? 'pipe' : 'inherit',
    ...(server.cwd !== undefined && { cwd: server.cwd }),
  });
  if (onStderr) transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString('utf8')));
  const client = new Client({ name: 'telic-sdk', version: TELIC_VERSION });
  await client.connect(transport);
  return {
    call: async (tool, args) =>
      structureOf(
        tool,
        await client.callTool({ name: tool, arguments: { ...args } }, undefined, { timeout: callMilliseconds }),
      ),
    close: () => client.close(),
  };
};
