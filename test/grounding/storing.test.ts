import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startServer, tokenOf } from '../mcp/rawServer.ts';
import { repository, temporary, write } from './repository.ts';

const start = { original_request: 'Plan what the wanted files should hold.', mode: 'plan_only' } as const;
const Stored = z.looseObject({
  run: z.looseObject({ version: z.number() }),
  artifacts: z.array(z.looseObject({ type: z.string() })),
});
const typesOf = (answer: unknown): readonly string[] => Stored.parse(answer).artifacts.map(({ type }) => type);

describe('a grounding that a server stores', () => {
  it('leaves no path and no content of a file that was left out in answers, events, logs or the ledger', async () => {
    const secret = `${'hunter2'}hunter2`;
    const root = repository({
      'README.md': 'text\n',
      'wanted.ts': 'export const wanted = 1;\n',
      'zqhidden1/wanted.ini': `password = "${secret}"\n`,
      'zqhidden2/.env': `A=${secret}\n`,
      'zqhidden3/wanted.bin': `\0${secret}`,
      'zqhidden4/node_modules/wanted.js': `//${secret}\n`,
      'zqhidden5/copy.ts': 'export const wanted = 1;\n',
      'zqhidden6/wanted.txt': 'x'.repeat(2000),
    });
    const state = join(temporary(), 'state');
    const server = startServer({ root, state });
    await server.initialize();
    const token = tokenOf(await server.call('telic_start_run', start));
    const refused = await server.call('telic_ground_context', { ...token, active_paths: ['../elsewhere'] });
    const budget = { max_file_bytes: 1000 };
    const done = await server.call('telic_ground_context', { ...token, budget });
    expect(done).toMatchObject({ ok: true, run: { version: 2 } });
    const stale = await server.call('telic_ground_context', { ...token, budget });
    const run = await server.call('telic_get_run', { run_id: token.run_id });
    const trace = await server.call('telic_get_trace', { run_id: token.run_id });
    server.closeInput();
    await server.exit;
    const ledger = readdirSync(state, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
    expect(ledger.join('')).toContain('repo://wanted.ts');
    expect([refused.ok, stale.ok, trace.ok]).toEqual([false, false, true]);
    const told = [refused, done, stale, run, trace].map((answer) => JSON.stringify(answer));
    for (const text of [...told, ...ledger, server.stderr(), ...server.noise]) {
      expect(text).not.toMatch(/zqhidden\d/);
      expect(text).not.toContain(secret);
    }
  });

  it('may be of a request of 32,768 UTF-16 units, whatever bytes they take', async () => {
    const server = startServer({ root: repository({ a: 'a' }) });
    await server.initialize();
    for (const unit of ['日', 'é', '\u{1f600}']) {
      const original_request = unit.repeat(32_768 / unit.length);
      const started = await server.call('telic_start_run', { original_request, mode: 'plan_only' });
      expect(await server.call('telic_ground_context', tokenOf(started)), unit).toMatchObject({ ok: true });
      const longer = { original_request: `${original_request}x`, mode: 'plan_only' };
      expect(await server.call('telic_start_run', longer), unit).toMatchObject({
        ok: false,
        code: 'invalid_arguments',
      });
    }
  });

  it('that the disk refuses leaves neither documents nor manifest nor a new phase, and can be repeated', async () => {
    const root = temporary();
    write(
      root,
      Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`wanted${n}`, randomBytes(30_000).toString('hex')])),
    );
    const state = join(temporary(), 'state');
    const small = startServer({ root, state, fileBlocks: 600 });
    await small.initialize();
    const token = tokenOf(await small.call('telic_start_run', start));
    const failed = await small.call('telic_ground_context', token);
    expect(failed).toMatchObject({ ok: false, code: 'state_unavailable' });
    expect(await small.call('telic_get_run', { run_id: token.run_id })).toMatchObject({ run: { version: 1 } });
    small.closeInput();
    await small.exit;

    const server = startServer({ root, state });
    await server.initialize();
    const before = await server.call('telic_get_run', { run_id: token.run_id });
    expect(before).toMatchObject({ ok: true, run: { version: 1, phase: 'context_grounding' } });
    expect(typesOf(before).filter((type) => type.startsWith('Context'))).toEqual([]);
    expect(await server.call('telic_ground_context', token)).toMatchObject({ ok: true, run: { version: 2 } });
    const after = typesOf(await server.call('telic_get_run', { run_id: token.run_id }));
    expect(after.filter((type) => type.startsWith('Context'))).toEqual([
      ...Array.from({ length: 8 }, () => 'ContextDocument'),
      'ContextManifest',
    ]);
    server.closeInput();
    await server.exit;
  });
});
