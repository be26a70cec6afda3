import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { newLedger, newState } from '../ledger/fixtures.ts';
import { bed, open, play, rechain, tamper, verified } from './bed.ts';

const ledgers = join(import.meta.dirname, '..', 'ledgers');
const Recorded = z.object({ runs: z.record(z.string(), z.string()) });

describe('a ledger that an earlier version wrote', () => {
  it('comes out again, run by run, though its events do not say what they left', () => {
    const state = newState();
    mkdirSync(state.path, { mode: 0o700 });
    const bytes = gunzipSync(readFileSync(join(ledgers, 'format1-machine1.sqlite3.gz')));
    writeFileSync(state.database, bytes, { mode: 0o600 });
    const ledger = newLedger(state);
    const { runs } = Recorded.parse(JSON.parse(readFileSync(join(ledgers, 'format1-machine1.json'), 'utf8')));
    expect(ledger.runIds()).toEqual(expect.arrayContaining(Object.values(runs)));
    for (const [name, runId] of Object.entries(runs)) {
      const { differences, notJudged, events } = verifyRun(ledger, runId);
      expect({ name, differences, notJudged }).toEqual({ name, differences: [], notJudged: [] });
      expect(events).toBeGreaterThan(2);
    }
  });

  it('by another machine is not executed again, and still shows what was changed in it', async () => {
    const world = bed();
    const session = world.open();
    const { runId } = await play(session, open);
    session.controller.close();
    tamper(world, (db) => {
      db.exec(`UPDATE events SET payload = json_set(payload, '$.after.machine', '0')`);
      db.exec(`UPDATE runs SET machine_version = '0'`);
      rechain(db, runId);
    });
    expect(await verified(world)).toMatchObject({
      ok: true,
      differences: [],
      notJudged: [{ runId, sequence: 1, why: expect.stringContaining('machine version 0') }],
    });
    tamper(world, (db) => db.exec(`UPDATE runs SET snapshot = replace(snapshot, '"revisions":1', '"revisions":2')`));
    expect((await verified(world)).differences).toMatchObject([{ runId, sequence: 0, kind: 'snapshot' }]);
  });
});
