import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RawServer, repository, startServer, temporary, tokenOf } from '../mcp/rawServer.ts';
import { verifyAll } from './killed.ts';

/** A small disk of its own; null where this machine mounts none for us. */
const smallDisk = (): string | null => {
  const folder = temporary('disk');
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' }).status !== 0)
    return null;
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
  });
  return folder;
};
const remount = (folder: string, option: string): number | null =>
  spawnSync('mount', ['-o', `remount,${option}`, folder], { stdio: 'ignore' }).status;

const canMount = ((): boolean => {
  // Asked of the machine, not of the user: a container's root may not mount.
  const probe = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp'], { stdio: 'ignore' });
  return probe.status === 0;
})();

const start = (server: RawServer, index: number) =>
  server.call('telic_start_run', { original_request: `${index} ${'x'.repeat(30_000)}`, mode: 'plan_only' });

/** Starts runs until the server says that it cannot keep one; gives what was acknowledged. */
const fill = async (server: RawServer, most: number) => {
  const kept: string[] = [];
  for (let index = 0; index < most; index += 1) {
    const answer = await start(server, index);
    if (answer.ok !== true) return { kept, refusal: answer };
    kept.push(tokenOf(answer).run_id);
  }
  throw new Error(`${most} runs were kept: nothing limits this place.`);
};

const wholeRuns = async (server: RawServer, kept: readonly string[]): Promise<void> => {
  for (const run_id of kept)
    expect(await server.call('telic_get_run', { run_id })).toMatchObject({ ok: true, run: { version: 1 } });
};

describe('a disk that is full', () => {
  const outcome = async (server: RawServer, root: string, state: string): Promise<void> => {
    await server.initialize();
    const { kept, refusal } = await fill(server, 400);
    expect(refusal).toMatchObject({
      ok: false,
      code: 'state_unavailable',
      kind: 'unavailable',
      error: expect.stringContaining(state),
    });
    expect(Array.isArray(refusal.next_steps) && refusal.next_steps.length).toBeGreaterThan(0);
    expect(kept.length).toBeGreaterThan(2);
    // The process lives, and everything that it had acknowledged is there.
    await wholeRuns(server, kept);
    server.closeInput();
    expect(await server.exit).toMatchObject({ code: 0 });
    expect(server.noise).toEqual([]);
    expect(verifyAll(root, state)).toMatchObject({ ok: true });
  };

  it('in the shape of a quota on files is told with the path, and nothing acknowledged is lost', async () => {
    const root = repository();
    const state = join(temporary('state'), 'state');
    await outcome(startServer({ root, state, fileBlocks: 1500 }), root, state);
  });

  it.runIf(canMount)('is told with the path, nothing acknowledged is lost, and freed space is used', async () => {
    const disk = smallDisk();
    if (disk === null) throw new Error('The machine mounted a disk before, and now it does not.');
    const root = repository();
    const state = join(disk, 'state');
    const server = startServer({ root, state });
    await server.initialize();
    const { kept, refusal } = await fill(server, 400);
    expect(refusal).toMatchObject({ ok: false, code: 'state_unavailable', kind: 'unavailable' });
    await wholeRuns(server, kept);
    expect(remount(disk, 'size=16m')).toBe(0);
    expect(await start(server, 999)).toMatchObject({ ok: true });
    server.closeInput();
    await server.exit;
    expect(verifyAll(root, state)).toMatchObject({ ok: true });
  });
});

describe('a disk that becomes read-only', () => {
  it.runIf(canMount)(
    'is told at the next write; reading goes on, and writing does when it is writable again',
    async () => {
      const disk = smallDisk();
      if (disk === null) throw new Error('The machine mounted a disk before, and now it does not.');
      const root = repository();
      const state = join(disk, 'state');
      const first = startServer({ root, state });
      await first.initialize();
      const { run_id } = tokenOf(await start(first, 1));
      first.closeInput();
      await first.exit;
      expect(remount(disk, 'ro')).toBe(0);

      const server = startServer({ root, state });
      await server.initialize();
      expect(await start(server, 2)).toMatchObject({
        code: 'state_unavailable',
        error: expect.stringContaining(state),
      });
      expect((await server.request('ping')).result).toEqual({});
      expect(remount(disk, 'rw')).toBe(0);
      expect(await server.call('telic_get_run', { run_id })).toMatchObject({ ok: true, run: { version: 1 } });
      expect(await start(server, 3)).toMatchObject({ ok: true });
    },
  );

  it.runIf(canMount)('from the start lets the handshake answer, and every tool say so (T18)', async () => {
    const disk = smallDisk();
    if (disk === null) throw new Error('The machine mounted a disk before, and now it does not.');
    mkdirSync(join(disk, 'state'), { mode: 0o700 });
    expect(remount(disk, 'ro')).toBe(0);
    const state = join(disk, 'state');
    const server = startServer({ state });
    expect((await server.initialize()).result).toMatchObject({ serverInfo: { name: 'telic' } });
    expect(await start(server, 1)).toMatchObject({
      code: 'state_unavailable',
      error: expect.stringContaining(state),
      next_steps: expect.arrayContaining([expect.stringContaining('TELIC_STATE_DIR')]),
    });
  });
});
