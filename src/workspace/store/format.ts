import { z } from 'zod';
import type { Database } from '../../ledger/sqlite/driver.ts';
import { StoreError } from './errors.ts';
import { migrations } from './migrations.ts';

/** Marks a SQLite file as a store of workspaces of ours: the letters `Tlws`. */
const applicationId = 0x54_6c_77_73;

const numberOf = (db: Database, pragma: string): number => z.int().parse(db.pragma(pragma, { simple: true }));

/**
 * How many migrations a database has seen; 0 when nothing has been written yet.
 *
 * @throws StoreError `foreign` for a database of something else, `newer` when it has seen more than are known
 */
export const formatOf = (db: Database, known: number = migrations.length): number => {
  const format = numberOf(db, 'user_version');
  if (format === 0 && db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) return 0;
  if (numberOf(db, 'application_id') !== applicationId)
    throw new StoreError(
      'foreign',
      `${db.name} is a database, but not one of workspaces. Name another data directory, or move the file away.`,
    );
  if (format > known)
    throw new StoreError(
      'newer',
      `${db.name} has format ${format}; this version of Telic knows formats up to ${known}. Use the newer version that wrote it, or another data directory.`,
    );
  return format;
};

/**
 * Brings a database to the newest format, in one transaction; of several processes that try, one does it
 * (workspace-wire section 10).
 *
 * @param steps the migrations to know; for tests, those released are the default
 * @throws StoreError as `formatOf` does, with the file left as it was
 */
export const migrate = (db: Database, steps: readonly string[] = migrations): void => {
  if (formatOf(db, steps.length) === steps.length) return;
  db.transaction(() => {
    for (const step of steps.slice(formatOf(db, steps.length))) db.exec(step);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${steps.length}`);
  }).immediate();
};
