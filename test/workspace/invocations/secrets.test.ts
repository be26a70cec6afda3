import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import type { Kind } from '../../../src/workspace/apps/app.ts';
import { action, defineApp, kind, p, put } from '../../../src/workspace/apps/defineApp.ts';
import { openTable, runEvents, type Table } from './support.ts';

/** Told beside the secret in each call that is admitted. */
const searched = 'Desk agent';
const secret = 'xyzzy "plugh" \u00e9-7a41';

const digestOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Every file under a folder that holds the value, in any spelling in which JSON or a database may hold it. */
const holding = (folder: string, value: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => {
      const bytes = readFileSync(path);
      return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].some((text) =>
        bytes.includes(Buffer.from(text, 'utf8')),
      );
    });

/** An app that tells a secret wherever an app can speak. */
const parrotKind: Kind = kind({
  fields: z.object({}),
  lists: {},
  noun: 'parrot',
  nouns: 'parrots',
  children: () => ({}),
  read: () => ({ fields: {}, children: {} }),
  find: ({ label }) => ({ label, content: '', action: null }),
  actions: () => [
    action({
      id: 'repeat',
      label: 'Repeat',
      kind: 'undoable',
      params: { word: p.secret({ required: true }) },
      plan: (ctx, { word }) => ({
        ops: [put('heard', true)],
        result: { heard: [word, { [word]: `it was ${word}!` }] },
        touches: [{ resource: ctx.resource.path, sentence: `heard ${word}` }],
      }),
    }),
    action({
      id: 'remember',
      label: 'Remember',
      kind: 'undoable',
      params: { word: p.secret({ required: true }) },
      plan: (_ctx, { word }) => ({ ops: [put('word', { of: [word] })] }),
    }),
    action({
      id: 'complain',
      label: 'Complain',
      kind: 'undoable',
      params: { word: p.secret({ required: true }) },
      plan: (ctx, { word }) => ctx.fail('bad_word', `${word} is no word.`, [`tilo_ls parrot says more than ${word}`]),
    }),
    action({
      id: 'shriek',
      label: 'Shriek',
      kind: 'undoable',
      params: { word: p.secret({ required: true }) },
      plan: (_ctx, { word }) => {
        throw new Error(`cannot say ${word} or ${JSON.stringify({ word })}`);
      },
    }),
    action({
      id: 'publish',
      label: 'Publish',
      kind: 'outside',
      params: { word: p.secret({ required: true }) },
      effect: async (ctx, { word }) => ({ result: { link: await ctx.publish({ word, all: [word] }) } }),
    }),
  ],
});
const parrot = defineApp({
  id: 'attic',
  label: 'Parrot',
  state: 'running',
  version: 1,
  root: { name: 'parrot', kind: 'attic' },
  keys: ['heard', 'word'],
  history: true,
  kinds: { attic: parrotKind },
});

