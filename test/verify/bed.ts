import Sqlite from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Pair } from '../../machines/graph/runGraph.ts';
import { digestOfText } from '../../schemas/canonical.ts';
import { VerifyReport } from '../../schemas/verification.ts';
import { bundleOf } from '../../src/controller/verifyBundle.ts';
import { writeBundle } from '../../src/ledger/bundle.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { cli, type Said, telic } from '../cli/console.ts';
import { startOf } from '../everyRun/starts.ts';
import { begin, type Player } from '../law/player.ts';
import { newWorld, type World } from '../law/world.ts';

/** Runs in real ledgers, hands that change the rows behind the product's back, and the command that has to name it. */

export const open: readonly string[] = ['GROUND', 'ProblemFrame', 'TaskContract v1', 'PromptReview pass', 'WorkPlan'];
export const whole: readonly string[] = [
  ...open,
  'WorkResult completed-last',
  'QualityReview pass',
  'ReleaseAudit release',
  'UserReport completed',
];

/** A world that is gone when the test is over. */
export const bed = (as?: 'folder' | 'git'): World => {
  const world = newWorld(as);
  onTestFinished(() => world.close());
  return world;
};

/** Plays a run as far as the labels lead. */
export const play = async (
  { controller, ledger }: ReturnType<World['open']>,
  labels: readonly string[],
  pair: Pair = ['analyze_only', 'standard'],
): Promise<Player> => {
  const player = await begin(controller, ledger, startOf(pair));
  for (const label of labels) expect({ label, ...(await player.play(label)) }).toEqual({ label, ok: true });
  return player;
};

/** What raw SQL needs to forget the rules of the tables. */
export const tamper = (world: World, work: (db: Sqlite.Database) => void): void => {
  const db = new Sqlite(world.state.database);
  db.pragma('foreign_keys = OFF');
  for (const trigger of db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).pluck().all())
    db.exec(`DROP TRIGGER "${String(trigger)}"`);
  const before = db.prepare('SELECT total_changes()').pluck().get();
  work(db);
  expect(db.prepare('SELECT total_changes()').pluck().get(), 'something is changed').not.toBe(before);
  db.close();
};

/** Runs a command in the world's repository, in this process: the command line itself, without a start of Node. */
export const inWorld = ({ root, state }: World, ...argv: readonly string[]): Promise<Said> =>
  cli(argv, { cwd: root, env: { PATH: process.env.PATH ?? '', TELIC_STATE_DIR: state.path } });

/** The same through the executable, in a process of its own. */
export const apart = ({ root, state }: World, ...argv: readonly string[]): Promise<Said> =>
  telic(argv, { cwd: root, env: { TELIC_STATE_DIR: state.path } });

const reportOf = ({ exit, out, err }: Said): VerifyReport => {
  expect(err).toBe('');
  const report = VerifyReport.parse(JSON.parse(out));
  expect(exit).toBe(report.ok ? 0 : 1);
  return report;
};

/** What `telic verify` prints; the exit code says the same. */
export const verified = async (world: World, ...argv: readonly string[]): Promise<VerifyReport> =>
  reportOf(await inWorld(world, 'verify', ...argv, '--json'));

/** The same from the executable. */
export const verifiedApart = async (world: World, ...argv: readonly string[]): Promise<VerifyReport> =>
  reportOf(await apart(world, 'verify', ...argv, '--json'));

/** Run, event and kind of every difference. */
export const named = ({ differences }: VerifyReport): readonly string[] =>
  differences.map(({ runId, sequence, kind }) => `${runId} ${sequence} ${kind}`);

/** The bundle of a run. */
export const bundleIn = (ledger: Ledger, runId: string): Buffer => {
  const history = ledger.history(runId);
  if (!history) throw new Error(`no run ${runId}`);
  return writeBundle(bundleOf(ledger, history, ledger.run(runId)?.context.priorRunId ?? null));
};

/** A world with one run, and the path of a file for it outside. */
const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** The digest that a forger computes anew for each event of a run, after he has changed what he wants. */
export const rechain = (db: Sqlite.Database, runId: string): void => {
  let previous = `sha256:${'0'.repeat(64)}`;
  for (const raw of db.prepare('SELECT * FROM events WHERE run_id = ? ORDER BY sequence').all(runId)) {
    const event = Row.parse(raw);
    const artifacts = db
      .prepare(
        `SELECT json_object('createdAt', created_at, 'id', id, 'producer', producer, 'redaction', redaction,
           'runId', run_id, 'schemaVersion', '1.0', 'sha256', sha256, 'sourceRefs', json(source_refs), 'type', type)
         FROM artifacts WHERE run_id = ? AND event_sequence = ? ORDER BY position`,
      )
      .pluck()
      .all(runId, event.sequence);
    const trace = db
      .prepare('SELECT entry FROM trace WHERE run_id = ? AND event_sequence = ? ORDER BY sequence')
      .pluck()
      .all(runId, event.sequence);
    const hash = digestOfText(
      `{"artifacts":[${artifacts.join(',')}],"at":${JSON.stringify(event.at)},"payload":${event.payload},` +
        `"previousHash":"${previous}","runId":"${runId}","sequence":${event.sequence},"trace":[${trace.join(',')}],` +
        `"type":${JSON.stringify(event.type)},"version":${event.version}}`,
    );
    db.prepare('UPDATE events SET previous_hash = ?, hash = ? WHERE run_id = ? AND sequence = ?').run(
      previous,
      hash,
      runId,
      event.sequence,
    );
    previous = hash;
  }
  db.prepare('UPDATE runs SET head_hash = ? WHERE run_id = ?').run(previous, runId);
};
