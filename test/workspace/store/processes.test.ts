import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lockDirectory, servedAt } from '../../../src/workspace/store/lock.ts';
import { endOf, startProgram } from '../../ledger/program.ts';
import { newDirectory, storeAt } from './fixtures.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'telic-store-tests');
const program = join(folder, `worker-${process.pid}.mjs`);
beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  buildSync({
    entryPoints: [join(root, 'test', 'workspace', 'store', 'worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    outfile: program,
    logLevel: 'warning',
  });
});
afterAll(() => rmSync(program, { force: true }));

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const start = (directory: string, command: string, argument = ''): ChildProcess => {
  const child = startProgram(program, [directory, command, argument]);
  started.push(child);
  return child;
};

/** What a process says first, in JSON. */
const wordOf = async (child: ChildProcess): Promise<unknown> => {
  if (child.stdout === null) throw new Error('the program is not heard');
  const [line] = await once(child.stdout, 'data');
  return JSON.parse(String(line).split('\n')[0] ?? '');
};

const kill = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

const heldAt = (address: string | null): unknown =>
  expect.objectContaining({ name: 'StoreError', code: 'held', address });

describe('a data directory', () => {
  it('is had by one process, and a second start learns where the first serves', async () => {
    const directory = newDirectory();
    const first = start(directory, 'hold', 'http://127.0.0.1:4747');
    expect(await wordOf(first)).toEqual({ held: 'http://127.0.0.1:4747' });
    expect(() => lockDirectory(directory, 'http://127.0.0.1:1')).toThrow(heldAt('http://127.0.0.1:4747'));
    const second = start(directory, 'hold', 'http://127.0.0.1:2');
    expect(await wordOf(second)).toEqual({ code: 'held', first: 'http://127.0.0.1:4747' });
    expect((await endOf(second)).code).toBe(0);
    await kill(first);
  });

  it('is free at once when its process is killed, and never tells a dead one’s address', async () => {
    const directory = newDirectory();
    for (let round = 0; round < 3; round++) {
      const holder = start(directory, 'hold', `http://127.0.0.1:${round}`);
      expect(await wordOf(holder)).toEqual({ held: `http://127.0.0.1:${round}` });
      await kill(holder);
    }
    const lock = lockDirectory(directory, 'http://127.0.0.1:9');
    expect(() => lockDirectory(directory, 'x')).toThrow(heldAt('http://127.0.0.1:9'));
    lock.release();
  });

  it('has one winner of six starts at once, whose address all others tell', async () => {
    const directory = newDirectory();
    lockDirectory(directory, 'http://stale').release();
    const starts = Array.from({ length: 6 }, (_, n) => start(directory, 'hold', `http://127.0.0.1:${n}`));
    const words = await Promise.all(starts.map(wordOf));
    const winner = words.findIndex((word) => typeof word === 'object' && word !== null && 'held' in word);
    expect(words).toEqual(
      starts.map((_, n) =>
        n === winner ? { held: `http://127.0.0.1:${n}` } : { code: 'held', first: `http://127.0.0.1:${winner}` },
      ),
    );
    const holder = starts[winner];
    if (holder !== undefined) await kill(holder);
  });

  it('is told another address when the port is known, and is free when it was released', () => {
    const directory = newDirectory();
    const lock = lockDirectory(directory, 'http://127.0.0.1:0');
    lock.announce('http://127.0.0.1:4748');
    expect(() => lockDirectory(directory, 'x')).toThrow(heldAt('http://127.0.0.1:4748'));
    // A start that failed took nothing away.
    expect(() => lockDirectory(directory, 'x')).toThrow(heldAt('http://127.0.0.1:4748'));
    lock.release();
    lockDirectory(directory, 'y').release();
  });

  it('says where it is served while it is, and looking turns no start away', async () => {
    const directory = newDirectory();
    expect(servedAt(directory)).toBeNull();
    const holder = start(directory, 'hold', 'http://127.0.0.1:4747');
    await wordOf(holder);
    expect(servedAt(directory)).toBe('http://127.0.0.1:4747');
    await kill(holder);
    expect(servedAt(directory)).toBeNull();
    const lock = lockDirectory(directory, 'x');
    expect(servedAt(directory)).toBe('x');
    expect(servedAt(directory)).toBe('x');
    lock.release();
    expect(servedAt(directory)).toBeNull();
  });

  it('that a host has is still open to commands', () => {
    const directory = newDirectory();
    const lock = lockDirectory(directory, 'x');
    const host = storeAt(directory);
    const command = storeAt(directory);
    command.raiseCounter('home', 'notes', 4);
    expect(host.counter('home', 'notes')).toBe(4);
    lock.release();
  });
});

describe('the database', () => {
  it('is made once when six processes begin at once', async () => {
    const directory = newDirectory();
    const ends = await Promise.all(Array.from({ length: 6 }, () => endOf(start(directory, 'open'))));
    for (const end of ends) expect(end).toMatchObject({ code: 0, stderr: '' });
    const said = ends.map(({ stdout }) => JSON.parse(stdout));
    for (const one of said) expect(one).toEqual({ key: storeAt(directory).key.toString('hex'), workspaces: ['home'] });
  });

  it('holds whole transactions alone, and every one that was told, when its process is killed', async () => {
    const directory = newDirectory();
    const writer = start(directory, 'fill');
    let told = 0;
    writer.stdout?.on('data', (chunk) => {
      told = Number(String(chunk).trim().split('\n').at(-1));
    });
    while (told < 20 && writer.exitCode === null && writer.stdout) await once(writer.stdout, 'data');
    await kill(writer);
    const state = storeAt(directory).states.of('home', 'notes');
    expect(state.get('one')).toBe(state.get('two'));
    expect(state.get('one')).toBeGreaterThanOrEqual(told);
    expect(told).toBeGreaterThanOrEqual(20);
  });
});
