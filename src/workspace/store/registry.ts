import type { Clock, IdSource } from '../sources.ts';
import { createConnections } from './connections.ts';
import { createEntry } from './entry.ts';
import { createPreallow } from './preallow.ts';
import type { Registry, Store } from './store.ts';
import { createTokens } from './tokens.ts';
import { createWorkspaces } from './workspaceRows.ts';

/**
 * The rows that commands and doors work with: workspaces, the person, tokens, sessions, login codes and what may run
 * unasked. Makes the workspace `home` where it is missing. Names that cannot be used throw StoreError.
 */
export const createRegistry = (store: Store, sources: Readonly<{ clock: Clock; ids: IdSource }>): Registry => {
  const { knows, ...workspaces } = createWorkspaces(store, sources.clock);
  return {
    ...workspaces,
    ...createTokens(store, sources, knows),
    ...createConnections(store, sources),
    ...createEntry(store, sources, knows),
    ...createPreallow(store, sources.clock),
  };
};
