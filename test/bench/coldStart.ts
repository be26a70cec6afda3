import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './benchWorld.ts';
import { lowest, median } from './figures.ts';
import { print, printTable, ratio, timeCells, timeHead } from './table.ts';

const executable = join(process.cwd(), 'dist', 'telic.js');
const starts = 10;

const bareNode = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', () => resolve(performance.now() - from));
  });

const request = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

/** From the spawn until the line of the second answer is there; both requests are sent at once, as hosts may. */
const coldServer = ({ root }: Bench, state: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(process.execPath, [executable, 'mcp'], {
      cwd: root,
      env: { PATH: process.env.PATH, TELIC_REPOSITORY_ROOT: root, TELIC_STATE_DIR: state },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let lines = 0;
    let answered = Number.NaN;
    child.on('error', reject);
    child.stdout.on('data', (piece: Buffer) => {
      lines += piece.filter((byte) => byte === 10).length;
      if (lines < 2 || !Number.isNaN(answered)) return;
      answered = performance.now() - from;
      child.stdin.end();
    });
    child.on('exit', (code) => {
      if (Number.isNaN(answered)) reject(new Error(`The server ended with ${code} before it had answered.`));
      else resolve(answered);
    });
    const clientInfo = { name: 'bench', version: '0' };
    child.stdin.write(request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    child.stdin.write(request(2, 'tools/list'));
  });

/** Cold start of the built server against bare Node, alternately, so that both meet the same load. */
export const measureColdStart = async (bench: Bench): Promise<void> => {
  if (!existsSync(executable)) {
    print('\nCold start: dist/telic.js is missing; run `npm run build` first.');
    return;
  }
  const { path: state } = bench.newState();
  const bare: number[] = [];
  const cold: number[] = [];
  await coldServer(bench, state);
  for (let run = 0; run < starts; run += 1) {
    bare.push(await bareNode());
    cold.push(await coldServer(bench, state));
  }
  const built = statSync(executable).mtime.toISOString();
  printTable(
    `1. Cold start (dist/telic.js of ${built}): from spawn to the answer of tools/list`,
    ['what', ...timeHead],
    [
      ['node -e 0, to its exit', ...timeCells(bare)],
      ['telic mcp, to tools/list', ...timeCells(cold)],
    ],
  );
  print(
    `ratio: lowest ${ratio(lowest(cold), lowest(bare))}, p50 ${ratio(median(cold), median(bare))} (target of the lowest: at most 3.0)`,
  );
};
