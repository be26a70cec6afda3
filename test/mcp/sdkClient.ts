import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished } from 'vitest';
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

/** Two ends of a connection inside this process. */
export const pair = (): readonly [InMemoryTransport, InMemoryTransport] => InMemoryTransport.createLinkedPair();
