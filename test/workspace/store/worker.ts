import { writeSync } from 'node:fs';
import { systemClock, systemIds } from '../../../src/workspace/sources.ts';
import { StoreError } from '../../../src/workspace/store/errors.ts';
import { lockDirectory } from '../../../src/workspace/store/lock.ts';
import { openStore } from '../../../src/workspace/store/openStore.ts';
import { createRegistry } from '../../../src/workspace/store/registry.ts';

/** A second process on a data directory: `worker.mjs <directory> <command> [argument]`. */

const [, , directory = '', command = '', argument = ''] = process.argv;
/** Written at once, so that it is told even when the process is killed next. */
const say = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

const commands: Readonly<Record<string, () => void>> = {
  /** Holds the directory under an address until it is killed, or says who has it. */
  hold: () => {
    try {
      lockDirectory(directory, argument);
      say({ held: argument });
      setInterval(() => {}, 1000);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      say({ code: error.code, first: error.address });
    }
  },

  /** Opens the account as its first process may: prints the key and the workspaces. */
  open: () => {
    const store = openStore({ directory, clock: systemClock, ids: systemIds });
    const registry = createRegistry(store, { clock: systemClock, ids: systemIds });
    say({ key: store.key.toString('hex'), workspaces: registry.workspaces().map(({ name }) => name) });
    store.close();
  },

  /** Raises a counter in the state without end, telling each write that is durable. */
  fill: () => {
    const store = openStore({ directory, clock: systemClock, ids: systemIds });
    for (let n = 1; ; n++) {
      store.transaction(() => {
        store.write('home', 'notes', [{ key: 'one', value: n }]);
        store.write('home', 'notes', [{ key: 'two', value: n }]);
      });
      say(n);
    }
  },
};

commands[command]?.();
