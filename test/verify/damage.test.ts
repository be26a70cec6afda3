import type Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { LedgerError } from '../../src/ledger/errors.ts';
import { outcomeOf, type Player, playerOf } from '../law/player.ts';
import type { World } from '../law/world.ts';
import { apart, bed, inWorld, named, open, play, tamper, verified, verifiedApart } from './bed.ts';

/** The same run three times: the first is damaged, the others must not be named. */
const threeRuns = async (): Promise<Readonly<{ world: World; ids: readonly [string, string, string] }>> => {
  const world = bed();
  const session = world.open();
  const [one, two, three] = [await play(session, open), await play(session, open), await play(session, ['GROUND'])];
  session.controller.close();
  return { world, ids: [one.runId, two.runId, three.runId] };
};

type Damage = Readonly<{
  what: string;
  /** Changes the run `one`. */
  hand: (db: Sqlite.Database, one: string, other: string) => void;
  /** `event kind` of each difference that must be named, for the run `one`. */
  names: readonly string[];
  /** It is a count that the next event begins anew, so that nothing is left of the change. */
  heals?: true;
}>;

const run =
  (sql: string): Damage['hand'] =>
  (db, one) =>
    void db.prepare(sql).run({ one });

const damages: readonly Damage[] = [
  {
    what: 'an edited field of an event',
    hand: run(`UPDATE events SET payload = replace(payload, '"sourceRefs":[', '"sourceRefs":["x",')
      WHERE run_id = @one AND sequence = 3`),
    names: ['3 altered'],
  },
  {
    what: 'an edited type of an event',
    hand: run(`UPDATE events SET type = 'submit.TaskContract' WHERE run_id = @one AND sequence = 3`),
    names: ['3 altered'],
  },
  {
    what: 'an edited version of an event',
    hand: run('UPDATE events SET version = version + 1 WHERE run_id = @one AND sequence = 6'),
    names: ['6 altered', '0 run_row'],
  },
  {
    what: 'an edited trace row',
    hand: run(`UPDATE trace SET entry = replace(entry, 'ProblemFrame accepted', 'ProblemFrame doubted')
      WHERE run_id = @one AND event_sequence = 3`),
    names: ['3 altered', '3 trace'],
  },
  {
    what: 'edited metadata of an artifact',
    hand: run(`UPDATE artifacts SET producer = 'user' WHERE run_id = @one AND type = 'ProblemFrame'`),
    names: ['3 altered', '3 artifacts'],
  },
  {
    what: 'an artifact under another event',
    hand: run(`UPDATE artifacts SET event_sequence = 4 WHERE run_id = @one AND type = 'ProblemFrame'`),
    names: ['3 altered', '4 altered'],
  },
  {
    what: 'two events with their numbers exchanged',
    hand: (db, one) => {
      for (const [from, to] of [
        [3, 99],
        [4, 3],
        [99, 4],
      ])
        db.prepare('UPDATE events SET sequence = ? WHERE run_id = ? AND sequence = ?').run(to, one, from);
    },
    names: ['3 broken_link', '3 altered', '4 broken_link', '4 altered', '5 broken_link'],
  },
  {
    what: 'two events with their content exchanged',
    hand: (db, one) => {
      db.prepare('CREATE TEMP TABLE held AS SELECT * FROM events WHERE run_id = ?').run(one);
      db.prepare(
        `UPDATE events SET (type, at, payload) = (SELECT type, at, payload FROM held WHERE sequence = 7 - events.sequence)
         WHERE run_id = ? AND sequence IN (3, 4)`,
      ).run(one);
    },
    names: ['3 altered', '4 altered'],
  },
  {
    what: 'two trace rows exchanged',
    hand: run(`UPDATE trace SET entry = (SELECT entry FROM trace o WHERE o.run_id = @one AND o.sequence = 3 - trace.sequence)
      WHERE run_id = @one AND sequence IN (1, 2)`),
    names: ['1 altered'],
  },
  {
    what: 'an event deleted in the middle',
    hand: run('DELETE FROM events WHERE run_id = @one AND sequence = 3'),
    names: ['3 missing_event', '0 count'],
  },
  {
    what: 'an event deleted in the middle with all that it wrote',
    hand: (db, one) => {
      db.prepare('DELETE FROM trace WHERE run_id = ? AND event_sequence = 3').run(one);
      db.prepare('DELETE FROM artifacts WHERE run_id = ? AND event_sequence = 3').run(one);
      db.prepare('DELETE FROM events WHERE run_id = ? AND sequence = 3').run(one);
    },
    names: ['3 missing_event', '0 count'],
  },
  {
    what: 'a trace row deleted in the middle',
    hand: run('DELETE FROM trace WHERE run_id = @one AND sequence = 2'),
    names: ['1 altered', '0 count'],
  },
  {
    what: 'a tail deleted',
    hand: (db, one) => {
      db.prepare('DELETE FROM trace WHERE run_id = ? AND event_sequence >= 5').run(one);
      db.prepare('DELETE FROM artifacts WHERE run_id = ? AND event_sequence >= 5').run(one);
      db.prepare('DELETE FROM events WHERE run_id = ? AND sequence >= 5').run(one);
    },
    names: ['5 lost_tail', '0 count'],
  },
  {
    what: 'a tail deleted and the row of the run put back to match it',
    hand: (db, one) => {
      db.prepare('DELETE FROM trace WHERE run_id = ? AND event_sequence >= 6').run(one);
      db.prepare('DELETE FROM artifacts WHERE run_id = ? AND event_sequence >= 6').run(one);
      db.prepare('DELETE FROM events WHERE run_id = ? AND sequence >= 6').run(one);
      db.prepare(
        `UPDATE runs SET head = 5, version = 5, head_hash = (SELECT hash FROM events WHERE run_id = @one AND sequence = 5),
           trace_count = (SELECT count(*) FROM trace WHERE run_id = @one),
           artifact_count = (SELECT count(*) FROM artifacts WHERE run_id = @one) WHERE run_id = @one`,
      ).run({ one });
    },
    names: ['0 snapshot', '0 version', '0 state'],
  },
  {
    what: 'an event copied from another run',
    hand: (db, one, other) => {
      db.prepare('DELETE FROM events WHERE run_id = ? AND sequence = 4').run(one);
      db.prepare(
        `INSERT INTO events (run_id, sequence, version, type, at, payload, previous_hash, hash)
         SELECT ?, sequence, version, type, at, payload, previous_hash, hash FROM events WHERE run_id = ? AND sequence = 4`,
      ).run(one, other);
    },
    names: ['4 broken_link', '4 copied', '5 broken_link', '4 refused'],
  },
  {
    what: 'an altered body',
    hand: run(`UPDATE bodies SET body = replace(body, 'schemaVersion', 'schemaversion')
      WHERE sha256 = (SELECT sha256 FROM artifacts WHERE run_id = @one AND type = 'ProblemFrame')`),
    names: ['3 body'],
  },
  {
    what: 'a missing body',
    hand: run(
      `DELETE FROM bodies WHERE sha256 = (SELECT sha256 FROM artifacts WHERE run_id = @one AND type = 'WorkPlan')`,
    ),
    names: ['6 body'],
  },
  {
    what: 'an altered time of an event',
    hand: run(`UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE run_id = @one AND sequence = 4`),
    names: ['4 altered', '4 artifacts'],
  },
  {
    what: 'an altered time of a trace row',
    hand: run(`UPDATE trace SET entry = json_set(entry, '$.at', '2020-01-01T00:00:00.000Z')
      WHERE run_id = @one AND event_sequence = 4`),
    names: ['4 altered', '4 trace'],
  },
  {
    what: 'an altered time of an artifact',
    hand: run(
      `UPDATE artifacts SET created_at = '2020-01-01T00:00:00.000Z' WHERE run_id = @one AND type = 'TaskContract'`,
    ),
    names: ['4 altered', '4 artifacts'],
  },
  {
    what: 'a budget in the row of the run',
    hand: run(`UPDATE runs SET context = replace(context, '"revisions":1', '"revisions":9'),
      snapshot = replace(snapshot, '"revisions":1', '"revisions":9') WHERE run_id = @one`),
    names: ['0 snapshot', '0 budgets'],
  },
  {
    what: 'a topology in the row of the run',
    hand: run(
      `UPDATE runs SET context = replace(context, '"topology":"standard"', '"topology":"forensic"') WHERE run_id = @one`,
    ),
    names: ['0 topology'],
  },
  {
    what: 'a phase in the snapshot of the run',
    hand: run(`UPDATE runs SET snapshot = replace(snapshot, 'agent_4_execute', 'agent_5_report') WHERE run_id = @one`),
    names: ['0 snapshot', '0 state'],
  },
  {
    what: 'the head hash of the run',
    hand: run(`UPDATE runs SET head_hash = (SELECT previous_hash FROM events WHERE run_id = @one AND sequence = 4)
      WHERE run_id = @one`),
    names: ['0 run_row'],
  },
  {
    what: 'the machine version of the run',
    hand: run(`UPDATE runs SET machine_version = '99' WHERE run_id = @one`),
    names: ['0 written_by'],
  },
  {
    what: 'the schema version of the run',
    hand: run(`UPDATE runs SET schema_version = '0.9' WHERE run_id = @one`),
    names: ['0 written_by'],
  },
  {
    what: 'the count of refusals of the run',
    hand: run('UPDATE runs SET denials = 8 WHERE run_id = @one'),
    names: ['0 run_row'],
    heals: true,
  },
  {
    what: 'the row of the run deleted',
    hand: run('DELETE FROM runs WHERE run_id = @one'),
    names: ['0 run_row'],
  },
  {
    what: 'a word in a row that the tables do not know',
    hand: run(`UPDATE artifacts SET producer = 'nobody' WHERE run_id = @one AND type = 'ProblemFrame'`),
    names: ['0 unreadable'],
  },
];