describe('a secret among the arguments', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const told = new Set<string>();
  const call = async (of: Table, path: string, args: Record<string, unknown>, more: Partial<DoArguments> = {}) => {
    const answer = await of.host.call('tilo_do', { path, args, wait_ms: 0, ...more }, of.caller());
    told.add(JSON.stringify(answer));
    return answer;
  };
  const expectNowhere = (of: Table): void => {
    of.host.store.db.pragma('wal_checkpoint(FULL)');
    // The search finds what is stored: the arguments beside the secret.
    expect(holding(of.host.store.directory, searched)).not.toEqual([]);
    expect(holding(of.host.store.directory, secret)).toEqual([]);
    expect(
      of.log.filter((line) => line.includes(secret) || line.includes(JSON.stringify(secret).slice(1, -1))),
    ).toEqual([]);
    expect([...told].filter((text) => text.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
  };

  it('W-47 comes to the app and is in no table, event, history row, file, log or answer', async () => {
    expect(await call(table, 'lab#sign-in', { user: 'mira', password: secret })).toMatchObject({
      status: 'ok',
      result: { user: 'mira' },
    });
    await call(table, 'lab#everything', { secret, text: 'x' });
    await call(table, 'lab#open-vault', { code: secret }, { invocation_id: 'v1' });
    const asked = await table.ask();
    told.add(JSON.stringify(asked));
    expect(asked.args).toEqual({ code: { secret: true } });
    await table.decide({ decision: 'allow' });
    // The call that runs it brings it again, and the MAC proves that it is the same.
    expect(await call(table, 'lab#open-vault', { code: 'another' }, { invocation_id: 'v1' })).toMatchObject({
      error: { code: 'invocation_mismatch' },
    });
    expect(await call(table, 'lab#open-vault', { code: secret }, { invocation_id: 'v1' })).toMatchObject({
      status: 'ok',
      result: { opened: true },
    });
    expect(table.lab.far.secrets()).toEqual([digestOf(secret), digestOf(secret)]);
    expectNowhere(table);
  });

  it('W-47 stays unsaid where the app would tell it, and what would store it fails', async () => {
    const chatty = await table.killed([parrot]);
    expect(await call(chatty, 'attic#repeat', { word: secret })).toMatchObject({
      status: 'ok',
      result: { heard: ['[secret]', { '[secret]': 'it was [secret]!' }] },
    });
    expect(await call(chatty, 'attic#complain', { word: secret })).toMatchObject({
      error: {
        code: 'bad_word',
        message: '[secret] is no word.',
        next_steps: ['tilo_ls parrot says more than [secret]'],
      },
    });
    const wrong = { code: 'failed', message: 'The app could not do that.' };
    expect(await call(chatty, 'attic#shriek', { word: secret })).toMatchObject({ error: wrong });
    expect(await call(chatty, 'attic#remember', { word: secret })).toMatchObject({ error: wrong });
    chatty.host.registry.setPreallow('home', 'attic', 'publish', true, 'Mira');
    expect(await call(chatty, 'attic#publish', { word: secret }, { wait_ms: 60_000 })).toMatchObject({
      result: { link: 'attic-publish-1' },
    });
    expect(chatty.log.some((line) => line.includes('cannot say [secret]'))).toBe(true);
    expectNowhere(chatty);
  });

  it('W-47 a run that holds one and is cut off by a restart ends interrupted, replay-safe or not', async () => {
    const held = [
      call(table, 'lab#sign-in', { user: 'mira', password: secret, gate: 'g' }, { invocation_id: 'p1' }),
      call(table, 'lab#open-vault', { code: secret, gate: 'h' }, { invocation_id: 'v1' }),
    ];
    await table.lab.gates.reached('g');
    await held[1];
    await table.decide({ decision: 'allow' });
    held.push(call(table, 'lab#open-vault', { code: secret, gate: 'h' }, { invocation_id: 'v1' }));
    await table.lab.gates.reached('h');

    const after = await table.killed();
    for (const invocation_id of ['p1', 'v1']) {
      expect(await after.host.invocations.status(after.caller(), { invocation_id })).toMatchObject({
        status: 'failed',
        error: { code: 'interrupted' },
      });
      expect(runEvents(after, invocation_id)).toEqual([`started ${invocation_id}`, `failed ${invocation_id}`]);
    }
    expect(after.lab.far.secrets()).toEqual([]);
    table.lab.gates.open('g');
    table.lab.gates.open('h');
    await Promise.all(held);
    expectNowhere(table);
    expectNowhere(after);
  });

  it('W-47 cannot be changed by the person, and stands as it came when they change the rest', async () => {
    const args = { code: secret, note: 'a' };
    await call(table, 'lab#open-vault', args, { invocation_id: 'v1' });
    for (const edited of [{ code: 'mine', note: 'b' }, { note: 'b' }, { code: { secret: false }, note: 'b' }])
      expect(await table.decide({ decision: 'allow_edited', args: edited })).toEqual({
        outcome: 'invalid',
        messages: { code: 'code is secret and cannot be changed here.' },
      });
    expect(await table.decide({ decision: 'allow_edited', args: { code: { secret: true }, note: 'b' } })).toMatchObject(
      {
        outcome: 'decided',
        ask: { state: 'allowed', edited: { code: { secret: true }, note: 'b' } },
      },
    );
    expect(await call(table, 'lab#open-vault', args, { invocation_id: 'v1' })).toMatchObject({
      status: 'ok',
      edited_by_person: { note: 'b' },
    });
    expect(table.lab.far.secrets()).toEqual([digestOf(secret)]);
    expectNowhere(table);
  });
});
