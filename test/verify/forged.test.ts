import type Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { digest } from '../../schemas/canonical.ts';
import type { DifferenceKind } from '../../schemas/verification.ts';
import { verifyChain } from '../../src/ledger/verifyChain.ts';
import { bed, named, play, rechain, tamper, verified, whole } from './bed.ts';

/** Somebody computes every hash anew: the chain is whole, and only executing the events again tells. */

const set =
  (sql: string): ((db: Sqlite.Database) => void) =>
  (db) =>
    void db.prepare(sql).run();

/** Puts another body under an artifact, its digest right. */
const withBody =
  (type: string, change: (body: string) => string): ((db: Sqlite.Database) => void) =>
  (db) => {
    const old = String(
      db.prepare('SELECT body FROM artifacts JOIN bodies USING (sha256) WHERE type = ?').pluck().get(type),
    );
    const body = change(old);
    const sha256 = digest(JSON.parse(body));
    db.prepare('INSERT INTO bodies VALUES (?, ?)').run(sha256, body);
    db.prepare('UPDATE artifacts SET sha256 = ? WHERE type = ?').run(sha256, type);
  };

const forgeries: readonly Readonly<{
  what: string;
  hand: (db: Sqlite.Database) => void;
  sequence: number;
  kind: DifferenceKind;
}>[] = [
  {
    what: 'another request',
    hand: set(
      `UPDATE events SET payload = json_set(payload, '$.args.originalRequest', 'Delete everything.') WHERE sequence = 1`,
    ),
    sequence: 1,
    kind: 'artifacts',
  },
  {
    what: 'another mode',
    hand: set(`UPDATE events SET payload = json_set(payload, '$.args.mode', 'fix_only') WHERE sequence = 1`),
    sequence: 1,
    kind: 'start',
  },
  {
    what: 'another input of the machine',
    hand: set(`UPDATE events SET payload = json_set(payload, '$.input.topology', 'forensic') WHERE sequence = 1`),
    sequence: 1,
    kind: 'start',
  },
  {
    what: 'an artifact that the rules refuse',
    hand: withBody('ProblemFrame', (body) => body.replaceAll('artifact://', 'artifact://x')),
    sequence: 3,
    kind: 'refused',
  },
  {
    what: 'an action id of another version',
    hand: set(
      `UPDATE events SET payload = json_set(payload, '$.token.expectedVersion', 1) WHERE type = 'submit.WorkPlan'`,
    ),
    sequence: 6,
    kind: 'refused',
  },
  {
    what: 'a version that did not rise',
    hand: set('UPDATE events SET version = 5 WHERE sequence = 6'),
    sequence: 6,
    kind: 'version',
  },
  {
    what: 'another producer',
    hand: set(`UPDATE artifacts SET producer = 'user' WHERE type = 'WorkPlan'`),
    sequence: 6,
    kind: 'artifacts',
  },
  {
    what: 'another sentence in the trace',
    hand: set(`UPDATE trace SET entry = json_set(entry, '$.summary', 'All is well.') WHERE event_sequence = 5`),
    sequence: 5,
    kind: 'trace',
  },
  {
    what: 'a trace entry too many',
    hand: set(
      `INSERT INTO trace SELECT run_id, (SELECT max(sequence) + 1 FROM trace), (SELECT max(event_sequence) FROM trace), entry
       FROM trace WHERE sequence = 3`,
    ),
    sequence: 12,
    kind: 'trace',
  },
  {
    what: 'another budget in the trace',
    hand: set(`UPDATE trace SET entry = json_set(entry, '$.budgets.revisions', 0) WHERE event_sequence = 5`),
    sequence: 5,
    kind: 'budgets',
  },
  {
    what: 'another snapshot after an event',
    hand: set(`UPDATE events SET payload = json_set(payload, '$.after.snapshot', (SELECT hash FROM events WHERE sequence = 1))
      WHERE sequence = 4`),
    sequence: 4,
    kind: 'snapshot',
  },
  {
    what: 'an event that no machine knows',
    hand: set(`UPDATE events SET type = 'submit.Nothing' WHERE sequence = 4`),
    sequence: 4,
    kind: 'unreadable',
  },
  {
    what: 'a payload that is none',
    hand: set(`UPDATE events SET payload = '{"token":7}' WHERE sequence = 4`),
    sequence: 4,
    kind: 'unreadable',
  },
];

describe('a forged run, every hash computed anew', () => {
  for (const { what, hand, sequence, kind } of forgeries)
    it(`is named by executing it again: ${what}`, async () => {
      const world = bed();
      const session = world.open();
      const { runId } = await play(session, whole);
      session.controller.close();
      tamper(world, (db) => {
        hand(db);
        db.prepare('UPDATE runs SET trace_count = (SELECT count(*) FROM trace)').run();
        rechain(db, runId);
      });
      const { ledger, controller } = world.open();
      const history = ledger.history(runId);
      expect(history && verifyChain(history)).toEqual([]);
      controller.close();
      expect(named(await verified(world, runId))).toContain(`${runId} ${sequence} ${kind}`);
    });

  it('under the id of another run is named at its start', async () => {
    const world = bed();
    const session = world.open();
    const { runId } = await play(session, whole);
    session.controller.close();
    const other = '00000000-0000-4000-8000-00000000ffff';
    tamper(world, (db) => {
      for (const table of ['events', 'artifacts', 'trace', 'runs'])
        db.prepare(`UPDATE ${table} SET run_id = ? WHERE run_id = ?`).run(other, runId);
      db.prepare(`UPDATE runs SET context = replace(context, ?, ?), snapshot = replace(snapshot, ?, ?)`).run(
        runId,
        other,
        runId,
        other,
      );
      rechain(db, other);
    });
    expect(named(await verified(world, other))).toContain(`${other} 1 start`);
  });

  it('with its rows as they were comes out again', async () => {
    const world = bed();
    const session = world.open();
    const { runId } = await play(session, whole);
    session.controller.close();
    tamper(world, (db) => rechain(db, runId));
    expect(await verified(world, runId)).toMatchObject({ ok: true });
  });
});
