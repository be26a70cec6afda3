import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { App } from '../../../src/workspace/apps/app.ts';
import { type Caller, prefixFor } from '../../../src/workspace/caller.ts';
import { failedAnswer } from '../../../src/workspace/failedAnswer.ts';
import { WireFailure } from '../../../src/workspace/failure.ts';
import { createShelf } from '../../../src/workspace/shelf.ts';
import { systemClock, systemIds } from '../../../src/workspace/sources.ts';
import { openStore } from '../../../src/workspace/store/openStore.ts';
import type { Store } from '../../../src/workspace/store/store.ts';
import { createWorld } from '../../../src/workspace/world/createWorld.ts';
import type { World } from '../../../src/workspace/world/world.ts';

/** A world over a database of its own, with what the rest of the host would tell it in the test's hands. */
export interface TestWorld {
  readonly store: Store;
  readonly world: World;
  /** What can be put back, as `connection workspace app`. */
  readonly redo: Set<string>;
  /** The sequence of the latest change, by reference. */
  readonly changed: Map<string, number>;
  /** Another world over the same database, as after a restart. */
  again(apps?: readonly App[]): World;
}

type Workspaces = readonly Readonly<{ name: string; label: string; apps: readonly string[] }>[];

/** Opens a world; the database goes when the test ends. */
export const openWorld = (apps: readonly App[], workspaces?: Workspaces): TestWorld => {
  const folder = mkdtempSync(join(tmpdir(), 'telic-world-'));
  const store = openStore({ directory: join(folder, 'data'), clock: systemClock, ids: systemIds });
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const known = workspaces ?? [
    { name: 'home', label: 'Home', apps: apps.map(({ id }) => id) },
    { name: 'studio', label: 'Studio', apps: [] },
  ];
  const redo = new Set<string>();
  const changed = new Map<string, number>();
  const again = (others = apps): World =>
    createWorld(store.states, {
      store,
      ...createShelf(others, () => {}),
      workspaces: () => known,
      canRedo: (connection, workspace, app) => redo.has(`${connection} ${workspace} ${app}`),
      lastChanges: () => changed,
    });
  return { store, world: again(), redo, changed, again };
};

/** Somebody who calls at an endpoint: null is the account. `only` is the one workspace of its token. */
export const callerAt = (endpoint: string | null, only: string | null = null): Caller => ({
  connection: {
    id: 'desk',
    token: { id: 'token', label: 'Desk', workspace: only, max: 'outside', run: null },
    label: 'Desk agent',
    endpoint,
  },
  group: null,
  signal: new AbortController().signal,
});

export const desk = callerAt('home');
export const account = callerAt(null);

/** How a call failed, as the answer at the caller's endpoint tells it. */
export const failed = async (work: Promise<unknown>, caller: Caller = desk, workspace = 'home'): Promise<object> => {
  try {
    const value = await work;
    throw new Error(`It did not fail: ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof WireFailure) return failedAnswer(error.failure, prefixFor(caller, workspace)).error;
    throw error;
  }
};
