import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Token } from '../../../src/workspace/caller.ts';
import { type Clock, systemIds } from '../../../src/workspace/sources.ts';
import { openStore } from '../../../src/workspace/store/openStore.ts';
import { createRegistry } from '../../../src/workspace/store/registry.ts';
import type { Registry, Store } from '../../../src/workspace/store/store.ts';

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** A clock that stands until it is moved. */
export interface SetClock extends Clock {
  set(now: number): void;
  pass(milliseconds: number): void;
}

export const clockAt = (start: number): SetClock => {
  let now = start;
  return {
    now: () => now,
    set: (value) => {
      now = value;
    },
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
};

const made: string[] = [];
const open: Store[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A data directory that is not there yet. */
export const newDirectory = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'telic-store-'));
  made.push(parent);
  return join(parent, 'data');
};

/** A store of a directory, closed after the test. */
export const storeAt = (
  directory: string,
  clock: Clock = clockAt(1_000_000),
  migrations?: readonly string[],
): Store => {
  const store = openStore({ directory, clock, ids: systemIds, ...(migrations && { migrations }) });
  open.push(store);
  return store;
};

export interface Account {
  readonly directory: string;
  readonly clock: SetClock;
  readonly store: Store;
  readonly registry: Registry;
}

/** A new account; or the same one again, as a process that starts later sees it. */
export const account = (directory: string = newDirectory(), clock: SetClock = clockAt(day)): Account => {
  const store = storeAt(directory, clock);
  return { directory, clock, store, registry: createRegistry(store, { clock, ids: systemIds }) };
};

/** A token that is good. */
export const tokenIn = (registry: Registry, given: Partial<Parameters<Registry['createToken']>[0]> = {}): Token => {
  const { text } = registry.createToken({
    label: 'Desk',
    workspace: null,
    max: 'outside',
    expires_ms: null,
    run: null,
    ...given,
  });
  const token = registry.tokenOf(text);
  if (token === null) throw new Error('a new token is unknown');
  return token;
};
