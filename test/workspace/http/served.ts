import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import type { Host, HostOptions } from '../../../src/workspace/host.ts';
import { type ServeOptions, serveHost } from '../../../src/workspace/http/serveHost.ts';
import { openHost } from '../../../src/workspace/openHost.ts';

export interface Served {
  readonly host: Host;
  readonly data: string;
  readonly address: string;
  readonly port: number;
  /** Opens every workspace and may do everything. */
  readonly token: string;
  /** What was logged, one line an entry. */
  readonly log: readonly string[];
  readonly stop: () => Promise<void>;
}

export interface Serving {
  readonly data?: string;
  readonly options?: Partial<HostOptions>;
  readonly serve?: ServeOptions;
}

/** A data directory that goes away with the test. */
export const temporary = (): string => {
  const data = mkdtempSync(join(tmpdir(), 'telic-http-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  return data;
};

/** A host with the notes app behind its door on a free port; both are closed at the end of the test. */
export const served = async ({ data = temporary(), options = {}, serve = {} }: Serving = {}): Promise<Served> => {
  const log: string[] = [];
  const report = (line: string): void => {
    log.push(line);
  };
  let address = '';
  const host = await openHost({ data, apps: [notes], address: () => address, person: 'Mira', report, ...options });
  const token = host.registry.createToken({
    label: 'Test token',
    workspace: null,
    max: 'outside',
    expires_ms: null,
    run: null,
  }).text;
  const door = await serveHost(host, { port: 0, report, ...serve });
  address = door.address;
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= door.close().then(() => host.close());
    return stopping;
  };
  onTestFinished(stop);
  return { host, data, address, port: door.port, token, log, stop };
};

/** The SDK's client on one endpoint of a host. */
export const connected = async (
  { address }: Pick<Served, 'address'>,
  token: string,
  path = '/w/home/mcp',
  name = 'Desk agent',
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> => {
  const client = new Client({ name, version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(path, address), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
};
