import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import type { Retention } from '../../src/ledger/retention.ts';
import { openRetention, openRetentionReadOnly } from '../../src/ledger/sqlite/sqliteRetention.ts';
import type { StateDirectory } from '../../src/ledger/stateDirectory.ts';
import { ledgerWithRun, newLedger, newState } from '../ledger/fixtures.ts';
import { commitOf, messageOf, noon } from '../ledger/samples.ts';
import { recordedLedgers, unpack } from '../ledgers/recorded.ts';

const opened = (state: StateDirectory): Retention => {
  const retention = openRetention(state);
  onTestFinished(() => retention.close());
  return retention;
};

const read = <T>(state: StateDirectory, sql: string): T[] => {
  const db = new Sqlite(state.database);
  try {
    return db.prepare<[], T>(sql).pluck().all();
  } finally {
    db.close();
  }
};

const bodiesIn = (state: StateDirectory): string[] => read(state, 'SELECT sha256 FROM bodies ORDER BY 1');
const namedIn = (state: StateDirectory): string[] => read(state, 'SELECT DISTINCT sha256 FROM artifacts ORDER BY 1');
const bodyBytes = (state: StateDirectory): number =>
  read<number>(state, 'SELECT coalesce(sum(octet_length(body)), 0) FROM bodies')[0] ?? 0;
const rowBytes = (state: StateDirectory): number =>
  read<number>(
    state,
    `SELECT (SELECT coalesce(sum(octet_length(context) + octet_length(snapshot)), 0) FROM runs)
       + (SELECT coalesce(sum(octet_length(payload)), 0) FROM events)
       + (SELECT coalesce(sum(octet_length(entry)), 0) FROM trace)
       + (SELECT coalesce(sum(octet_length(source_refs)), 0) FROM artifacts)`,
  )[0] ?? 0;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** A message whose body depends on its content alone, so that runs with equal contents share one. */
const shared = (runId: string, id: string, content: string) => {
  const message = messageOf('run-0', 'shared', content);
  return { ...message, runId, id };
};

/** Runs whose artifacts have the given contents; equal contents share one body. */
const stateWith = (runs: readonly (readonly string[])[]): StateDirectory => {
  const state = newState();
  const ledger = newLedger(state);
  runs.forEach((contents, run) => {
    const runId = `run-${run}`;
    ledger.commit(commitOf(runId, 0));
    contents.forEach((content, index) => {
      ledger.commit(commitOf(runId, index + 1, { artifacts: [shared(runId, `m-${index}`, content)] }));
    });
  });
  ledger.close();
  return state;
};

