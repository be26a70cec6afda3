import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../../src/workspace/apps/app.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import type { Host } from '../../../src/workspace/host.ts';
import { serveHost } from '../../../src/workspace/http/serveHost.ts';
import { openHost } from '../../../src/workspace/openHost.ts';
import { createPersonDoor } from '../../../src/workspace/person/personDoor.ts';
import type { Clock, IdSource } from '../../../src/workspace/sources.ts';

/** A host in this process behind real HTTP on a free port. */
export interface TestHost {
  readonly host: Host;
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** The text of a token for all workspaces that may do everything. */
  readonly token: string;
  /** What the host logged. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

export interface TestHostOptions {
  /** A data directory to open; else a fresh one, removed at the end. */
  readonly data?: string;
  readonly apps?: readonly App[];
  readonly person?: string;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly askHours?: number;
  readonly stopMs?: number;
  /** A token that the data directory knows; else a new one is made. */
  readonly token?: string;
  /** Where the built page lies; its routes work without. */
  readonly page?: Readonly<{ files: string }>;
  /** Runs before the doors open. */
  readonly seed?: (host: Host) => void;
}

export const serveTest = async (options: TestHostOptions = {}): Promise<TestHost> => {
  const { data, apps = [notes], person = 'Mira', clock, ids, askHours, stopMs, page, seed } = options;
  const directory = data ?? mkdtempSync(join(tmpdir(), 'telic-workspace-'));
  const log: string[] = [];
  const report = (line: string): void => {
    log.push(line);
  };
  // The address is only known once the port is: links are made with what the door says later.
  const address = { text: '' };
  const host = await openHost({
    data: directory,
    apps,
    person,
    address: () => address.text,
    report,
    ...(clock && { clock }),
    ...(ids && { ids }),
    ...(askHours !== undefined && { askHours }),
    ...(stopMs !== undefined && { stopMs }),
  });
  const token =
    options.token ??
    host.registry.createToken({ label: 'test', workspace: null, max: 'outside', expires_ms: null, run: null }).text;
  seed?.(host);
  const served = await serveHost(host, { port: 0, report, personDoor: createPersonDoor(host, page) });
  address.text = served.address;
  return {
    host,
    address: served.address,
    token,
    log,
    close: async () => {
      await served.close();
      await host.close();
      if (data === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
};
