import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { Age, CollectReport, DeleteReport } from '../../schemas/retention.ts';
import { TelicError } from '../../src/controller/telicError.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { cli, telic } from '../cli/console.ts';
import { startOf } from '../everyRun/starts.ts';
import { begin, playerOf } from '../law/player.ts';
import { newWorld as lawWorld } from '../law/world.ts';
import { controllerOf, newWorld, sampleFiles, type World } from '../sdk/world.ts';

const stateIn = (world: World) => locateStateDirectory(world.env, world.root);

const run = (world: World, ...words: readonly string[]) => cli([...words, '--repo', world.root], { env: world.env });

/** A repository with one ended run and one that is running. */
const withRuns = async () => {
  const world = newWorld(sampleFiles, 'folder');
  const controller = controllerOf(world);
  const start = async (originalRequest: string): Promise<string> =>
    (await controller.start({ originalRequest, mode: 'report_only' })).run.runId;
  const ended = await start('Look.');
  await controller.cancel({ runId: ended, actionId: `action:${ended}:1`, expectedVersion: 1 });
  const running = await start('Look again.');
  return { world, controller, ended, running };
};

const refused = (said: Awaited<ReturnType<typeof cli>>, why: string | RegExp): void => {
  expect(said.exit).toBe(1);
  expect(said.out).toBe('');
  expect(said.err).toMatch(why);
  expect(said.err.trimEnd().split('\n')).toHaveLength(1);
  expect(said.err.startsWith('telic: ')).toBe(true);
};

const failureOf = async (call: Promise<unknown>) => {
  try {
    await call;
  } catch (error) {
    if (error instanceof TelicError) return error.failure;
    throw error;
  }
  throw new Error('The call was taken.');
};

describe('telic delete', () => {
  it('deletes nothing without --yes, and says what would go', async () => {
    const { world, controller, ended } = await withRuns();
    refused(
      await run(world, 'delete', ended),
      /would delete run \S+ \(cancelled, 2 events, 2 artifacts, \d+ bytes\).*--yes/,
    );
    expect((await controller.run(ended)).run.status).toBe('cancelled');
  });

  it('deletes an ended run, and prints it, its tombstone and what was given back', async () => {
    const { world, ended } = await withRuns();
    const said = await run(world, 'delete', ended, '--yes', '--json');
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(said.out.trimEnd()).not.toContain('\n');
    const report = DeleteReport.parse(JSON.parse(said.out));
    expect(report).toMatchObject({
      deleted: { runId: ended, status: 'cancelled', events: 2, artifacts: 2, bodies: 2 },
      tombstone: { runId: ended, head: 2 },
      linkedBy: [],
      compaction: { done: true, why: null },
    });
    expect(openLedger(stateIn(world)).tombstone(ended)).toEqual(report.tombstone);
  });

  it('refuses a run that has not ended, unless it is forced, and then removes its session', async () => {
    const { world, running } = await withRuns();
    const { session } = stateIn(world);
    refused(await run(world, 'delete', running, '--yes'), /is running: finish or cancel it first.*--force/);
    expect(existsSync(session)).toBe(true);
    expect(await run(world, 'delete', running, '--yes', '--force')).toMatchObject({ exit: 0 });
    expect(existsSync(session)).toBe(false);
  });

  it('leaves the session of another run', async () => {
    const { world, ended } = await withRuns();
    const before = readFileSync(stateIn(world).session, 'utf8');
    await run(world, 'delete', ended, '--yes');
    expect(readFileSync(stateIn(world).session, 'utf8')).toBe(before);
  });

  it('says so when the run is unknown, was deleted already, or belongs to another repository', async () => {
    const { world, ended, running } = await withRuns();
    refused(await run(world, 'delete', 'no-such-run', '--yes'), 'has no run no-such-run');
    const other = newWorld(sampleFiles, 'folder');
    const elsewhere = ['delete', ended, '--yes', '--repo', other.root];
    refused(await cli(elsewhere, { env: world.env }), /belongs to the repository .*--repo/);
    await run(world, 'delete', ended, '--yes');
    refused(await run(world, 'delete', ended, '--yes'), /was deleted already, at \d{4}-/);
    expect(await cli(['delete', running, '--yes', '--force', '--repo', other.root], { env: world.env })).toMatchObject({
      exit: 0,
    });
  });

  it('fails where there is no ledger, and makes none', async () => {
    const world = newWorld({}, 'folder');
    for (const words of [['delete', 'run-1', '--yes'], ['gc'], ['gc', '--dry-run']])
      refused(await run(world, ...words), 'There is no ledger');
    expect(existsSync(stateIn(world).path)).toBe(false);
  });

  it('leaves the space in the file when that is asked for', async () => {
    const { world, ended } = await withRuns();
    const said = await run(world, 'delete', ended, '--yes', '--no-compact');
    expect(JSON.parse(said.out)).toMatchObject({ compaction: null });
  });

  it('takes an unknown option as usage', async () => {
    const { world, ended } = await withRuns();
    expect(await run(world, 'delete', ended, '--sure')).toMatchObject({ exit: 2, out: '' });
  });
});

