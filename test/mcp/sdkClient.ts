import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished } from 'vitest';
import { openController } from '../../src/controller/openController.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { createMoves } from '../../src/mcp/moves.ts';
import { createSurface } from '../../src/mcp/server.ts';
import { bundlePath } from '../support/bundle.ts';
import { repository, ToolResult, temporary } from './rawServer.ts';

export interface Served {
  readonly root?: string;
  readonly state?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
  /** What the client calls itself. */
  readonly name?: string;
}

/** The client of the SDK on a server of its own over standard input and output; what a test sets on it first may be heard. */
export const connected = async (
  options: Served = {},
  prepare: (client: Client) => void = () => {},
): Promise<Client> => {
  const client = new Client(
    { name: options.name ?? 'sdk', version: '1' },
    { capabilities: options.capabilities ?? {} },
  );
  prepare(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bundlePath, 'mcp'],
    env: {
      TELIC_REPOSITORY_ROOT: options.root ?? repository(),
      TELIC_STATE_DIR: options.state ?? join(temporary('state'), 'state'),
      ...options.env,
    },
    stderr: 'ignore',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
};

/** Sends what JSON leaves of a message, as a pipe would. */
const throughJson = (end: InMemoryTransport): InMemoryTransport => {
  const send = end.send.bind(end);
  end.send = (message, options) => send(JSON.parse(JSON.stringify(message)), options);
  return end;
};

/** Two ends of a connection inside this process. */
export const pair = (): readonly [InMemoryTransport, InMemoryTransport] => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  return [throughJson(near), throughJson(far)];
};

/**
 * The same client on the same surface over a ledger on disk, in this process: for what is said of the protocol, where a
 * start of Node a test would be most of its time.
 */
export const inside = async (
  {
    root = repository(),
    state = join(temporary('state'), 'state'),
    capabilities = {},
    name = 'sdk',
  }: Omit<Served, 'env'> = {},
  prepare: (client: Client) => void = () => {},
): Promise<Client> => {
  const client = new Client({ name, version: '1' }, { capabilities });
  prepare(client);
  const moves = createMoves();
  const controller = openController(
    locateStateDirectory({ TELIC_STATE_DIR: state }, root),
    {},
    (why) => {
      throw new Error(why);
    },
    moves.tell,
  );
  const surface = createSurface({ version: '0.0.0-test', controller: async () => controller, report: () => {}, moves });
  const [near, far] = pair();
  onTestFinished(async () => {
    await client.close();
    await surface.close();
    await surface.settled();
    controller.close();
  });
  await surface.connect(far);
  await client.connect(near);
  return client;
};

/** The result of a call, its text compared with its structure. */
export const resultOf = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const result = ToolResult.parse(await client.callTool({ name, arguments: args }));
  expect(result.content[0].text).toBe(JSON.stringify(result.structuredContent));
  expect(result.isError ?? false).toBe(result.structuredContent?.ok === false);
  return result;
};

/** The structure of that result. */
export const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  (await resultOf(client, name, args)).structuredContent ?? {};
