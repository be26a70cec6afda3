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

const firstRunArguments = { original_request: 'What does the parser do?', mode: 'analyze_only' };

/** Milliseconds until the tools were listed, and from then on until the first run was started. */
type Start = Readonly<{ list: number; firstRun: number }>;

/**
 * From the spawn until the answer of tools/list is there; it is asked for at once with initialize, as hosts may. Then
 * the first call, which loads the rest of the program and makes the ledger.
 */
const coldServer = ({ root }: Bench, state: string): Promise<Start> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(process.execPath, [executable, 'mcp'], {
      cwd: root,
      env: { PATH: process.env.PATH, TELIC_REPOSITORY_ROOT: root, TELIC_STATE_DIR: state },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let lines = 0;
    let list = Number.NaN;
    let firstRun = Number.NaN;
    child.on('error', reject);
    child.stdout.on('data', (piece: Buffer) => {
      lines += piece.filter((byte) => byte === 10).length;
      if (lines === 2 && Number.isNaN(list)) {
        list = performance.now() - from;
        child.stdin.write(request(3, 'tools/call', { name: 'telic_start_run', arguments: firstRunArguments }));
      }
      if (lines < 3) return;
      firstRun = performance.now() - from - list;
      child.stdin.end();
    });
    child.on('exit', (code) => {
      if (Number.isNaN(firstRun)) reject(new Error(`The server ended with ${code} before it had answered.`));
      else resolve({ list, firstRun });
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
  const bare: number[] = [];
  const cold: number[] = [];
  const firstRuns: number[] = [];
  await coldServer(bench, bench.newState().path);
  for (let run = 0; run < starts; run += 1) {
    bare.push(await bareNode());
    const { list, firstRun } = await coldServer(bench, bench.newState().path);
    cold.push(list);
    firstRuns.push(firstRun);
  }
  const built = statSync(executable).mtime.toISOString();
  printTable(
    `1. Cold start (dist/telic.js of ${built}): from spawn to the answer of tools/list`,
    ['what', ...timeHead],
    [
      ['node -e 0, to its exit', ...timeCells(bare)],
      ['telic mcp, to tools/list', ...timeCells(cold)],
      ['then its first telic_start_run', ...timeCells(firstRuns)],
    ],
  );
  print(
    `ratio: lowest ${ratio(lowest(cold), lowest(bare))}, p50 ${ratio(median(cold), median(bare))} (target of the lowest: at most 3.0)`,
  );
};