describe('telic gc', () => {
  const days = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString();

  /** Five runs: two that rested for long, one old that has not ended, one old elsewhere, one new. */
  const aged = async () => {
    const { world, ended, running, controller } = await withRuns();
    const { run: second } = await controller.start({ originalRequest: 'And again.', mode: 'report_only' });
    await controller.cancel({ runId: second.runId, actionId: `action:${second.runId}:1`, expectedVersion: 1 });
    const { run: fresh } = await controller.start({ originalRequest: 'Once more.', mode: 'report_only' });
    await controller.cancel({ runId: fresh.runId, actionId: `action:${fresh.runId}:1`, expectedVersion: 1 });
    const other = newWorld(sampleFiles, 'folder');
    const far = controllerOf({ root: other.root, env: world.env });
    const { run: foreign } = await far.start({ originalRequest: 'Far away.', mode: 'report_only' });
    await far.cancel({ runId: foreign.runId, actionId: `action:${foreign.runId}:1`, expectedVersion: 1 });
    far.close();
    controller.close();
    const db = new Sqlite(stateIn(world).database);
    db.exec('DROP TRIGGER events_stay');
    for (const runId of [ended, running, second.runId, foreign.runId])
      db.prepare('UPDATE events SET at = ? WHERE run_id = ?').run(days(runId === second.runId ? 50 : 100), runId);
    db.close();
    return { world, ended, running, second: second.runId, fresh: fresh.runId, foreign: foreign.runId };
  };

  const collect = async (world: World, ...words: readonly string[]) => {
    const said = await run(world, 'gc', ...words);
    expect(said).toMatchObject({ exit: 0, err: '' });
    return CollectReport.parse(JSON.parse(said.out));
  };
  const idsIn = (world: World): readonly string[] => openLedger(stateIn(world)).runIds().toSorted();

  it('deletes what rested for longer, of this repository alone, and never what has not ended', async () => {
    const { world, ended, running, second, fresh, foreign } = await aged();
    const report = await collect(world, '--older-than', '90d');
    expect(report.runs.map(({ runId }) => runId)).toEqual([ended]);
    expect(report.skipped).toMatchObject([
      { runId: running, status: 'running', why: expect.stringContaining('--force') },
    ]);
    expect(report.compaction).toMatchObject({ done: true });
    expect(idsIn(world)).toEqual([running, second, fresh, foreign].toSorted());
    const more = await collect(world, '--older-than', '7w', '--force');
    expect(more.runs.map(({ runId }) => runId)).toEqual([running, second]);
    expect(more.skipped).toEqual([]);
    expect(idsIn(world)).toEqual([fresh, foreign].toSorted());
  });

  it('tells in a dry run exactly what the real one does, and changes no byte', async () => {
    const { world } = await aged();
    const { database } = stateIn(world);
    const [before, changed] = [readFileSync(database), statSync(database).mtimeMs];
    const dry = await collect(world, '--older-than', '30d', '--dry-run');
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(statSync(database).mtimeMs).toBe(changed);
    const real = await collect(world, '--older-than', '30d');
    expect(dry.runs).toHaveLength(2);
    expect(dry).toMatchObject({ dryRun: true, compaction: null });
    const told = ({ runs, skipped, unnamedBodies, bytes }: CollectReport) => ({ runs, skipped, unnamedBodies, bytes });
    expect(told(dry)).toEqual(told(real));
    expect(dry.bytes).toBe(dry.runs.reduce((all, { bytes }) => all + bytes, 0));
  });

  it('deletes no run without an age, only bodies that nothing names', async () => {
    const { world } = await aged();
    const runs = idsIn(world);
    const db = new Sqlite(stateIn(world).database);
    db.exec(`INSERT INTO bodies VALUES ('sha256:stray', '{"a":"é"}')`);
    db.close();
    expect(await collect(world)).toMatchObject({
      before: null,
      runs: [],
      unnamedBodies: { count: 1, bytes: 10 },
      bytes: 10,
      compaction: { done: true },
    });
    expect(await collect(world)).toMatchObject({ bytes: 0, compaction: null });
    expect(idsIn(world)).toEqual(runs);
  });

  it.each(['', '90', '0d', '-1d', '1.5d', '90D', '90 d', '1y', '100000d', 'd'])(
    'takes %j for no age, and deletes nothing',
    async (age) => {
      const { world } = await withRuns();
      const runs = idsIn(world);
      refused(await run(world, 'gc', `--older-than=${age}`), /--older-than takes a whole number and h, d or w/);
      expect(idsIn(world)).toEqual(runs);
    },
  );

  it.each([
    ['1h', 3_600_000],
    ['90d', 7_776_000_000],
    ['99999w', 60_479_395_200_000],
  ])('takes %s for %d milliseconds', (said, milliseconds) => {
    expect(Age.parse(said)).toBe(milliseconds);
  });
});

