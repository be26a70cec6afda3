import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { App } from '../../../src/workspace/apps/app.ts';
import { defineApp, kind } from '../../../src/workspace/apps/defineApp.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { notebookWrites } from '../../apps/notebook.ts';
import { account, desk, failed, openWorld, type TestWorld } from './support.ts';

const notebook = (blocks: number): TestWorld => {
  const table = openWorld([notes]);
  table.store.write(
    'home',
    'notes',
    notebookWrites([
      {
        item: '0a01',
        title: 'Garden/beds',
        pinned: true,
        blocks: Array.from({ length: blocks }, (_, index) => ({
          item: `a${100 + index}`,
          type: 'paragraph',
          text: `Row ${index}`,
        })),
      },
    ]),
  );
  return table;
};

const size = 1024 * 1024;
/** A text whose fields are one text field of so many bytes, and lists that are given as they are. */
const scroll = (bytes: number, children = 0): App =>
  defineApp({
    id: 'scroll',
    label: 'Scroll',
    state: 'running',
    version: 1,
    root: { name: 'scroll', kind: 'scroll' },
    history: true,
    kinds: {
      scroll: kind({
        fields: z.object({ text: z.string() }),
        lists: { lines: 'scroll.Line' },
        noun: 'scroll',
        nouns: 'scrolls',
        children: () => ({}),
        read: (_, { cursor }) => ({
          fields: { text: 'é'.repeat((bytes - '{"text":""}'.length) / 2) },
          children: { lines: Array.from({ length: children }, (__, index) => ({ item: `l${index}`, name: 'line' })) },
          ...(cursor === undefined && { cursor: 'second half' }),
        }),
        find: ({ label }) => ({ label, content: '', action: null }),
        actions: () => [],
      }),
      'scroll.Line': kind({
        fields: z.object({}),
        lists: {},
        noun: 'line',
        nouns: 'lines',
        children: () => ({}),
        read: () => ({ fields: {}, children: {} }),
        find: ({ label }) => ({ label, content: '', action: null }),
        actions: () => [],
      }),
    },
  });

