import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nodeCheck, requiredNode } from '../../src/cli/doctor/machine.ts';
import { spaceVerdict } from '../../src/cli/doctor/place.ts';
import { clockVerdict } from '../../src/cli/doctor/records.ts';
import { openDatabase } from '../../src/ledger/sqlite/driver.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { recordedLedgers, unpack } from '../ledgers/recorded.ts';
import { controllerOf, newWorld, sampleFiles, type World } from '../sdk/world.ts';
import { cli, telic } from './console.ts';
import { general, recorded, runId } from './recorded.ts';

const Checked = z.looseObject({ ok: z.boolean(), hint: z.string().nullable() });
const Output = z.object({ ok: z.boolean(), checks: z.record(z.string(), Checked) });

const doctor = async (world: Pick<World, 'root'>, env: Readonly<Record<string, string>>) => {
  const said = await cli(['doctor', '--repo', world.root], { env });
  expect(said).toMatchObject({ exit: 0, err: '' });
  return Output.parse(JSON.parse(said.out));
};

/** The database file of a world that has one. */
const databaseOf = ({ env }: World): string => join(env.TELIC_STATE_DIR ?? '', 'ledger.sqlite3');

/** Changes rows as no commit does; the ledger rests before and after. */
const tamper = (world: World, sql: string): void => {
  const db = openDatabase(databaseOf(world), { readOnly: false, busyMilliseconds: 0 });
  try {
    db.pragma('foreign_keys = OFF');
    for (const trigger of db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).pluck().all())
      db.exec(`DROP TRIGGER ${String(trigger)}`);
    db.exec(sql);
  } finally {
    db.close();
  }
};

const path = { PATH: process.env.PATH ?? '' };

/** A session file; `<root>` stands for the repository that is asked about. */
const session = ({ runId: named = runId, runVersion = 1, root = '<root>' }): string =>
  JSON.stringify({
    schemaVersion: '1.0',
    runId: named,
    actionId: `action:${named}:${runVersion}`,
    runVersion,
    repositoryRoot: root,
    requestedMode: 'plan_only',
    updatedAt: '2026-03-02T09:00:00.000Z',
  });