describe('beside a deletion', () => {
  it('every tool and command says that the run is gone, and when it was deleted', async () => {
    const { world, controller, running } = await withRuns();
    // The server holds the run in its memory.
    await controller.nextAction(running);
    expect((await telic(['delete', running, '--yes', '--force', '--repo', world.root], { env: world.env })).exit).toBe(
      0,
    );
    const token = { runId: running, actionId: `action:${running}:1`, expectedVersion: 1 };
    for (const call of [
      controller.nextAction(running),
      controller.run(running),
      controller.trace(running, 0, 10),
      controller.artifact(running, running),
      controller.replay(running),
      controller.cancel(token),
      controller.ground(token),
      controller.submit({ ...token, artifactType: 'ProblemFrame', body: {}, sourceRefs: [] }),
      controller.check({ ...token, capability: 'repository.read', target: 'README.md' }),
    ])
      expect(await failureOf(call)).toMatchObject({
        code: 'run_not_found',
        rule: 'ADM-TR-01',
        error: expect.stringMatching(/was deleted from this ledger at \d{4}-/),
      });
    expect((await controller.listRuns(100)).runs.map(({ runId }) => runId)).not.toContain(running);
    for (const command of ['status', 'trace', 'replay']) refused(await run(world, command, running), /has no run/);
    // The server goes on.
    expect((await controller.start({ originalRequest: 'New.', mode: 'report_only' })).run.status).toBe('running');
  });

  /** An ended run with Evidence, a run that links it, and a frame of the later one that cites that Evidence. */
  const linkedRuns = async () => {
    const world = lawWorld();
    onTestFinished(() => world.close());
    const { controller, ledger } = world.open();
    const prior = await begin(controller, ledger, startOf(['analyze_only', 'standard']));
    for (const label of ['GROUND', 'ProblemFrame', 'TaskContract v1', 'PromptReview pass', 'WorkPlan'])
      await prior.play(label);
    await prior.product('WorkResult completed');
    await prior.play('CANCEL');
    const [evidence] = prior.record().all('Evidence');
    const linking = { ...startOf(['report_only', 'standard']), priorRunId: prior.runId };
    const { run: started } = await controller.start(linking);
    const later = playerOf(controller, ledger, started.runId);
    await later.play('GROUND');
    const frame = await later.product('ProblemFrame');
    if (!frame || !evidence) throw new Error('There is nothing to cite.');
    const citing = { ...frame, sourceRefs: [...(frame.sourceRefs ?? []), `artifact://${prior.runId}/${evidence.id}`] };
    return { world, controller, prior, later, linking, frame, citing };
  };

  it('a run that links the deleted one goes on and can cite it no more (LIN-07)', async () => {
    const { world, controller, prior, later, linking, frame, citing } = await linkedRuns();
    const env = { TELIC_STATE_DIR: world.state.path };
    const said = await telic(['delete', prior.runId, '--yes', '--repo', world.root], { env });
    expect(DeleteReport.parse(JSON.parse(said.out)).linkedBy).toEqual([later.runId]);

    const refusal = {
      ok: false,
      code: 'reference_invalid',
      rule: 'ADM-LIN-07',
      error: expect.stringContaining(prior.runId),
    };
    expect(await later.submit(citing)).toMatchObject(refusal);
    // The same to a server that reads the run anew.
    const second = world.open();
    expect(await playerOf(second.controller, second.ledger, later.runId).submit(citing)).toMatchObject(refusal);
    expect(await later.submit(frame)).toEqual({ ok: true });
    expect(await failureOf(controller.start(linking))).toMatchObject({ code: 'run_not_found' });
  });

  it('a run cites the one that it links for as long as that is there', async () => {
    const { later, citing } = await linkedRuns();
    expect(await later.submit(citing)).toEqual({ ok: true });
  });

  it('of several processes that delete one run, exactly one does', async () => {
    const { world, ended } = await withRuns();
    const words = ['delete', ended, '--yes', '--json', '--no-compact', '--repo', world.root];
    const said = await Promise.all([1, 2, 3].map(() => telic(words, { env: world.env })));
    expect(said.map(({ exit }) => exit).toSorted()).toEqual([0, 1, 1]);
    for (const { exit, err } of said) if (exit === 1) expect(err).toContain('was deleted already');
  });

  it('a process that dies in the middle of one leaves the run whole', async () => {
    const { world, ended, controller } = await withRuns();
    controller.close();
    const { database } = stateIn(world);
    const script = join(world.root, 'die.cjs');
    writeFileSync(
      script,
      `const db = new (require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))}))(${JSON.stringify(database)});
       db.pragma('cache_size = 1');
       db.exec('BEGIN IMMEDIATE');
       db.exec("INSERT INTO tombstones SELECT run_id, 'a', 'b', 'c', head, head_hash FROM runs WHERE run_id = '${ended}'");
       if (db.prepare('SELECT count(*) FROM events WHERE run_id = ?').pluck().get('${ended}') !== 0) process.exit(3);
       process.kill(process.pid, 'SIGKILL');`,
    );
    const { spawnSync } = await import('node:child_process');
    expect(spawnSync(process.execPath, [script]).signal).toBe('SIGKILL');
    const ledger = openLedger(stateIn(world));
    onTestFinished(() => ledger.close());
    expect(ledger.tombstone(ended)).toBe(null);
    expect(ledger.verify(ended)).toEqual([]);
    expect(ledger.artifacts(ended, 0)).toHaveLength(2);
  });
});

describe('the help of the commands that delete', () => {
  it.each([
    ['delete', DeleteReport],
    ['gc', CollectReport],
  ])('of %s names every field that is printed', async (command, schema) => {
    const { out, exit } = await cli([command, '--help']);
    expect(exit).toBe(0);
    const fields = z.array(z.string()).parse(Object.keys(schema.shape));
    for (const field of fields) expect(out).toMatch(new RegExp(`^  ${field} +\\S`, 'm'));
  });
});
