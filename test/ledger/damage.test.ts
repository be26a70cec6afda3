import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digestOfText } from '../../schemas/canonical.ts';
import { chainStart, linkText } from '../../src/ledger/chain.ts';
import { LedgerError } from '../../src/ledger/errors.ts';
import type { StateDirectory } from '../../src/ledger/stateDirectory.ts';
import { ledgerWithRun, newLedger, newState } from './fixtures.ts';
import { commitOf, draftOf, messageOf, noon } from './samples.ts';

/** Changes a ledger behind its back, as somebody with an editor would. */
const tamper = (state: StateDirectory, sql: string): void => {
  const db = new Sqlite(state.database);
  db.pragma('foreign_keys = OFF');
  for (const trigger of db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).pluck().all())
    db.exec(`DROP TRIGGER ${String(trigger)}`);
  const { changes } = db.prepare(sql).run();
  db.close();
  if (changes === 0) throw new Error('nothing was changed');
};

const codeOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
  return 'no error';
};

const { sha256 } = messageOf('run-1', 'answer-01', 'the secret plan');

const damaged = (sql: string) => {
  const state = newState();
  const before = newLedger(state);
  before.commit(commitOf('run-1', 0, { artifacts: [messageOf('run-1', 'request-01')] }));
  before.commit(commitOf('run-1', 1, { artifacts: [messageOf('run-1', 'answer-01', 'the secret plan')] }));
  before.commit(commitOf('run-2', 0, { artifacts: [messageOf('run-2', 'request-01')] }));
  before.close();
  tamper(state, sql);
  return newLedger(state);
};

describe('a damaged body', () => {
  for (const [how, sql, status] of [
    ['missing', `DELETE FROM bodies WHERE sha256 = '${sha256}'`, 'missing'],
    ['truncated', `UPDATE bodies SET body = substr(body, 1, 20) WHERE sha256 = '${sha256}'`, 'mismatch'],
    ['emptied', `UPDATE bodies SET body = '' WHERE sha256 = '${sha256}'`, 'mismatch'],
    ['altered', `UPDATE bodies SET body = replace(body, 'plan', 'plot') WHERE sha256 = '${sha256}'`, 'mismatch'],
  ] as const)
    it(`that is ${how} is reported with run and artifact, and never shown`, () => {
      const ledger = damaged(sql);
      expect(ledger.digestStatus('run-1', 'answer-01')).toBe(status);
      for (const call of [() => ledger.artifact('run-1', 'answer-01'), () => ledger.artifacts('run-1', 0)])
        try {
          call();
          expect.unreachable();
        } catch (error) {
          expect(error).toMatchObject({
            code: 'integrity_failed',
            subject: { runId: 'run-1', artifactId: 'answer-01' },
            message: expect.stringMatching(/^Artifact answer-01 of run run-1 is damaged/),
          });
          expect(String(error)).not.toMatch(/secret|plot/);
        }
      expect(ledger.verify('run-1')).toEqual([
        { sequence: 2, artifactId: 'answer-01', message: expect.stringContaining('answer-01') },
      ]);
      expect(ledger.artifact('run-1', 'request-01')?.id).toBe('request-01');
      expect(ledger.artifactMeta('run-1', 0, 10)).toHaveLength(2);
      expect(ledger.verify('run-2')).toEqual([]);
    });

  it('does not pass for an equal body that is stored later', () => {
    const ledger = damaged(`UPDATE bodies SET body = replace(body, 'plan', 'plot') WHERE sha256 = '${sha256}'`);
    const again = { ...messageOf('run-1', 'answer-01', 'the secret plan'), id: 'answer-09' };
    expect(codeOf(() => ledger.commit(commitOf('run-1', 2, { artifacts: [again] })))).toBe('integrity_failed');
    expect(ledger.head('run-1')).toBe(2);
  });
});

describe('equal bodies', () => {
  it('share one row', () => {
    const state = newState();
    const ledger = newLedger(state);
    const body = messageOf('run-1', 'm-1');
    ledger.commit(commitOf('run-1', 0, { artifacts: [body, { ...body, id: 'm-2' }] }));
    ledger.commit(commitOf('run-1', 1, { artifacts: [{ ...body, id: 'm-3' }] }));
    ledger.close();
    const db = new Sqlite(state.database);
    expect(db.prepare('SELECT count(*) FROM bodies').pluck().get()).toBe(1);
    db.close();
    expect(newLedger(state).artifacts('run-1', 0)).toHaveLength(3);
  });
});

