import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'telic-ledger-tests');

/** Makes one runnable file of a TypeScript program of this folder, where it still finds the native module. */
export const buildProgram = (name: string): Readonly<{ path: string; remove(): void }> => {
  mkdirSync(folder, { recursive: true });
  // Other users run what lies there.
  chmodSync(folder, 0o755);
  const path = join(folder, `${name}-${process.pid}.mjs`);
  buildSync({
    entryPoints: [join(root, 'test', 'ledger', `${name}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    outfile: path,
    logLevel: 'warning',
  });
  return { path, remove: () => rmSync(path, { force: true }) };
};

export const startProgram = (path: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess =>
  spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits for a program's end and gives all that it said. */
export const endOf = async (child: ChildProcess): Promise<Ended> => {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  await once(child, 'close');
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
};

/** Runs a program to its end. */
export const runProgram = (path: string, args: readonly string[], options: SpawnOptions = {}): Promise<Ended> =>
  endOf(startProgram(path, args, options));

/** Root passes by every permission, so that tests of permissions run their programs as nobody. */
export const plainUser: SpawnOptions = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
