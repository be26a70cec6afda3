import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { App } from '../../../src/workspace/apps/app.ts';
import { defineApp, kind } from '../../../src/workspace/apps/defineApp.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { serveTest, type TestHost } from '../support/serve.ts';
import { openClient } from '../support/wireClient.ts';

const broken = (word: string) => (): never => {
  throw new Error(`the ${word} broke`);
};

/** An app that works for as long as nobody asks it anything. */
const shaky = (app: Partial<Pick<App, 'start' | 'poll'>> = {}): App =>
  defineApp({
    id: 'shaky',
    label: 'Shaky',
    state: 'running',
    version: 1,
    root: { name: 'pile', kind: 'shaky' },
    history: false,
    ...app,
    kinds: {
      shaky: kind({
        fields: z.object({}),
        lists: { things: 'shaky' },
        noun: 'thing',
        nouns: 'things',
        children: broken('children'),
        read: broken('read'),
        find: broken('find'),
        actions: broken('actions'),
      }),
    },
  });

/** Changes each time it is looked at. */
const ticking: App = defineApp({
  id: 'ticking',
  label: 'Ticking',
  state: 'running',
  version: 1,
  root: { name: 'clock', kind: 'ticking' },
  history: false,
  poll: () => [{ resource: 'ticking', sentence: 'ticked', by: 'The clock' }],
  kinds: {
    ticking: kind({
      fields: z.object({}),
      lists: {},
      noun: 'clock',
      nouns: 'clocks',
      children: () => ({}),
      read: () => ({ fields: {}, children: {} }),
      find: ({ label }) => ({ label, content: '', action: null }),
      actions: () => [],
    }),
  },
});

const serve = async (apps: readonly App[]): Promise<TestHost> => {
  const served = await serveTest({
    apps,
    seed: ({ registry }) =>
      registry.createWorkspace(
        'den',
        'Den',
        apps.map(({ id }) => id),
      ),
  });
  onTestFinished(served.close);
  return served;
};
const clientOf = ({ address, token }: TestHost) => openClient({ address, token, path: '/w/den/mcp' }, 'Desk');

test('a search leaves out an app that breaks while it is walked, finds the rest, and says so in the log', async () => {
  const served = await serve([shaky(), notes]);
  const client = await clientOf(served);
  await client.typed('tilo_do', { path: 'notes#new-page', args: { title: 'Garden' } });
  expect(await client.typed('tilo_find', { query: 'garden' })).toMatchObject({ hits: [{ path: 'notes/Garden' }] });
  expect(served.log.join('\n')).toMatch(/left out shaky: .*find broke/);
  expect(await client.typed('tilo_find', { query: 'garden', app: 'shaky' })).toEqual({
    status: 'failed',
    error: { code: 'failed', message: 'The app could not do that.' },
  });
});

test('what an app throws while it is listed or read is told as its fault, and the apps are listed all the same', async () => {
  const served = await serve([shaky(), notes]);
  const client = await clientOf(served);
  for (const [tool, args] of [
    ['tilo_ls', { path: 'shaky' }],
    ['tilo_ls', { path: 'shaky/thing' }],
    ['tilo_read', { path: 'shaky' }],
    ['tilo_do', { path: 'shaky#poke' }],
  ] as const)
    expect(await client.typed(tool, args)).toMatchObject({
      status: 'failed',
      error: { code: 'failed', message: 'The app could not do that.' },
    });
  expect(served.log.join('\n')).toMatch(/incident \w+: .*children broke/);
  expect(await client.typed('tilo_ls', {})).toMatchObject({ rows: [{ path: 'shaky' }, { path: 'notes' }] });
});

/** An app whose functions give what their types forbid. */
const untyped = (given: Readonly<{ children?: string; read?: string; find?: string }>): App => {
  const json = (text: string | undefined, otherwise: string) => JSON.parse(text ?? otherwise);
  return defineApp({
    id: 'untyped',
    label: 'Untyped',
    state: 'running',
    version: 1,
    root: { name: 'pile', kind: 'untyped' },
    history: false,
    kinds: {
      untyped: kind({
        fields: z.looseObject({}),
        lists: { things: 'untyped' },
        noun: 'thing',
        nouns: 'things',
        children: () => json(given.children, '{}'),
        read: () => json(given.read, '{"fields":{},"children":{}}'),
        find: () => json(given.find, '{"label":"Pile","content":"","action":null}'),
        actions: () => [],
      }),
    },
  });
};

