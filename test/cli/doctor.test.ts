import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Diagnosis, nodeCheck, requiredNode } from '../../src/cli/doctor.ts';
import { controllerOf, newWorld, sampleFiles, type World } from '../sdk/world.ts';
import { cli } from './console.ts';

const Checked = z.looseObject({ ok: z.boolean(), hint: z.string().nullable() });
const Output = z.object({ ok: z.boolean(), checks: z.record(z.string(), Checked) });

const doctor = async (world: Pick<World, 'root'>, env: Readonly<Record<string, string>>) => {
  const said = await cli(['doctor', '--repo', world.root], { env });
  expect(said).toMatchObject({ exit: 0, err: '' });
  return Output.parse(JSON.parse(said.out));
};

const path = { PATH: process.env.PATH ?? '' };

describe('doctor', () => {
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
    });
    expect(checks.ledger?.format).toBe(checks.ledger?.newestFormat);
  });

  it('creates nothing', async () => {
    const world = newWorld(sampleFiles, 'folder');
    const { checks } = await doctor(world, { ...world.env, ...path });
    expect(checks.ledger).toMatchObject({ ok: true, exists: false, format: null });
    expect(existsSync(world.env.TELIC_STATE_DIR ?? '')).toBe(false);
    expect(readdirSync(dirname(world.root))).toEqual(['sample']);
  });

  it('tells what is missing and ends with 0 all the same', async () => {
    const world = newWorld({}, 'folder');
    const { ok, checks } = await doctor({ root: join(world.root, 'none') }, { PATH: world.root });
    expect(ok).toBe(true);
    expect(checks.repository).toMatchObject({ ok: false, root: null, hint: expect.stringContaining('--repo PATH') });
    expect(checks.git).toMatchObject({ ok: false, version: null, hint: expect.stringContaining('Install Git') });
    expect(checks.ripgrep).toMatchObject({ ok: false, hint: expect.stringContaining('Install ripgrep') });
    expect(checks.ledger).toMatchObject({ ok: false, hint: expect.stringContaining('repository first') });
  });

  it.each<[string, (world: World) => Readonly<Record<string, string>>, string]>([
    ['no variable leads to a state directory', () => ({}), 'Set TELIC_STATE_DIR'],
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
      'not a database',
    ],
  ])('explains %s', async (_, prepare, hint) => {
    const world = newWorld({}, 'folder');
    const { checks } = await doctor(world, { ...path, ...prepare(world) });
    expect(checks.ledger).toMatchObject({ ok: false, hint: expect.stringContaining(hint) });
  });

  it('does not run a git that the repository brings along', async () => {
    const world = newWorld({ 'bin/git': '#!/bin/sh\ntouch "$0.ran"\n' }, 'folder');
    const program = join(world.root, 'bin', 'git');
    chmodSync(program, 0o755);
    const { checks } = await doctor(world, { ...world.env, PATH: join(world.root, 'bin') });
    expect(checks.git).toMatchObject({ ok: false });
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
      const check: Diagnosis['checks']['node'] = nodeCheck(version);
      expect([version, check.ok, check.hint === null]).toEqual([version, ok, ok]);
    }
  });
});
