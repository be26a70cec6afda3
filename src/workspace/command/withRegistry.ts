import { systemClock, systemIds } from '../sources.ts';
import { openStore } from '../store/openStore.ts';
import { createRegistry } from '../store/registry.ts';
import type { Registry, Store } from '../store/store.ts';

/** Opens the database of a data directory for one command, beside a host that may be running, and closes it again. */
export const withRegistry = <T>(directory: string, work: (registry: Registry, store: Store) => T): T => {
  const store = openStore({ directory, clock: systemClock, ids: systemIds });
  try {
    return work(createRegistry(store, { clock: systemClock, ids: systemIds }), store);
  } finally {
    store.close();
  }
};