describe('tilo_read', () => {
  it('reads a child by its key as it does by the path of that key', async () => {
    const { world } = notebook(2);
    const child = await world.read(desk, { path: 'notes/Garden%2Fbeds', item: 'a101' });
    expect(JSON.stringify(child)).toBe(
      '{"path":"notes/Garden%2Fbeds/a101","kind":"notes.Block","fields":{"type":"paragraph","text":"Row 1","done":null},"children":[]}',
    );
    expect(await world.read(desk, { path: 'notes/0a01/a101' })).toEqual(child);
    expect(await world.read(account, { path: 'home/notes/0a01', item: 'a101' })).toEqual({
      ...child,
      path: 'home/notes/Garden%2Fbeds/a101',
    });
    // A thing that holds others is called as listings call it, and so is what is written by its name.
    expect(await world.read(desk, { path: 'notes', item: '0a01' })).toMatchObject({ path: 'notes/Garden%2Fbeds' });
    expect(await world.read(desk, { path: 'notes/0a01/Row 1' })).toEqual({
      ...child,
      path: 'notes/Garden%2Fbeds/Row 1',
    });
  });

  it('takes an item as one segment, whatever it holds', async () => {
    const { world } = notebook(1);
    expect(await world.read(desk, { path: 'notes', item: 'Garden/beds' })).toMatchObject({ kind: 'notes.Page' });
    expect(await failed(world.read(desk, { path: 'notes', item: '0a01/a100' }))).toMatchObject({
      code: 'unknown_path',
      message: 'Notes has no page called "0a01/a100".',
    });
    expect(await failed(world.read(desk, { path: 'notes', item: 'x'.repeat(600) }))).toMatchObject({
      message: `Notes has no page called "${'x'.repeat(79)}…".`,
    });
  });

  it('gives children with the paths of their keys, two hundred at most, and the rest by cursor', async () => {
    const { world } = notebook(201);
    const first = await world.read(desk, { path: 'notes/Garden%2Fbeds' });
    expect(Object.keys(first)).toEqual(['path', 'kind', 'fields', 'children', 'cursor']);
    expect(first.children).toHaveLength(200);
    expect(JSON.stringify(first.children[0])).toBe(
      '{"list":"blocks","name":"Row 0","item":"a100","path":"notes/Garden%2Fbeds/a100"}',
    );
    const rest = await world.read(desk, { path: 'notes/Garden%2Fbeds', cursor: first.cursor });
    expect(rest.children.map(({ item }) => item)).toEqual(['a300']);
    expect(rest).not.toHaveProperty('cursor');
    for (const { path, item } of [first.children[7], rest.children[0]].filter((row) => row !== undefined))
      expect((await world.locate(desk, path)).resource.item).toBe(item);
  });

  it('refuses a cursor that the app did not give', async () => {
    const { world } = notebook(1);
    expect(await failed(world.read(desk, { path: 'notes/0a01', cursor: 'hello' }))).toEqual({
      code: 'invalid_cursor',
      message: 'hello is not a cursor of notes/Garden%2Fbeds.',
      next_steps: ['tilo_read notes/Garden%2Fbeds without a cursor begins at the start'],
    });
    expect(await failed(world.read(desk, { path: 'notes/0a01', cursor: 'two\nlines "here"' }))).toMatchObject({
      message: '"two\\nlines \\"here\\"" is not a cursor of notes/Garden%2Fbeds.',
    });
  });

  it('refuses an action, the apps and a workspace', async () => {
    const { world } = notebook(1);
    expect(await failed(world.read(desk, { path: 'notes/0a01#rename' }))).toMatchObject({
      code: 'invalid_arguments',
      next_steps: { 0: 'tilo_ls notes/Garden%2Fbeds#rename lists its parameters' },
    });
    expect(await failed(world.read(desk, { path: 'apps' }))).toMatchObject({ code: 'unknown_path' });
    expect(await failed(world.read(account, { path: 'home' }), account)).toMatchObject({ code: 'unknown_path' });
    expect((await world.read(account, { path: 'home', item: 'notes' })).path).toBe('home/notes');
  });

  it('gives fields of 1 MiB and not of a byte more', async () => {
    const bytes = size - 1;
    const { world } = openWorld([scroll(bytes)]);
    const { fields } = await world.read(desk, { path: 'scroll' });
    expect(Buffer.byteLength(JSON.stringify(fields))).toBe(bytes);
    expect(await failed(openWorld([scroll(size + 1)]).world.read(desk, { path: 'scroll' }))).toEqual({
      code: 'limit_exceeded',
      message: 'The fields of Scroll are larger than the 1 MiB of one read.',
      next_steps: ['tilo_ls scroll lists what it holds'],
    });
  });

  it("hands the app's own cursors through", async () => {
    const { world } = openWorld([scroll(101)]);
    expect(await world.read(desk, { path: 'scroll' })).toMatchObject({ cursor: 'second half' });
    expect(await world.read(desk, { path: 'scroll', cursor: 'second half' })).not.toHaveProperty('cursor');
  });

  it('is a fault of an app that gives more children than it was asked for', async () => {
    const { world } = openWorld([scroll(101, 201)]);
    await expect(world.read(desk, { path: 'scroll' })).rejects.toThrow('app scroll: kind scroll gave 201 children');
  });

  it('waits for apps that answer later', async () => {
    const later: App = {
      ...notes,
      kinds: Object.fromEntries(
        Object.entries(notes.kinds).map(([name, own]) => [
          name,
          {
            ...own,
            children: async (resource) => own.children(resource),
            read: async (resource, page) => own.read(resource, page),
            find: async (resource) => own.find(resource),
          },
        ]),
      ),
    };
    const now = notebook(3);
    const world = now.again([later]);
    for (const path of ['notes', 'notes/0a01', 'notes/0a01/a101']) {
      expect(await world.read(desk, { path })).toEqual(await now.world.read(desk, { path }));
      expect(await world.ls(desk, { path })).toEqual(await now.world.ls(desk, { path }));
    }
    expect((await world.find(desk, { query: 'row' })).hits).toHaveLength(3);
  });
});