test.each([
  { find: '{"label":7,"content":"","action":null}' },
  { find: '{"label":"Pile","action":null}' },
  { find: 'null' },
  { children: '{"things":[{"item":"a"}]}' },
  { children: '{"things":[{"item":"","name":"x"}]}' },
  { children: '{"things":[null]}' },
  { children: '{"things":7}' },
])('a search leaves out an app that gives %j', async (given) => {
  const served = await serve([untyped(given), notes]);
  const client = await clientOf(served);
  await client.typed('tilo_do', { path: 'notes#new-page', args: { title: 'Garden' } });
  expect(await client.typed('tilo_find', { query: 'garden' })).toMatchObject({ hits: [{ path: 'notes/Garden' }] });
  expect(served.log.join('\n')).toContain('left out untyped');
});

test('fields that JSON cannot say are left out of the typed answer and of its text alike', async () => {
  const app = untyped({});
  const fields = Object.assign(JSON.parse('{"kept":1}'), { gone: undefined, endless: Number.POSITIVE_INFINITY });
  const read = { fields, children: {} };
  const pile = app.kinds.untyped;
  if (pile === undefined) throw new Error('The app has its kind.');
  const client = await clientOf(await serve([{ ...app, kinds: { untyped: { ...pile, read: () => read } } }]));
  expect(await client.typed('tilo_read', { path: 'untyped' })).toMatchObject({ fields: { kept: 1, endless: null } });
  const { content } = await client.call('tilo_read', { path: 'untyped' });
  expect(content).toEqual([{ type: 'text', text: 'untyped untyped\nkept: 1\nendless: null' }]);
});

test('fields that are not those of their kind are the fault of the app, and are not handed on', async () => {
  const app = untyped({ read: '{"fields":{"size":"large"},"children":{}}' });
  const pile = app.kinds.untyped;
  if (pile === undefined) throw new Error('The app has its kind.');
  const sized = { ...pile, fields: z.object({ size: z.int() }) };
  const served = await serve([{ ...app, kinds: { untyped: sized } }]);
  const client = await clientOf(served);
  expect(await client.typed('tilo_read', { path: 'untyped' })).toMatchObject({
    status: 'failed',
    error: { code: 'failed', message: 'The app could not do that.' },
  });
  expect(served.log.join('\n')).toContain('gave other fields than its own');
});

test('several actions of which a later one meets a broken app tell of those before it', async () => {
  const client = await clientOf(await serve([shaky(), notes]));
  const calls = [
    { path: 'notes#new-page', args: { title: 'Garden' } },
    { path: 'shaky#poke', args: {} },
  ];
  expect(await client.typed('tilo_do', { calls })).toMatchObject({
    status: 'failed',
    stopped_at: 1,
    steps: [{ status: 'ok' }, { status: 'failed', error: { code: 'failed', message: 'The app could not do that.' } }],
  });
});

test('the settings show what asks first in the apps that work, whatever another does', async () => {
  const served = await serve([shaky(), { ...shaky({ start: broken('start') }), id: 'lame' }, notes]);
  const found = await served.host.outsideActions('den');
  expect(found.map(({ action }) => action)).toEqual([]);
  const client = await clientOf(served);
  await client.typed('tilo_do', { path: 'notes#new-page', args: { title: 'Garden' } });
  const later = await served.host.outsideActions('den');
  expect(later.map(({ action }) => action)).toEqual(['share', 'delete']);
});

test('an app that breaks or hangs when it is looked at keeps no watch from the changes of another', async () => {
  const hanging: App = { ...shaky({ poll: () => new Promise(() => {}) }), id: 'hanging' };
  const served = await serve([shaky({ poll: broken('poll') }), hanging, ticking]);
  const client = await clientOf(served);
  const { cursor } = await client.typed('tilo_watch', { wait_ms: 0 });
  let from = cursor;
  const changes: unknown[] = [];
  while (changes.length < 3) {
    const answer = await client.typed('tilo_watch', { cursor: from, wait_ms: 5000 });
    from = answer.cursor;
    changes.push(
      ...z
        .array(z.looseObject({ kind: z.string() }))
        .parse(answer.events)
        .filter((e) => e.kind === 'change'),
    );
  }
  expect(changes[0]).toMatchObject({ path: 'ticking', sentence: 'ticked', by: 'The clock' });
  expect(served.log.filter((line) => line.includes('den/shaky'))).toHaveLength(1);
});
