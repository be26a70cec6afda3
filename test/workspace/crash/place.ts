import type { Done } from '../../../schemas/wire/answers.ts';
import { Done as DoneShape } from '../../../schemas/wire/answers.ts';
import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import type { Ask, Decision } from '../../../schemas/wire/person.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import type { Caller, Token } from '../../../src/workspace/caller.ts';
import type { Host } from '../../../src/workspace/host.ts';
import { openHost } from '../../../src/workspace/openHost.ts';
import type { Clock, IdSource } from '../../../src/workspace/sources.ts';
import { lockDirectory } from '../../../src/workspace/store/lock.ts';
import { createLab, type Lab } from '../../apps/lab.ts';
import { notebookWrites } from '../../apps/notebook.ts';
import { bank, bankWrites } from './bank.ts';

/** The directories that outlive every process: the host's, and the one where the far side and the gates are. */
export interface Folders {
  readonly data: string;
  readonly lab: string;
}

/** A host over directories, as one process has it: at rest all of them store the same for the same calls. */
export interface Place {
  readonly host: Host;
  readonly lab: Lab;
  readonly log: readonly string[];
  caller(): Caller;
  do(args: DoArguments): Promise<unknown>;
  /** The same, of one action. */
  one(args: DoArguments): Promise<Done>;
  asks(): Promise<readonly Ask[]>;
  decide(decision: Omit<Decision, 'version'>): Promise<void>;
  close(): Promise<void>;
}

/** Time stands still, so that what a second process stores can be compared whole. */
export const clock: Clock = { now: () => 1_772_442_845_000 };

/** Each process draws its own ids. */
export const idsFrom = (start: number): IdSource => {
  let drawn = start;
  const next = (): string => {
    drawn += 1;
    return drawn.toString(16);
  };
  return {
    hex: () => next().padStart(32, '0'),
    ask: () => next().padStart(12, '0'),
    bytes: (count) => Buffer.alloc(count, next()),
  };
};

/** The ids that the processes of one test draw from. */
export const draws = { seed: 0x1000, killed: 0x2000, restarted: 0x3000, again: 0x4000 };

/** Everything that is opened has the directory for itself, as a host that is served does. */
export const openPlace = async (folders: Folders, start: number): Promise<Place> => {
  const lock = lockDirectory(folders.data, 'http://127.0.0.1:4747');
  const lab = createLab(folders.lab);
  const log: string[] = [];
  const host = await openHost({
    data: folders.data,
    apps: [notes, lab.lab, bank],
    address: () => 'http://127.0.0.1:4747',
    person: 'Mira',
    clock,
    ids: idsFrom(start),
    report: (line) => {
      log.push(line);
    },
  });
  const caller = (): Caller => {
    const row = host.registry.tokens().find(({ label }) => label === 'desk');
    if (row === undefined) throw new Error('The desk has a token from the start.');
    const token: Token = { id: row.id, label: row.label, workspace: row.workspace, max: row.max, run: row.run };
    const connection = host.registry.defaultConnection(token, 'home');
    return { connection, group: null, signal: new AbortController().signal };
  };
  const call = (args: DoArguments): Promise<unknown> => host.call('tilo_do', args, caller());
  return {
    host,
    lab,
    log,
    caller,
    do: call,
    one: async (args) => DoneShape.parse(await call(args)),
    asks: () => host.invocations.asks('home'),
    decide: async (decision) => {
      const ask = (await host.invocations.asks('home')).find(({ state }) => state === 'asking');
      if (ask === undefined) throw new Error('No ask is open.');
      const sent = { ...decision, version: ask.version };
      const { outcome } = await host.invocations.decide('home', ask.id, sent, host.registry.person());
      if (outcome !== 'decided') throw new Error(`The decision came to ${outcome}.`);
    },
    close: async () => {
      await host.close();
      lock.release();
    },
  };
};

const garden = notebookWrites([
  {
    item: '0a01',
    title: 'Garden',
    pinned: true,
    blocks: [
      { item: 'a101', type: 'checkbox', text: 'Water the tomatoes', done: false },
      { item: 'a102', type: 'paragraph', text: 'Compost is ready in May' },
    ],
  },
  { item: '0c03', title: 'House move', pinned: false, blocks: [] },
]);

/** Makes the account that every test begins with, and what a test wants beside it. */
export const seedPlace = async (folders: Folders, prepare: (place: Place) => Promise<void>): Promise<void> => {
  const place = await openPlace(folders, draws.seed);
  const { registry, store } = place.host;
  store.db.prepare('UPDATE workspaces SET apps = ?').run(JSON.stringify(['notes', 'lab', 'bank']));
  registry.createToken({ label: 'desk', workspace: null, max: 'outside', expires_ms: null, run: null });
  store.transaction(() => {
    store.write('home', 'notes', garden);
    store.raiseCounter('home', 'notes', Number.parseInt('zzzz', 36) + 1);
    store.write('home', 'bank', bankWrites);
  });
  // The desk's connection is there before anything is killed.
  await place.one({ path: 'lab#count', args: { name: 'seed' }, invocation_id: 'seed' });
  await prepare(place);
  await place.close();
};