describe('a body that this version does not know', () => {
  it('is intact and incompatible, not damaged', () => {
    const state = newState();
    ledgerWithRun(state).close();
    const text = canonicalJson({ schemaVersion: '9.0', text: 'from another time' });
    const digest = digestOfText(text);
    tamper(state, `INSERT INTO bodies VALUES ('${digest}', '${text}')`);
    const db = new Sqlite(state.database);
    db.prepare(`UPDATE artifacts SET sha256 = ? WHERE id = 'answer-01'`).run(digest);
    db.close();
    const ledger = newLedger(state);
    expect(ledger.digestStatus('run-1', 'answer-01')).toBe('ok');
    expect(codeOf(() => ledger.artifact('run-1', 'answer-01'))).toBe('incompatible');
  });
});

describe('the chain', () => {
  it('hashes the canonical JSON of the documented form', () => {
    const ledger = ledgerWithRun(newState());
    const [first, second] = ledger.chain('run-1', 0, 10);
    const meta = ledger.artifactMeta('run-1', 1, 2);
    expect(first?.previousHash).toBe(chainStart);
    expect(second?.hash).toBe(
      digestOfText(
        canonicalJson({
          previousHash: first?.hash,
          runId: 'run-1',
          sequence: 2,
          type: 'user.answer',
          version: 2,
          at: noon,
          payload: { step: 1 },
          artifacts: meta,
          trace: [draftOf('phase_submitted')],
        }),
      ),
    );
  });

  it('is put together as canonical JSON, whatever stands in it', () => {
    const link = { previousHash: chainStart, runId: 'r"\\\n', sequence: 7, type: 'é\u2028', version: 3, at: '日本' };
    expect(linkText({ ...link, payload: '{"a":[1]}', artifacts: ['{"id":"x"}', '{}'], trace: ['[]'] })).toBe(
      canonicalJson({ ...link, payload: { a: [1] }, artifacts: [{ id: 'x' }, {}], trace: [[]] }),
    );
  });

  for (const [what, sql] of [
    ['a payload', `UPDATE events SET payload = '{"step":7}' WHERE sequence = 2`],
    ['a time', `UPDATE events SET at = 'then' WHERE sequence = 1`],
    ['a type', `UPDATE events SET type = 'user.cancel' WHERE sequence = 2`],
    ['a version', `UPDATE events SET version = 1 WHERE sequence = 2`],
    ['a hash', `UPDATE events SET hash = previous_hash WHERE sequence = 3`],
    ['the last event', `DELETE FROM events WHERE sequence = 3`],
    ['an event in the middle', `DELETE FROM events WHERE sequence = 2`],
    ['the producer of an artifact', `UPDATE artifacts SET producer = 'host' WHERE id = 'answer-01'`],
    ['the references of an artifact', `UPDATE artifacts SET source_refs = '["x"]' WHERE id = 'answer-01'`],
    ['the event of an artifact', `UPDATE artifacts SET event_sequence = 3 WHERE id = 'answer-02'`],
    ['the last artifact', `DELETE FROM artifacts WHERE id = 'answer-02'`],
    ['a trace entry', `UPDATE trace SET entry = replace(entry, 'phase_submitted', 'run_cancelled') WHERE sequence = 2`],
    ['the order of the trace', `UPDATE trace SET sequence = 9 WHERE sequence = 1`],
    ['the last trace entry', `DELETE FROM trace WHERE sequence = 3`],
    ['the head of the run', `UPDATE runs SET head = 2`],
    ['the counts of the run', `UPDATE runs SET artifact_count = 2`],
    ['the version of the run', `UPDATE runs SET version = 5`],
    ['a digest that is none', `UPDATE artifacts SET sha256 = 'x' WHERE id = 'answer-01'`],
  ] as const)
    it(`shows that somebody changed ${what}`, () => {
      const state = newState();
      ledgerWithRun(state).close();
      tamper(state, sql);
      expect(newLedger(state).verify('run-1')).not.toEqual([]);
    });

  it('cannot be rewritten by a slip: the tables refuse updates', () => {
    const state = newState();
    ledgerWithRun(state).close();
    const db = new Sqlite(state.database);
    for (const table of ['events', 'bodies', 'artifacts', 'trace'])
      expect(() => db.exec(`UPDATE ${table} SET rowid = rowid`)).toThrow('immutable');
    db.close();
  });

  for (const table of ['events', 'bodies', 'artifacts', 'trace'])
    it(`keeps its ${table} for as long as the run is there`, () => {
      const state = newState();
      ledgerWithRun(state).close();
      const db = new Sqlite(state.database);
      db.pragma('foreign_keys = OFF');
      expect(() => db.exec(`DELETE FROM ${table}`)).toThrow('immutable');
      if (table !== 'bodies')
        expect(() => db.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`)).toThrow('immutable');
      db.close();
      expect(newLedger(state).verify('run-1')).toEqual([]);
    });

  it('lets go of a whole run by its tombstone, never of a part of it', () => {
    const state = newState();
    ledgerWithRun(state).close();
    const db = new Sqlite(state.database);
    db.pragma('foreign_keys = ON');
    for (const table of ['runs', 'events', 'bodies', 'artifacts', 'trace'])
      expect(() => db.exec(`DELETE FROM ${table}`)).toThrow('immutable');
    db.exec(`INSERT INTO tombstones SELECT run_id, 'then', 'then', 'now', head, head_hash FROM runs`);
    for (const table of ['runs', 'events', 'bodies', 'artifacts', 'trace'])
      expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
    db.close();
  });
});

describe('a damaged run', () => {
  it('says so and leaves the others alone', () => {
    const state = newState();
    const ledger = ledgerWithRun(state, 'run-1');
    ledgerWithRun(state, 'run-2').close();
    ledger.close();
    tamper(state, `UPDATE runs SET context = 'nonsense' WHERE run_id = 'run-1'`);
    const after = newLedger(state);
    expect(codeOf(() => after.run('run-1'))).toBe('integrity_failed');
    expect(after.run('run-2')?.head).toBe(3);
  });

  it('of another schema version is incompatible, and the list goes on without it', () => {
    const state = newState();
    ledgerWithRun(state, 'run-1').close();
    ledgerWithRun(state, 'run-2').close();
    tamper(state, `UPDATE runs SET schema_version = '2.0' WHERE run_id = 'run-1'`);
    const after = newLedger(state);
    expect(codeOf(() => after.run('run-1'))).toBe('incompatible');
    expect(after.runs(10).map(({ context }) => context.runId)).toEqual(['run-2']);
    expect(after.run('run-2')?.head).toBe(3);
  });
});

describe('a damaged file', () => {
  it('that is no database is reported as damage', () => {
    const state = newState();
    mkdirSync(state.path, { mode: 0o700 });
    writeFileSync(state.database, 'not a database, but long enough to be looked at as one'.repeat(100), {
      mode: 0o600,
    });
    expect(codeOf(() => newLedger(state).run('run-1'))).toBe('integrity_failed');
  });

  it('that was replaced under an open ledger takes no more writes', () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    renameSync(state.path, `${state.path}-moved`);
    expect(codeOf(() => ledger.commit(commitOf('run-1', 3)))).toBe('state_unavailable');
    ledgerWithRun(state).close();
    expect(codeOf(() => ledger.commit(commitOf('run-1', 3)))).toBe('state_unavailable');
    expect(newLedger(state).head('run-1')).toBe(3);
  });

  for (const suffix of ['-wal', '-shm'])
    it(`whose ${suffix} file was taken away under an open ledger takes no more writes, and keeps those before`, () => {
      const state = newState();
      const ledger = ledgerWithRun(state);
      rmSync(`${state.database}${suffix}`);
      expect(codeOf(() => ledger.commit(commitOf('run-1', 3)))).toBe('state_unavailable');
      expect(codeOf(() => ledger.head('run-1'))).toBe('state_unavailable');
      ledger.close();
      const after = newLedger(state);
      expect(after.head('run-1')).toBe(3);
      expect(after.verify('run-1')).toEqual([]);
      expect(after.commit(commitOf('run-1', 3))).toBe(true);
    });
});
