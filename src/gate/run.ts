import { writeSync } from 'node:fs';
import { gate } from './gate.ts';
import { deadlineOf } from './request.ts';

/** Even where the machine was slow to start the process, a call that is there to be read is judged. */
const leastPatience = 150;

const write = (file: 1 | 2, line: string): void => {
  if (line !== '') writeSync(file, `${line}\n`);
};

/**
 * Answers the hook of this process and ends it, also while a thread still works.
 *
 * @param words the words after `broker-gate`
 * @param entry the executable file, which judges when it is started as a worker
 */
export const runGate = async (words: readonly string[], entry: URL): Promise<never> => {
  const fail = (error: unknown): never => {
    process.stderr.write(
      `Telic refuses this call: the gate failed (${error instanceof Error ? error.message : error}).\n`,
    );
    process.exit(2);
  };
  process.on('uncaughtException', fail);
  try {
    const { out, err, exit } = await gate(words, {
      env: { ...process.env },
      cwd: process.cwd(),
      input: process.stdin,
      entry,
      patience: Math.max(leastPatience, deadlineOf(process.env) - performance.now()),
    });
    write(2, err && `telic: ${err}`);
    write(1, out);
    process.exit(exit);
  } catch (error) {
    return fail(error);
  }
};
