import type { EventLog } from '../events/log.ts';
import type { Registry, Store } from '../store/store.ts';
import type { World } from '../world/world.ts';
import type { HistoryStatements } from './rows.ts';

/** What the parts of history work with. */
export interface HistoryParts {
  readonly store: Store;
  readonly registry: Pick<Registry, 'person'>;
  readonly events: EventLog;
  readonly world: () => World;
  readonly sql: HistoryStatements;
}