describe('doctor', () => {
  it.runIf(process.getuid?.() === 0)(
    'tells that Git refuses a repository of another owner, until it is safe',
    async () => {
      const world = newWorld(sampleFiles, 'commit');
      for (const owned of [world.root, join(world.root, '.git')]) chownSync(owned, 12_345, 12_345);
      const env = { ...world.env, ...path, HOME: dirname(databaseOf(world)) };
      const { ok, checks } = await doctor(world, env);
      expect(ok).toBe(true);
      expect(checks.git).toMatchObject({
        ok: false,
        hint: expect.stringContaining('git config --global --add safe.dir'),
      });
      const settings = join(world.root, 'settings');
      writeFileSync(settings, `[safe]\n\tdirectory = ${world.root}\n`);
      const trusted = await doctor(world, { ...env, GIT_CONFIG_GLOBAL: settings });
      expect(trusted.checks.git).toMatchObject({ ok: true, hint: null });
    },
  );

  it.runIf(process.getuid?.() === 0).each([
    ['a $(touch ran) `touch ran`', (root: string) => `'${root}'`],
    // As JSON shows these, a shell would run what stands in the name.
    [`a'$(touch ran)'b`, () => 'with its path'],
    ['a"b', () => 'with its path'],
  ])('lets nothing in the name %j run that the command to copy holds', async (name, named) => {
    const world = newWorld(sampleFiles, 'commit', name);
    for (const owned of [world.root, join(world.root, '.git')]) chownSync(owned, 12_345, 12_345);
    const { checks } = await doctor(world, { ...world.env, ...path, HOME: dirname(databaseOf(world)) });
    expect(checks.git?.hint?.split('--add ')[1]).toBe(
      `safe.directory ${named(world.root)} if you trust what is in it.`,
    );
  });

  it('says what there is, with no hint where nothing is amiss', async () => {
    const world = newWorld(sampleFiles, 'commit');
    await controllerOf(world).start({ originalRequest: 'Look.', mode: 'plan_only' });
    const { ok, checks } = await doctor(world, { ...world.env, ...path });
    expect(ok).toBe(true);
    expect(checks).toMatchObject({
      node: { ok: true, hint: null, version: process.versions.node, required: requiredNode },
      repository: { ok: true, hint: null, root: world.root },
      git: { ok: true, hint: null, optional: true },
      ripgrep: { optional: true },
      ledger: { ok: true, hint: null, exists: true, stateDirectory: world.env.TELIC_STATE_DIR },
      sqlite: { ok: true, hint: null },
      privacy: { ok: true, hint: null, directory: '0700', database: '0600' },
      writable: { ok: true, hint: null },
      space: { ok: true, hint: null, freeBytes: expect.any(Number) },
      integrity: { ok: true, hint: null, faults: [] },
      runs: { ok: true, hint: null, count: 1 },
      sizes: { ok: true, hint: null, bodies: 2 },
      unnamedBodies: { ok: true, hint: null, count: 0, bytes: 0 },
      session: { ok: true, hint: null, exists: true, runVersion: 1, current: true },
      clock: { ok: true, hint: null },
    });
    expect(checks.sizes?.logBytes).toBeGreaterThan(0);
    expect(checks.runs?.oldest).toEqual(checks.runs?.newest);
    expect(checks.ledger?.format).toBe(checks.ledger?.newestFormat);
  });

  it('prints what its golden file holds', async () => {
    const world = await recorded();
    const said = await cli(['doctor', '--repo', world.root], { env: { ...world.env, PATH: world.root } });
    expect(said).toMatchObject({ exit: 0, err: '' });
    const told = general(said.out, world)
      .replaceAll(world.env.TELIC_STATE_DIR ?? '', '/srv/state')
      .replaceAll(/"version": "[^"]+"/g, '"version": "<version>"')
      .replaceAll(/"(freeBytes|databaseBytes|bodyBytes)": \d+/g, '"$1": "<bytes>"')
      .replaceAll(/"now": "[^"]+"/g, '"now": "<now>"');
    await expect(told).toMatchFileSnapshot('golden/doctor.txt');
  });

  it('tells the versions that are in use', async () => {
    const { root } = newWorld({}, 'folder');
    const { checks } = await doctor({ root }, path);
    const installed = (name: string): unknown =>
      JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')).version;
    expect(checks).toMatchObject({
      product: { version: '0.0.0-test' },
      sdk: { version: installed('@modelcontextprotocol/sdk') },
      sqlite: { version: expect.stringMatching(/^3\.\d+\.\d+$/) },
    });
  });

  it('names the first and the last run that were started, in the order of the ledger', async () => {
    const world = await recorded();
    const controller = controllerOf(world);
    await controller.start({ originalRequest: 'One.', mode: 'report_only' });
    const { run } = await controller.start({ originalRequest: 'Two.', mode: 'report_only' });
    const { checks } = await doctor(world, { ...world.env, ...path });
    expect(checks.runs).toMatchObject({
      count: 3,
      oldest: { runId, createdAt: '2026-03-02T09:00:00.000Z' },
      newest: { runId: run.runId, createdAt: run.createdAt },
    });
  });

  it('counts bodies that no artifact names', async () => {
    const world = await recorded();
    tamper(world, 'INSERT INTO bodies VALUES (\'sha256:none\', \'{"a":"é"}\')');
    const { checks } = await doctor(world, world.env);
    expect(checks.unnamedBodies).toMatchObject({ ok: false, count: 1, bytes: 10 });
    expect(checks.integrity).toMatchObject({ ok: true });
  });

  it('finds an artifact whose body is gone', async () => {
    const world = await recorded();
    tamper(world, `DELETE FROM bodies WHERE sha256 = (SELECT sha256 FROM artifacts WHERE id = '${runId}')`);
    const { checks } = await doctor(world, world.env);
    expect(checks.integrity).toMatchObject({
      ok: false,
      faults: ['a row of artifacts names a row of bodies that is missing'],
      hint: expect.stringContaining('restore'),
    });
  });

  it('finds a damaged page, and looks at everything else all the same', async () => {
    const world = await recorded();
    const bytes = readFileSync(databaseOf(world));
    const size = bytes.readUInt16BE(16);
    // The first page describes the tables; the last one belongs to one of them.
    writeFileSync(databaseOf(world), bytes.fill(0xff, bytes.length - size));
    const { checks } = await doctor(world, world.env);
    expect(checks.integrity).toMatchObject({ ok: false });
    expect(checks.space).toMatchObject({ ok: true });
    expect(checks.ledger).toMatchObject({ ok: true, format: 2 });
  });

  it.each<[string, (world: World) => string, string]>([
    ['of a run that is not there', () => session({ runId: 'run-other' }), 'which the ledger does not have'],
    ['of an older version', (world) => session({ runVersion: 7, root: world.root }), 'which is at version 1'],
    ['of another repository', () => session({ root: '/srv/other' }), 'it names the repository /srv/other'],
    ['that is no session file', () => '{}', 'is no session file'],
  ])('tells of a session %s', async (_, content, hint) => {
    const world = await recorded();
    const text = content(world);
    writeFileSync(
      join(world.env.TELIC_STATE_DIR ?? '', 'active-session.json'),
      text.replace('"<root>"', JSON.stringify(world.root)),
    );
    const { checks } = await doctor(world, world.env);
    expect(checks.session).toMatchObject({
      ok: false,
      exists: true,
      current: false,
      hint: expect.stringContaining(hint),
    });
  });

  it('tells of a session whose run has ended', async () => {
    const world = newWorld(sampleFiles, 'folder');
    const controller = controllerOf(world);
    const { run } = await controller.start({ originalRequest: 'Look.', mode: 'plan_only' });
    const file = join(world.env.TELIC_STATE_DIR ?? '', 'active-session.json');
    const left = readFileSync(file);
    await controller.cancel({ runId: run.runId, actionId: `action:${run.runId}:1`, expectedVersion: 1 });
    expect((await doctor(world, world.env)).checks.session).toMatchObject({ ok: true, exists: false });
    writeFileSync(file, left);
    expect((await doctor(world, world.env)).checks.session).toMatchObject({
      ok: false,
      hint: expect.stringContaining('which is cancelled'),
    });
  });

  it('tells that other users can get at the state, and takes loose modes where they are accepted', async () => {
    const world = await recorded();
    chmodSync(world.env.TELIC_STATE_DIR ?? '', 0o755);
    expect((await doctor(world, world.env)).checks.privacy).toMatchObject({
      ok: false,
      directory: '0755',
      database: '0600',
      hint: expect.stringContaining('chmod'),
    });
    const loose = { ...world.env, TELIC_STATE_LOOSE_MODES: '1' };
    expect((await doctor(world, loose)).checks.privacy).toMatchObject({ ok: true, directory: '0755' });
  });

  it('says where nothing can be written', async () => {
    const world = newWorld({}, 'folder');
    const parent = join(dirname(world.root), 'closed');
    mkdirSync(parent);
    chmodSync(dirname(world.root), 0o755);
    chmodSync(parent, 0o555);
    // Modes do not bind the administrator: as one, ask as a user who owns nothing.
    const user = process.geteuid?.() === 0 ? 65_534 : undefined;
    const options = { env: { TELIC_STATE_DIR: join(parent, 'state') }, ...(user !== undefined && { user }) };
    const said = await telic(['doctor', '--repo', world.root], options);
    const { checks } = Output.parse(JSON.parse(said.out));
    expect(said.exit).toBe(0);
    expect(checks.writable).toMatchObject({
      ok: false,
      hint: expect.stringContaining(`${parent} cannot be written (EACCES)`),
    });
  });

  it('creates nothing', async () => {
    const world = newWorld(sampleFiles, 'folder');
    const { checks } = await doctor(world, { ...world.env, ...path });
    expect(checks.ledger).toMatchObject({ ok: true, exists: false, format: null });
    expect(existsSync(world.env.TELIC_STATE_DIR ?? '')).toBe(false);
    expect(readdirSync(dirname(world.root))).toEqual(['sample']);
  });

  it('tells what is missing, is not content without a repository, and ends with 0 all the same', async () => {
    const world = newWorld({}, 'folder');
    const { ok, checks } = await doctor({ root: join(world.root, 'none') }, { PATH: world.root });
    expect(ok).toBe(false);
    expect(checks.repository).toMatchObject({ ok: false, root: null, hint: expect.stringMatching(/^--repo is /) });
    expect(checks.git).toMatchObject({ ok: false, version: null, hint: expect.stringContaining('Install Git') });
    expect(checks.ripgrep).toMatchObject({ ok: false, hint: expect.stringContaining('Install ripgrep') });
    expect(checks.ledger).toMatchObject({ ok: false, hint: expect.stringContaining('repository first') });
  });

  it.each<[string, (world: World) => Readonly<Record<string, string>>, string]>([
    ['no variable leads to a state directory', () => ({}), 'set TELIC_STATE_DIR'],
    [
      'state inside the repository',
      ({ root }) => ({ TELIC_STATE_DIR: join(root, 'state') }),
      'is inside the repository',
    ],
    ['state around the repository', ({ root }) => ({ TELIC_STATE_DIR: dirname(root) }), 'contains the repository'],
    [
      'a state directory that is a file',
      ({ root }) => {
        writeFileSync(`${root}.state`, '');
        return { TELIC_STATE_DIR: `${root}.state` };
      },
      'is not a directory',
    ],
    [
      'a database that is something else',
      ({ root }) => {
        mkdirSync(`${root}.state`);
        writeFileSync(
          join(`${root}.state`, 'ledger.sqlite3'),
          'no database at all, but long enough to be looked into'.repeat(40),
        );
        return { TELIC_STATE_DIR: `${root}.state` };
      },
      'SQLite cannot read it (SQLITE_NOTADB)',
    ],
  ])('explains %s', async (_, prepare, hint) => {
    const world = newWorld({}, 'folder');
    const { checks } = await doctor(world, { ...path, ...prepare(world) });
    expect(checks.ledger).toMatchObject({ ok: false, hint: expect.stringContaining(hint) });
  });

  it.each([
    ['of a newer format', 'PRAGMA user_version = 99', 'knows formats up to'],
    ['of another product', 'PRAGMA application_id = 1', 'not a ledger of Telic'],
  ])('explains a database %s, and does not look into it', async (_, sql, hint) => {
    const world = await recorded();
    tamper(world, sql);
    const { checks } = await doctor(world, world.env);
    expect(checks.ledger).toMatchObject({ ok: false, exists: true, hint: expect.stringContaining(hint) });
    expect(checks.runs).toMatchObject({ ok: false, count: null, hint: expect.stringContaining('cannot be read') });
    expect(checks.privacy).toMatchObject({ ok: true });
  });

  it('looks into a ledger of an older format, says what converts it, and leaves it as it is', async () => {
    const [oldest] = recordedLedgers.toSorted((a, b) => a.format - b.format);
    if (!oldest) throw new Error('There is no recorded ledger.');
    const world = newWorld({}, 'folder');
    const state = locateStateDirectory(world.env, world.root);
    unpack(oldest, state);
    const before = readFileSync(state.database);
    const { checks } = await doctor(world, world.env);
    expect(checks.ledger).toMatchObject({
      ok: false,
      format: oldest.format,
      hint: expect.stringContaining('start the server'),
    });
    expect(checks.runs).toMatchObject({ ok: true, count: oldest.runs.length, deleted: 0 });
    expect(checks.integrity).toMatchObject({ ok: true, faults: [] });
    expect(readFileSync(state.database).equals(before)).toBe(true);
    expect(readdirSync(state.path)).toEqual(['ledger.sqlite3']);
  });

  it('counts the runs that were deleted, and names a deleted run no more', async () => {
    const world = await recorded();
    await cli(['delete', runId, '--yes', '--force', '--repo', world.root], { env: world.env });
    const { checks } = await doctor(world, { ...world.env, ...path });
    expect(checks.runs).toMatchObject({ ok: true, count: 0, deleted: 1, oldest: null, newest: null });
    expect(checks.sizes).toMatchObject({ bodies: 0 });
    expect(checks.unnamedBodies).toMatchObject({ ok: true, count: 0 });
  });

  it('takes a ledger that was made but never written', async () => {
    const world = newWorld({}, 'folder');
    mkdirSync(world.env.TELIC_STATE_DIR ?? '', { mode: 0o700 });
    writeFileSync(databaseOf(world), '', { mode: 0o600 });
    const { checks } = await doctor(world, world.env);
    expect(checks.ledger).toMatchObject({ ok: true, exists: true, format: 0 });
    expect(checks.runs).toMatchObject({ ok: true, count: null });
  });

  it('asks a program for its version where there is no repository that it could belong to', async () => {
    const { ok, checks } = Output.parse(JSON.parse((await cli(['doctor'], { env: path, cwd: '/' })).out));
    expect(ok).toBe(false);
    expect(checks.repository).toMatchObject({ ok: false, hint: expect.stringContaining('the whole file system') });
    expect(checks.git).toMatchObject({ ok: true, version: expect.stringMatching(/^git version /) });
  });

  it('finds no repository in a directory that belongs to Git itself', async () => {
    const { root } = newWorld({ HEAD: 'ref: refs/heads/main\n', 'objects/a': '', 'refs/a': '' }, 'folder', 'bare.git');
    const { ok, checks } = await doctor({ root }, {});
    expect(ok).toBe(false);
    expect(checks.repository).toMatchObject({ ok: false, root, hint: expect.stringContaining('name a work tree') });
  });

  it('does not run a git that the repository brings along', async () => {
    const world = newWorld({ 'bin/git': '#!/bin/sh\ntouch "$0.ran"\n' }, 'folder');
    const program = join(world.root, 'bin', 'git');
    chmodSync(program, 0o755);
    const { checks } = await doctor(world, { ...world.env, PATH: join(world.root, 'bin') });
    expect(checks.git).toMatchObject({
      ok: false,
      hint: expect.stringContaining(`${program} belongs to the repository`),
    });
    expect(existsSync(`${program}.ran`)).toBe(false);
  });

  it('asks for the Node that the package asks for, and fails for an older one alone', () => {
    const packageFile = z.object({ engines: z.object({ node: z.string() }) });
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    expect(packageFile.parse(JSON.parse(text)).engines.node).toBe(requiredNode);
    const verdicts: readonly (readonly [string, boolean])[] = [
      ['18.20.1', false],
      ['20.9.0', false],
      ['20.18.3', false],
      ['20.19.0', true],
      ['20.20.2', true],
      ['22.1.0', true],
    ];
    for (const [version, ok] of verdicts) {
      const check = nodeCheck(version);
      expect([version, check.ok, check.hint === null]).toEqual([version, ok, ok]);
    }
  });

  it('asks for some space', () => {
    expect(spaceVerdict(64 * 1024 * 1024)).toMatchObject({ ok: true, hint: null });
    expect(spaceVerdict(64 * 1024 * 1024 - 1)).toMatchObject({
      ok: false,
      hint: expect.stringContaining('Free some space'),
    });
  });

  it.each([
    ['2026-03-02T09:00:00.000Z', null, true],
    ['2026-03-02T09:00:00.000Z', '2026-03-02T09:01:00.000Z', true],
    ['2026-03-02T09:00:00.000Z', '2026-03-02T09:01:00.001Z', false],
    ['1970-01-01T00:00:10.000Z', null, false],
  ])('judges a clock that says %s while the newest event is of %s', (now, newestEvent, ok) => {
    expect(clockVerdict(now, newestEvent)).toEqual({
      ok,
      hint: ok ? null : expect.stringContaining('Set the clock'),
      now,
      newestEvent,
    });
  });
});
