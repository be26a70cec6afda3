import { builtInApps } from '../apps/builtIn.ts';
import type { Host } from '../host.ts';
import { addressOf, DoorError, defaultPort, openSockets, type Served, serveHost } from '../http/serveHost.ts';
import { openHost } from '../openHost.ts';
import { createPersonDoor } from '../person/personDoor.ts';
import { StoreError } from '../store/errors.ts';
import { lockDirectory } from '../store/lock.ts';
import { openInBrowser } from './browser.ts';
import { makeSample, type Sample } from './sample.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface ServeCommand {
  readonly data: string;
  readonly bind?: string;
  readonly port?: number;
  readonly allowHosts: readonly string[];
  readonly person?: string;
  readonly askHours?: number;
  readonly sample: boolean;
  /** Opens the page of the sample where there is a browser. */
  readonly browser?: boolean;
}

/** What is told once the doors are open. */
export interface Started {
  readonly address: string;
  readonly data: string;
  readonly sample?: Sample & Readonly<{ link: string }>;
}

/** A host that serves, and how it is stopped. */
export interface Serving {
  readonly started: Started;
  stop(): Promise<void>;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** What the user can do about a start that failed. */
const explained = (error: unknown, { bind, port = defaultPort }: ServeCommand): unknown => {
  if (error instanceof StoreError && error.code === 'held') return new CommandError(error.message, 3);
  if (error instanceof DoorError) return new CommandError(error.message);
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return new CommandError(`Port ${port} is taken by another program: choose one with --port.`);
  if (code === 'EACCES') return new CommandError(`Port ${port} may not be listened on: choose one with --port.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandError(`${bind ?? 'The address'} is no address of this machine.`);
  return error;
};

/**
 * Starts a host: takes the data directory, opens the sockets, opens the host and serves it. The directory comes first,
 * so that a second start is told where the first one serves (workspace-wire 2.5).
 *
 * @param report takes one line for the log
 * @throws CommandError, with exit code 3 when another process has the directory
 */
export const startServing = async (options: ServeCommand, report: (line: string) => void): Promise<Serving> => {
  const { data, bind, port = defaultPort, allowHosts, person, askHours } = options;
  const ends: (() => Promise<void> | void)[] = [];
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const lock = lockDirectory(data, addressOf(bind, port, allowHosts));
    ends.push(() => lock.release());
    const listening = await openSockets({ ...(bind !== undefined && { bind }), port, allowHosts, report });
    ends.push(() => listening.close(0));
    const address = addressOf(bind, listening.port, allowHosts);
    lock.announce(address);
    const host: Host = await openHost({
      data,
      apps: builtInApps,
      address: () => address,
      report,
      ...(person !== undefined && { person }),
      ...(askHours !== undefined && { askHours }),
    });
    ends.push(() => host.close());
    const served: Served = await serveHost(host, {
      ...(bind !== undefined && { bind }),
      allowHosts,
      report,
      listening,
      personDoor: createPersonDoor(host, { address: () => address }),
    });
    ends.push(() => served.close());
    const sample = options.sample ? await makeSample(host) : null;
    const link = sample && `${address}/enter?code=${host.registry.createLoginCode(sample.workspace)}`;
    return { started: { address, data, ...(sample && link && { sample: { ...sample, link } }) }, stop: endAll };
  } catch (error) {
    await endAll();
    throw explained(error, options);
  }
};

/** Milliseconds for the process to end by itself once all is closed. */
const leftBehind = 300;

/** Settles at the first signal that ends the process; a second one does not wait for what is held. */
const ended = (): Promise<void> =>
  new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
  });

const told = ({ address, data, sample }: Started): string => {
  const workspace = sample?.workspace ?? '<workspace>';
  return [
    `Workspaces are served at ${address}`,
    `MCP endpoints: ${address}/w/${workspace}/mcp and, for all workspaces, ${address}/mcp`,
    `Everything lies in ${data}`,
    ...(sample
      ? [
          `Token for the workspace ${sample.workspace}, shown once, for 30 days: ${sample.token}`,
          `Your page, for the next five minutes: ${sample.link}`,
        ]
      : ['A token for a client: telic workspace token create; a link to your page: telic workspace open']),
    '',
  ].join('\n');
};

/** Serves until a signal comes; gives the exit code. */
export const serve = async (terminal: Terminal, options: ServeCommand, json: boolean): Promise<number> => {
  const report = (line: string): void => terminal.err(`telic: ${line.replaceAll(/\s*\n\s*/g, ' | ')}\n`);
  const end = ended();
  const { started, stop } = await startServing(options, report);
  terminal.out(json ? `${JSON.stringify(started)}\n` : told(started));
  if (options.browser === true && started.sample) openInBrowser(terminal, started.sample.link);
  await end;
  report('stopping');
  await stop();
  report('stopped');
  // Whatever an app left running does not keep the process: the exit comes by itself, or now.
  setTimeout(() => process.exit(0), leftBehind).unref();
  return 0;
};
