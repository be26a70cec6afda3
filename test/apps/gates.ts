import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Gates that actions wait at until a test opens them: files in a directory, so that another process may hold either end. */
export interface Gates {
  /** Lets whoever waits at the gate go on, now and later. */
  open(gate: string): void;
  /** Resolves when an action has come to the gate. */
  reached(gate: string): Promise<void>;
  /** Waits at the gate. @throws the reason of the signal when it is aborted first */
  pass(gate: string, signal?: AbortSignal): Promise<void>;
}

const every = 5;

const appears = (directory: string, file: string, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      if (signal?.aborted) reject(signal.reason);
      else if (existsSync(join(directory, file))) resolve();
      else if (!existsSync(directory)) reject(new Error('the directory of the gates is gone'));
      // Waiting alone keeps no process alive.
      else setTimeout(look, every).unref();
    };
    look();
  });

export const createGates = (directory: string): Gates => ({
  open: (gate) => writeFileSync(join(directory, `${gate}.open`), ''),
  reached: (gate) => appears(directory, `${gate}.reached`),
  pass: async (gate, signal) => {
    writeFileSync(join(directory, `${gate}.reached`), '');
    await appears(directory, `${gate}.open`, signal);
  },
});
