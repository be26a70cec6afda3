import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConformanceReport } from '../../src/conformance/conformance.ts';
import { bundlePath } from '../support/bundle.ts';

interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** What is left in the place for temporary files. */
  readonly left: readonly string[];
  readonly folder: string;
}

const run = async (...words: readonly string[]): Promise<Ended> => {
  const folder = mkdtempSync(join(tmpdir(), 'telic-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const env = { ...process.env, TMPDIR: temporary };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [bundlePath, 'conformance', ...words],
      { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) => {
        const exit = typeof error?.code === 'number' ? error.code : error ? -1 : 0;
        resolve({ exit, out, err, left: readdirSync(temporary), folder });
      },
    );
  });
};

const own = `"${process.execPath}" "${bundlePath}" mcp`;

const reportIn = (folder: string): ConformanceReport => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));

describe('telic conformance', () => {
  it('finds no divergence in our own server, to the letter and with a fixed seed, and leaves nothing behind', async () => {
    const words = ['--server', own, '--strict', '--seed', '20260101', '--runs', '60', '--report', 'report.json'];
    const { exit, out, left, folder } = await run(...words);
    expect(out).toContain('No divergence.');
    expect(exit).toBe(0);
    expect(left).toEqual([]);
    const report = reportIn(folder);
    expect(report).toMatchObject({ ok: true, seed: 20_260_101, divergences: [], cut: false });
    for (const { pair, edges, covered, closed } of report.covers) {
      expect(covered + closed.length, pair.join(' in ')).toBe(edges);
      // A fix without the right to write never passes; everything else has an artifact.
      const rules = pair.join(' ') === 'fix_only standard' ? ['ADM-QUALITY-06'] : [];
      expect([...new Set(closed.map(({ rule }) => rule))], pair.join(' in ')).toEqual(rules);
    }
    expect(report.covers).toHaveLength(11);
    expect(report.rules.length).toBeGreaterThan(190);
    expect(report.faults.sent).toBeGreaterThan(5000);
    expect(report.sequences.sequences).toBe(60);
  }, 600_000);

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves nothing behind when %s breaks it off', async (signal, code) => {
    const temporary = mkdtempSync(join(tmpdir(), 'telic-command-'));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    const child = spawn(process.execPath, [bundlePath, 'conformance', '--server', own], {
      cwd: temporary,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.once('close', resolve));
    // Its first words come when the server has answered.
    await new Promise((resolve) => child.stderr.once('data', resolve));
    expect(readdirSync(temporary)).toHaveLength(1);
    child.kill(signal);
    expect(await ended).toBe(code);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ['a missing server', [], '--server is missing'],
    ['an open quotation', ['--server', "telic 'mcp"], 'left open'],
    ['a program that is not there', ['--server', '/nowhere/telic mcp'], '/nowhere/telic'],
    ['a program that speaks no MCP', ['--server', `"${process.execPath}" -e 0`], 'telic: '],
    ['a seed that is no number', ['--server', own, '--seed', 'x'], '--seed takes a whole number'],
  ])('says in a line what is wrong with %s', async (_, words, said) => {
    const { exit, out, err, left } = await run(...words);
    expect(exit).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(said);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(left).toEqual([]);
  });
});
