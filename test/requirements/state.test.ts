import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { telic } from '../cli/console.ts';
import { analysis, analysisArguments, authorFor, drive, must, sample, serve, tokenOf } from './bed.ts';

/** Where the server and the command line find the repository and the state, and what they leave there. */

const Run = z.object({ run: z.looseObject({ repositoryRoot: z.string() }) });
const path = { PATH: process.env.PATH ?? '' };
const hash = (root: string): string => createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 24);

/** An empty folder beside the repository, gone with it. */
const beside = (root: string, name: string): string => join(dirname(root), name);

describe('the server', () => {
  it('grounds the working directory when no variable names a repository [API-032]', async () => {
    const { root, env } = sample();
    const { call } = await serve({ root, env }, { env: { ...env, ...path }, cwd: root });
    expect(Run.parse(await must(call, 'telic_start_run', analysisArguments)).run.repositoryRoot).toBe(root);
  });

  it('grounds the repository of the variable, wherever it is started [API-031]', async () => {
    const { root, env } = sample();
    const { call } = await serve({ root, env }, { env: { ...env, ...path, TELIC_REPOSITORY_ROOT: root }, cwd: '/' });
    const started = await must(call, 'telic_start_run', analysisArguments);
    expect(Run.parse(started).run.repositoryRoot).toBe(root);
    const grounded = JSON.stringify(await must(call, 'telic_ground_context', tokenOf(started)));
    expect(grounded).toContain('repo://src/parser.ts');
  });

  it('keeps its state under XDG_STATE_HOME by a hash of the real repository path, out of the tree [API-034] [API-220] [API-221]', async () => {
    const { root } = sample();
    const base = beside(root, 'xdg');
    const link = beside(root, 'link');
    symlinkSync(root, link);
    const env = { ...path, XDG_STATE_HOME: base, HOME: beside(root, 'home'), TELIC_REPOSITORY_ROOT: link };
    const { call, close } = await serve({ root, env: {} }, { env });
    await must(call, 'telic_start_run', analysisArguments);
    await close();
    expect(readdirSync(join(base, 'telic', 'repositories'))).toEqual([hash(root)]);
    expect(readdirSync(join(base, 'telic', 'repositories', hash(root)))).toContain('ledger.sqlite3');
    expect(existsSync(beside(root, 'home'))).toBe(false);
    expect(readdirSync(root).sort()).toEqual(['.git', 'README.md', 'src']);
  });

  it('falls back to .local/state of the home directory [API-220]', async () => {
    const { root } = sample();
    const home = beside(root, 'home');
    const { call, close } = await serve(
      { root, env: {} },
      { env: { ...path, HOME: home, TELIC_REPOSITORY_ROOT: root } },
    );
    await must(call, 'telic_start_run', analysisArguments);
    await close();
    expect(existsSync(join(home, '.local', 'state', 'telic', 'repositories', hash(root), 'ledger.sqlite3'))).toBe(true);
  });

  it('keeps its state where TELIC_STATE_DIR says, before XDG_STATE_HOME [API-033]', async () => {
    const { root, env } = sample();
    const base = beside(root, 'xdg');
    const { call, close } = await serve(
      { root, env },
      { env: { ...env, ...path, XDG_STATE_HOME: base, TELIC_REPOSITORY_ROOT: root } },
    );
    await must(call, 'telic_start_run', analysisArguments);
    await close();
    expect(existsSync(join(env.TELIC_STATE_DIR ?? '', 'ledger.sqlite3'))).toBe(true);
    expect(existsSync(base)).toBe(false);
  });

  it('keeps bodies by their digest inside the ledger, each once [API-222]', async () => {
    const world = sample();
    const { call, close } = await serve(world);
    await drive(call, authorFor(world));
    await must(call, 'telic_start_run', analysisArguments);
    await close();
    const db = new Sqlite(join(world.env.TELIC_STATE_DIR ?? '', 'ledger.sqlite3'), { readonly: true });
    const bodies = z
      .array(z.object({ sha256: z.string(), body: z.string() }))
      .parse(db.prepare('SELECT sha256, body FROM bodies').all());
    const named = z.number().parse(db.prepare('SELECT count(DISTINCT sha256) FROM artifacts').pluck().get());
    db.close();
    expect(bodies).toHaveLength(named);
    for (const { sha256, body } of bodies)
      expect(`sha256:${createHash('sha256').update(body, 'utf8').digest('hex')}`).toBe(sha256);
    expect(readdirSync(world.env.TELIC_STATE_DIR ?? '').filter((name) => !name.startsWith('ledger.sqlite3'))).toEqual([
      'active-session.json',
    ]);
  });
});

describe('all state of a repository', () => {
  it('is the directory that doctor --json names; without it no run is left [API-231]', async () => {
    const world = sample();
    const { call, close } = await serve(world);
    const { runId } = await drive(call, authorFor(world), analysis);
    await close();
    const options = { env: world.env, cwd: world.root };
    expect((await telic(['status', runId], options)).exit).toBe(0);
    const Doctor = z.object({
      checks: z.object({ ledger: z.looseObject({ stateDirectory: z.string(), exists: z.boolean() }) }),
    });
    const { ledger } = Doctor.parse(JSON.parse((await telic(['doctor', '--json'], options)).out)).checks;
    expect(ledger).toMatchObject({ exists: true, stateDirectory: world.env.TELIC_STATE_DIR });
    rmSync(ledger.stateDirectory, { recursive: true });
    expect((await telic(['status', runId], options)).exit).toBe(1);
    const again = await serve(world);
    expect(await must(again.call, 'telic_list_runs', {})).toMatchObject({ runs: [] });
  });
});
