import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bundlePath } from '../support/bundle.ts';

const test = join(import.meta.dirname, '..');

const Exceptions = z.array(
  z.strictObject({
    id: z.string().min(1),
    page: z.string().regex(/\.md$/),
    row: z.string().min(1),
    why: z.string().min(1),
  }),
);
const Outcome = z.object({
  checks: z.array(z.object({ id: z.string(), pass: z.boolean(), detail: z.string().optional() })),
});
type Check = z.infer<typeof Outcome>['checks'][number];

/** A scenario that breaks off takes its later checks with it unseen: the number says that all were reached. */
const CHECKS = 650;
const TEN_MINUTES = 600_000;

describe('the black-box scenarios', () => {
  const exceptions = Exceptions.parse(JSON.parse(readFileSync(join(test, 'conformance-exceptions.json'), 'utf8')));
  const listed = exceptions.map(({ id }) => id);
  let folder = '';
  let suite: ChildProcess | undefined;
  let checks: readonly Check[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'telic-scenarios-'));
    const json = join(folder, 'outcome.json');
    const server = `'${process.execPath}' '${bundlePath}' mcp`;
    const child = spawn(process.execPath, ['run.mjs', '--server', server, '--json', json], {
      cwd: join(test, 'conformance', 'scenarios'),
      env: { ...process.env, CONFORMANCE_TMP: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    suite = child;
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece;
    });
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    // 0: every check passes; 1: some fail, and the file says which.
    if (code !== 0 && code !== 1) throw new Error(`The scenarios ended with ${String(code)}. ${stderr}`);
    checks = Outcome.parse(JSON.parse(readFileSync(json, 'utf8'))).checks;
  }, TEN_MINUTES);

  afterAll(() => {
    suite?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  it('are reached to the last check', () => {
    expect(checks).toHaveLength(CHECKS);
  });

  it('pass, but for those that a page rules out', () => {
    expect(checks.filter(({ id, pass }) => !pass && !listed.includes(id))).toEqual([]);
  });

  it('fail where a page rules them out, each listed once', () => {
    const failing = checks.filter(({ pass }) => !pass).map(({ id }) => id);
    expect(listed.filter((id) => !failing.includes(id))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});