/** Goes on with the run through the product: a check, an artifact, an end. What it says is not asked. */
const goOn = async (world: World, runId: string): Promise<void> => {
  const { controller, ledger } = world.open();
  const attempt = async (call: (player: Player) => Promise<unknown>): Promise<void> => {
    try {
      await call(playerOf(controller, ledger, runId));
    } catch (error) {
      // Refused by the store, or by the player, who finds no run to read: nothing was appended.
      expect(error instanceof LedgerError || String(error).includes('The ledger holds no run')).toBe(true);
    }
  };
  await attempt((player) =>
    outcomeOf(controller.check({ ...player.token(), capability: 'repository.read', target: 'README.md' })),
  );
  await attempt((player) => outcomeOf(controller.cancel(player.token())));
  controller.close();
};

describe('telic verify', () => {
  it('says nothing against runs that are whole', async () => {
    const { world, ids } = await threeRuns();
    expect(await verifiedApart(world)).toMatchObject({ ok: true, runs: 3, differences: [], notJudged: [] });
    for (const id of ids) expect(await verified(world, id)).toMatchObject({ ok: true, runs: 1 });
  });

  for (const { what, hand, names, heals } of damages)
    it(`names ${what}${heals ? '' : ', and still does after the run went on'}`, async () => {
      const { world, ids } = await threeRuns();
      const [one, two] = ids;
      tamper(world, (db) => hand(db, one, two));
      const expected = names.map((name) => `${one} ${name}`);
      expect(named(await verified(world))).toEqual(expect.arrayContaining(expected));
      const alone = await verified(world, one);
      expect(named(alone)).toEqual(expect.arrayContaining(expected));
      expect(alone.differences.every(({ runId }) => runId === one)).toBe(true);
      if (heals) return;
      await goOn(world, one);
      const after = await verified(world);
      expect(after.differences.length).toBeGreaterThan(0);
      expect(after.differences.every(({ runId }) => runId === one)).toBe(true);
    });

  it('takes one state of a ledger that a server goes on writing', async () => {
    const world = bed();
    const session = world.open();
    const player = await play(session, open);
    const verifying = verifiedApart(world);
    for (let count = 0; count < 50; count += 1) {
      await session.controller.check({ ...player.token(), capability: 'repository.read', target: `file-${count}` });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await verifying).toMatchObject({ ok: true, runs: 1 });
    expect(await verified(world)).toMatchObject({ ok: true, events: 56 });
  });

  it('never shows a body', async () => {
    const { world, ids } = await threeRuns();
    tamper(world, (db) => {
      db.prepare(`UPDATE bodies SET body = replace(body, 'parser', 'plotter')`).run();
    });
    const said = await apart(world, 'verify');
    expect(said.exit).toBe(1);
    expect(said.out).toContain(ids[0]);
    expect(said.out).not.toMatch(/plotter|A parser and its notes/);
  });

  it('says that there is no such run, or no ledger', async () => {
    const { world } = await threeRuns();
    expect(await inWorld(world, 'verify', 'no-such-run')).toEqual({
      exit: 1,
      out: '',
      err: 'telic: The ledger of this repository has no run no-such-run. See telic runs.\n',
    });
    expect((await inWorld(bed(), 'verify')).err).toMatch(/^telic: There is no ledger/);
  });
});

describe('a run that is damaged in a process that goes on with it', () => {
  it('is named although the process wrote over it from memory', async () => {
    const world = bed();
    const session = world.open();
    const player = await play(session, open);
    tamper(world, (db) => {
      db.prepare(`UPDATE events SET at = 'then' WHERE sequence = 4`).run();
    });
    expect(await outcomeOf(session.controller.cancel(player.token()))).toEqual({ ok: true });
    const { differences } = verifyRun(session.ledger, player.runId);
    expect(differences.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [4, 'altered'],
      [4, 'artifacts'],
    ]);
  });
});
