import { copyFileSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { reportOf } from '../../src/cli/verifyReport.ts';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { openLedgerReadOnly } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { bed, play, tamper, whole } from './bed.ts';

/** The order in which runs are listed belongs to no run. */
const free = ['runs.changed'];

const Column = z.object({ name: z.string(), type: z.string() });

describe('every cell of a run', () => {
  for (const table of ['runs', 'events', 'artifacts', 'trace', 'bodies'])
    it(`of ${table} that is changed is named`, async () => {
      const world = bed();
      const session = world.open();
      await play(session, whole);
      await session.controller.check({
        ...(await play(session, ['GROUND'])).token(),
        capability: 'repository.read',
        target: 'README.md',
      });
      session.controller.close();
      const { database } = world.state;
      const kept = `${database}.kept`;
      copyFileSync(database, kept);
      onTestFinished(() => rmSync(kept, { force: true }));

      const eye = new Sqlite(kept, { readonly: true });
      const columns = z.array(Column).parse(eye.prepare('SELECT name, type FROM pragma_table_info(?)').all(table));
      const rows = z.array(z.number()).parse(eye.prepare(`SELECT rowid FROM ${table}`).pluck().all());
      eye.close();
      expect(columns.length).toBeGreaterThan(1);
      const chosen = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)];

      for (const { name, type } of columns) {
        if (free.includes(`${table}.${name}`)) continue;
        for (const row of new Set(chosen)) {
          copyFileSync(kept, database);
          const changed = type === 'INTEGER' ? `${name} + 1000` : `${name} || ' '`;
          tamper(world, (db) => {
            db.prepare(`UPDATE ${table} SET ${name} = ${changed} WHERE rowid = ?`).run(row);
          });
          const ledger = openLedgerReadOnly(world.state);
          const { differences } = reportOf(ledger.runIds().map((id) => verifyRun(ledger, id)));
          expect(differences, `${table}.${name} of row ${row}`).not.toEqual([]);
          ledger.close();
        }
      }
    });
});
