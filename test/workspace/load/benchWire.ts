import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { randomFrom } from '../../../src/conformance/random.ts';
import { hammer } from './hammer.ts';

/** `npm run bench:wire`: the load of W-58 on a host in a process of its own. */

const [watches, writers, seconds, count] = [200, 50, Number(process.argv[2] ?? 60), 10];
const executable = join(process.cwd(), 'dist', 'telic.js');
const data = mkdtempSync(join(tmpdir(), 'telic-bench-wire-'));

const telic = (...words: readonly string[]): ChildProcess =>
  spawn(process.execPath, [executable, 'workspace', ...words, '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const linesOf = (child: ChildProcess): AsyncIterable<string> => {
  if (!child.stdout) throw new Error('The host has no output.');
  return createInterface({ input: child.stdout });
};

const makeToken = async (label: string): Promise<string> => {
  let text = '';
  for await (const line of linesOf(telic('token', 'create', '--label', label))) text += `${line}\n`;
  const token = /tlo_[A-Za-z0-9_-]{43}/.exec(text)?.[0];
  if (token === undefined) throw new Error(`No token in: ${text}`);
  return token;
};

/** The most memory that a process ever had resident, in MB. */
const peakOf = (pid: number): number => {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(line) / 1024;
};

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const tokens: string[] = [];
for (let index = 0; index < count; index += 1) tokens.push(await makeToken(`bench ${index}`));

const host = telic('serve', '--port', '0');
process.once('exit', () => host.kill('SIGKILL'));
let address = '';
for await (const line of linesOf(host)) {
  const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
  if (found === undefined) continue;
  address = found;
  break;
}
try {
  const { latencies, ...counts } = await hammer({
    address,
    tokens,
    watches,
    writers,
    seconds,
    rate: 1,
    random: randomFrom(1),
  });
  const peak = peakOf(host.pid ?? 0);
  const p99 = at(latencies, 0.99);
  process.stdout.write(
    `${watches} watches, ${writers} writers, ${count} tokens, ${seconds} s: ${JSON.stringify(counts)}\n` +
      `commit to answer: p50 ${at(latencies, 0.5)} ms, p99 ${p99} ms, most ${at(latencies, 1)} ms; peak memory ${peak.toFixed(0)} MB\n`,
  );
  if (counts.lost > 0 || counts.doubled > 0 || peak >= 400 || p99 >= 1000) process.exitCode = 1;
} finally {
  host.kill('SIGTERM');
  await new Promise((resolve) => {
    host.once('exit', resolve);
  });
  rmSync(data, { recursive: true, force: true });
}
