import type { EventLog } from '../events/log.ts';
import { incident } from '../failedAnswer.ts';
import type { History } from '../history/history.ts';
import type { Clock, IdSource } from '../sources.ts';
import type { Registry, Store } from '../store/store.ts';
import type { Turns } from '../turns.ts';
import type { World } from '../world/world.ts';
import { createAdmission } from './admission.ts';
import { askOf, wasAsked } from './asks.ts';
import { createCalls } from './calls.ts';
import { createDecisions } from './decisions.ts';
import { createGrants } from './grants.ts';
import type { Invocations } from './invocations.ts';
import { createItemKeys } from './itemKeys.ts';
import { createLives, type Lives } from './lives.ts';
import { createInvocationRows } from './rows.ts';
import { createRunner, type Runner } from './runner.ts';
import { createStatus } from './status.ts';
import { createWaiters, type Key, keyText } from './waiters.ts';

/** How long what runs may go on when the host stops, and again once it was told to; as long waits a cancel (workspace-wire 2.5, 4.4). */
const stopMilliseconds = 5000;

/** How many asks the person's page shows at once: open ones are not to be hidden by newer ones of a client that runs away. */
const shownAsks = { usual: 100, open: 1000, characters: 4 * 1024 * 1024 } as const;

export interface InvocationsPorts {
  readonly store: Store;
  readonly registry: Registry;
  world(): World;
  readonly history: History;
  readonly events: EventLog;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Where the person's page is, without a slash at its end; asked when an answer tells it. */
  address(): string;
  /** How long an ask stays open, and a permission unused (D-27). */
  readonly askMs: number;
  /** Takes one line for the log: never a secret or an argument. */
  report(line: string): void;
  readonly stopMs?: number;
}

/** The lives of the invocations of one host, composed from their parts. */
export const createInvocations = (ports: InvocationsPorts): Invocations => {
  const { store, registry, world, events, clock, ids, address, stopMs = stopMilliseconds } = ports;
  const rows = createInvocationRows(store);
  const waiters = createWaiters();
  const lives: Lives = createLives({ ...ports, rows, waiters, carrier: () => runner });
  const runner: Runner = createRunner({ ...ports, itemKeys: createItemKeys(store), lives: () => lives });
  const grants = createGrants({ registry, rows, clock });
  const admission = createAdmission({ ...ports, lives, grants });
  const calls = createCalls({ admission, lives, grants, waiters, registry, ids, address });

  const told = new Set<string>();
  /** One that cannot be read or stored holds up no other; it is told of once. */
  const alone = (key: Key, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!told.has(keyText(key))) incident(error, null, ids, ports.report);
      told.add(keyText(key));
    }
  };
  const sweep = (): void => {
    for (const key of rows.overdue(clock.now())) alone(key, () => void lives.find(key));
  };

  return {
    do: calls.do,
    status: createStatus({ lives, waiters, address, stopMs }),
    asks: async (workspace) => {
      sweep();
      return rows.asks(workspace, shownAsks).filter(wasAsked).map(askOf);
    },
    ask: async (workspace, id) => {
      const row = lives.byAsk(workspace, id);
      return row !== null && wasAsked(row) ? askOf(row) : null;
    },
    decide: createDecisions({ lives, registry, world }),
    recover: async () => {
      sweep();
      for (const key of rows.unfinished())
        alone(key, () => {
          lives.send(key, { type: 'RESTARTED', by: 'host' });
        });
    },
    sweep,
    shutDown: async () => {
      waiters.release();
      events.wake();
      await runner.end(stopMs);
    },
  };
};
