import { open } from 'node:fs/promises';
import { devNull } from 'node:os';
import { openDatabase } from '../../../src/ledger/sqlite/driver.ts';

/**
 * Where a process kills itself: before or after the nth statement of a sort that SQLite is given, or when it has written
 * the half of its nth file.
 */
export interface KillPoint {
  readonly at: number;
  readonly side: 'before' | 'after';
  /** A statement that reads leaves the disk as it was: `writes` are all others, with those that begin and end transactions. */
  readonly of: 'every' | 'writes' | 'commits' | 'files';
}

/** What was counted since. */
export interface Counted {
  readonly every: number;
  readonly writes: number;
  readonly commits: number;
}

/** The sorts that a statement is of. */
const sortsOf = (source: string): readonly (keyof Counted)[] => [
  'every',
  ...(/^\s*SELECT\b/i.test(source) ? [] : (['writes'] as const)),
  ...(source === 'COMMIT' ? (['commits'] as const) : []),
];

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  for (;;) {
    // Until the system has done it.
  }
};

const sourceOf = (statement: unknown): string => {
  if (typeof statement === 'object' && statement !== null && 'source' in statement) return String(statement.source);
  throw new Error('Something else than a statement was run.');
};

/**
 * From now on this process counts the statements that it gives to SQLite, those that the driver itself makes to begin
 * and end transactions too, and is killed by SIGKILL at the point.
 */
export const killAt = (point: KillPoint | null): Counted => {
  const counted = { every: 0, writes: 0, commits: 0 };
  const db = openDatabase(Buffer.alloc(0), { readOnly: false, busyMilliseconds: 0 });
  // All statements of the driver share one prototype, whichever database they belong to.
  const statements: object = Object.getPrototypeOf(db.prepare('SELECT 1'));
  db.close();
  for (const name of ['run', 'get', 'all', 'iterate']) {
    const execute: unknown = Reflect.get(statements, name);
    if (typeof execute !== 'function') throw new Error(`Statements of the driver have no ${name}.`);
    Object.defineProperty(statements, name, {
      configurable: true,
      value: function counting(this: unknown, ...given: unknown[]): unknown {
        const sorts = sortsOf(sourceOf(this));
        for (const sort of sorts) counted[sort] += 1;
        const here = point !== null && sorts.some((sort) => sort === point.of && counted[sort] === point.at);
        if (here && point.side === 'before') die();
        const result: unknown = Reflect.apply(execute, this, given);
        if (here) die();
        return result;
      },
    });
  }
  return counted;
};

/** From now on this process is killed when it has written the half of its nth file. */
export const killInFile = async (nth: number): Promise<void> => {
  const handle = await open(devNull);
  const files: object = Object.getPrototypeOf(handle);
  await handle.close();
  const write: unknown = Reflect.get(files, 'writeFile');
  if (typeof write !== 'function') throw new Error('Files have no writeFile.');
  let written = 0;
  Object.defineProperty(files, 'writeFile', {
    configurable: true,
    value: async function tearing(this: unknown, text: string): Promise<void> {
      written += 1;
      await Reflect.apply(write, this, [written === nth ? text.slice(0, text.length / 2) : text]);
      if (written === nth) die();
    },
  });
};