describe('deleting runs', () => {
  it('leaves every other run whole and exactly the bodies that are named, and frees what was foretold', () => {
    const runs = fc.array(fc.array(fc.constantFrom('a', 'bb', 'ccc', 'dddd', 'eeeee'), { maxLength: 4 }), {
      minLength: 1,
      maxLength: 6,
    });
    const scene = runs.chain((all) =>
      fc.record({ all: fc.constant(all), going: fc.shuffledSubarray(all.map((_, run) => `run-${run}`)) }),
    );
    fc.assert(
      fc.property(scene, ({ all, going }) => {
        const state = stateWith(all);
        const before = [bodyBytes(state), rowBytes(state)];
        const retention = openRetention(state);
        const foretold = retention.weigh(going);
        const found = going.map((runId) => retention.delete(runId, noon, true));
        retention.close();

        const weights = found.map((one) => (one.outcome === 'deleted' ? one.weight : null));
        expect(weights).toEqual(foretold);
        expect(bodyBytes(state)).toBe((before[0] ?? 0) - sum(foretold.map((weight) => weight.bodyBytes)));
        expect(rowBytes(state)).toBe((before[1] ?? 0) - sum(foretold.map((weight) => weight.rowBytes)));
        expect(bodiesIn(state)).toEqual(namedIn(state));
        const ledger = newLedger(state);
        const staying = all.map((_, run) => `run-${run}`).filter((runId) => !going.includes(runId));
        expect(ledger.runIds().toSorted()).toEqual(staying.toSorted());
        for (const runId of staying) expect(ledger.verify(runId)).toEqual([]);
        for (const runId of going) expect(ledger.tombstone(runId)).toMatchObject({ runId, deletedAt: noon });
        ledger.close();
      }),
      { numRuns: 60 },
    );
  });

  it('leaves recorded runs that come out again, whichever of the others go', () => {
    const [recorded] = recordedLedgers.slice(-1);
    if (!recorded) throw new Error('There is no recorded ledger.');
    fc.assert(
      fc.property(fc.subarray([...recorded.runs]), (going) => {
        const state = unpack(recorded, newState());
        const retention = openRetention(state);
        for (const runId of going) expect(retention.delete(runId, noon, true).outcome).toBe('deleted');
        retention.close();
        expect(bodiesIn(state)).toEqual(namedIn(state));
        const ledger = newLedger(state);
        for (const runId of recorded.runs.filter((id) => !going.includes(id))) {
          const { differences, notJudged } = verifyRun(ledger, runId);
          expect(differences).toEqual([]);
          // A run can be judged again only with the run that it links.
          const orphan = runId === recorded.run('linked') && going.includes(recorded.run('fix'));
          if (!orphan) expect(notJudged).toEqual([]);
        }
        ledger.close();
      }),
      { numRuns: 25 },
    );
  });

  it('keeps id, times and chain head, and gives the same tombstone to whoever asks', () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const hash = ledger.chain('run-1', 2, 1)[0]?.hash;
    const tombstone = { runId: 'run-1', createdAt: noon, updatedAt: noon, deletedAt: 'later', head: 3, headHash: hash };
    const retention = opened(state);
    expect(retention.delete('run-1', 'later', true)).toMatchObject({ outcome: 'deleted', tombstone });
    expect(ledger.tombstone('run-1')).toEqual(tombstone);
    expect(retention.delete('run-1', 'again', true)).toEqual({ outcome: 'gone', tombstone });
    expect(retention.delete('run-2', 'again', true)).toEqual({ outcome: 'unknown' });
  });

  it('never lets the id be used again, by nobody', () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const history = ledger.history('run-1');
    if (!history) throw new Error('The run is gone.');
    opened(state).delete('run-1', noon, true);
    const taken = expect.objectContaining({ code: 'id_taken' });
    expect(() => ledger.commit(commitOf('run-1', 0))).toThrow(taken);
    expect(() => ledger.admit(history)).toThrow(taken);
    // A writer that held the old head finds nothing to write on.
    expect(ledger.commit(commitOf('run-1', 3))).toBe(false);
    const db = new Sqlite(state.database);
    onTestFinished(() => void db.close());
    const insert = `INTO runs VALUES ('run-1', '1.0', '1', 1, 9, '{}', '{}', 1, 'x', 0, 0, 0)`;
    for (const verb of ['INSERT', 'INSERT OR REPLACE', 'INSERT OR IGNORE'])
      expect(() => db.exec(`${verb} ${insert}`)).toThrow('never used again');
    for (const sql of ['DELETE FROM tombstones', `UPDATE tombstones SET run_id = 'run-9'`])
      expect(() => db.exec(sql)).toThrow('immutable');
    expect(() => db.exec(`INSERT OR REPLACE INTO tombstones SELECT * FROM tombstones`)).toThrow('the head of the run');
  });

  it('takes no tombstone that does not hold the head of its run', () => {
    const state = newState();
    ledgerWithRun(state).close();
    const db = new Sqlite(state.database);
    onTestFinished(() => void db.close());
    for (const [head, hash] of [
      ['head - 1', 'head_hash'],
      ['head', `'sha256:other'`],
    ])
      expect(() => db.exec(`INSERT INTO tombstones SELECT run_id, 'a', 'b', 'c', ${head}, ${hash} FROM runs`)).toThrow(
        'the head of the run',
      );
    expect(newLedger(state).verify('run-1')).toEqual([]);
  });

  it('refuses a run that has not ended, and one that was moved since it was looked at', () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const retention = opened(state);
    expect(retention.delete('run-1', noon, false)).toMatchObject({ outcome: 'unended', run: { status: 'running' } });
    expect(retention.delete('run-1', noon, true, 2).outcome).toBe('unended');
    expect(ledger.verify('run-1')).toEqual([]);
    expect(retention.delete('run-1', noon, true, 3).outcome).toBe('deleted');
  });

  it('can take a damaged run, and says what it cannot read', () => {
    const state = newState();
    ledgerWithRun(state).close();
    const db = new Sqlite(state.database);
    db.exec(`UPDATE runs SET context = 'nonsense'`);
    db.close();
    const retention = opened(state);
    expect(retention.run('run-1')).toMatchObject({ status: null, repositoryRoot: null, ended: false, events: 3 });
    expect(retention.delete('run-1', noon, false).outcome).toBe('unended');
    expect(retention.delete('run-1', noon, true).outcome).toBe('deleted');
    expect(bodiesIn(state)).toEqual([]);
  });
});

describe('the file', () => {
  const secret = 'a sentence that nobody shall find again';

  it('holds nothing of a deleted run any more, and is smaller', () => {
    const state = stateWith([[secret, 'x'.repeat(200_000)], ['kept']]);
    const retention = openRetention(state);
    retention.delete('run-0', noon, true);
    const compaction = retention.compact();
    retention.close();
    expect(compaction).toMatchObject({ done: true, why: null });
    expect(compaction.bytesBefore - compaction.bytesAfter).toBeGreaterThan(200_000);
    expect(readFileSync(state.database).includes(secret)).toBe(false);
    expect(newLedger(state).verify('run-1')).toEqual([]);
  });

  it('holds none of its text even where it was not written anew', () => {
    const state = stateWith([[secret], ['kept']]);
    expect(readFileSync(state.database).includes(secret)).toBe(true);
    const retention = openRetention(state);
    retention.delete('run-0', noon, true);
    retention.close();
    expect(readFileSync(state.database).includes(secret)).toBe(false);
  });

  it('is left as it is, with the reason, while another process holds it', () => {
    const state = stateWith([['a'], ['b']]);
    const retention = opened(state);
    retention.delete('run-0', noon, true);
    const other = new Sqlite(state.database);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    expect(retention.compact()).toMatchObject({ done: false, why: expect.stringContaining('more than five seconds') });
    other.exec('ROLLBACK');
    expect(retention.compact()).toMatchObject({ done: true });
  });

  it('loses bodies that no artifact names, and no other', () => {
    const state = stateWith([['a', 'b']]);
    const db = new Sqlite(state.database);
    db.exec(`INSERT INTO bodies VALUES ('sha256:stray', '{"a":"é"}')`);
    db.close();
    const retention = opened(state);
    expect(retention.unnamed()).toEqual({ count: 1, bytes: 10 });
    expect(retention.deleteUnnamed()).toEqual({ count: 1, bytes: 10 });
    expect(retention.deleteUnnamed()).toEqual({ count: 0, bytes: 0 });
    expect(bodiesIn(state)).toEqual(namedIn(state));
  });

  it('is not made when there is none', () => {
    const state = newState();
    for (const open of [openRetention, openRetentionReadOnly])
      expect(() => open(state)).toThrow(expect.objectContaining({ code: 'state_unavailable' }));
    expect(() => readFileSync(state.path)).toThrow('ENOENT');
  });
});
