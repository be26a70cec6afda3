import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reading } from '../../../schemas/wire/answers.ts';
import { joinPages } from '../../../src/sdk/workspace/readAll.ts';
import { client, served, thrownBy } from './bench.ts';
import { proxyTo } from './proxy.ts';

const bench = async () => {
  const host = await served();
  const proxy = await proxyTo(host.address);
  const account = await client(host, proxy.address);
  return { ...host, proxy, account, home: account.workspace('bench') };
};

describe('a listing', () => {
  it('is its first page when awaited, and the rows of all pages when gone over', async () => {
    const { home, proxy } = await bench();
    const first = await home.ls('lab/book-shelf', { limit: 100 });
    expect(first.rows).toHaveLength(100);
    expect(first.next_cursor).toBe('100');
    const names: string[] = [];
    for await (const { name } of home.ls('lab/book-shelf', { limit: 100 })) names.push(name);
    expect(names).toHaveLength(280);
    expect(new Set(names).size).toBe(280);
    const rows: string[] = [];
    for await (const { name } of home.rows('lab/book-shelf', { limit: 200 })) rows.push(name);
    expect(rows).toEqual(names);
    expect(proxy.calls('tilo_ls')).toHaveLength(1 + 3 + 2);
  });

  it('is asked for no further than it is gone over', async () => {
    const { home, proxy } = await bench();
    for await (const row of home.ls('lab/book-shelf', { limit: 10 })) if (row.name === 'Book 004') break;
    expect(proxy.calls('tilo_ls')).toHaveLength(1);
  });

  it('of the account names the workspaces, whose paths begin with theirs', async () => {
    const { account } = await bench();
    expect((await account.ls()).rows.map(({ path }) => path)).toEqual(['home', 'bench']);
    await account.do('home/notes#new-page', { title: 'Garden' });
    expect((await account.ls('home/notes')).rows.map(({ path }) => path)).toEqual(['home/notes/Garden']);
  });

  it('that does not go on behind its cursor is told, not asked for ever', async () => {
    const host = await served();
    const page = { path: 'lab', kind: 'lab', rows: [], actions: [], next_cursor: '5' };
    const proxy = await proxyTo(host.address, ({ message }) =>
      message.params?.name === 'tilo_ls' ? { result: { content: [], structuredContent: page } } : 'pass',
    );
    const home = (await client(host, proxy.address)).workspace('home');
    const over = async (): Promise<void> => {
      for await (const row of home.ls('lab')) expect(row).toBeUndefined();
    };
    expect(await thrownBy(over())).toMatchObject({ name: 'ProtocolError' });
  });
});

describe('a reading', () => {
  it('is whole: the children of all pages and the pieces of a text', async () => {
    const { home } = await bench();
    const shelf = await home.readAll('lab/book-shelf');
    expect(shelf.children).toHaveLength(280);
    expect(shelf.cursor).toBeUndefined();
    const text = await home.readAll('lab', { item: 'long-text' });
    expect(text.fields).toEqual({ text: 'All work and no play. '.repeat(160), first: 0 });
    expect(text).not.toHaveProperty('cursor');
  });

  it('puts the pieces of any text together, whatever stands beside it', () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pieces, fc.string({ maxLength: 4 }), (texts, title) => {
        const pages = texts.map(
          (text, at): Reading => ({
            path: 'a',
            kind: 'k',
            fields: { title, body: `${text}, and so on`, first: at, none: null },
            children: [],
            ...(at + 1 < texts.length && { cursor: String(at + 1) }),
          }),
        );
        const [first, ...rest] = pages;
        if (first === undefined) return;
        expect(joinPages(first, rest)).toEqual({
          path: 'a',
          kind: 'k',
          fields: { title, body: texts.map((text) => `${text}, and so on`).join(''), first: 0, none: null },
          children: [],
        });
      }),
      { numRuns: 200 },
    );
  });

  it('takes a field that every page of children repeats once', () => {
    const page = (item: string): Reading => ({
      path: 'a',
      kind: 'k',
      fields: { title: 'Same' },
      children: [{ list: 'l', name: item, item, path: `a/${item}` }],
    });
    const whole = joinPages(page('1'), [page('2')]);
    expect(whole.fields).toEqual({ title: 'Same' });
    expect(whole.children.map(({ item }) => item)).toEqual(['1', '2']);
  });
});

describe('a watch', () => {
  it('hands every event out once, and its cursor goes on behind those handed out', async () => {
    const { home } = await bench();
    const start = home.watch();
    const first = start[Symbol.asyncIterator]().next();
    // The first answer says where "now" is.
    while (start.cursor === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    await home.do('lab#count', { name: 'a' }, { invocationId: 'a' });
    expect(await first).toMatchObject({ done: false });

    const { cursor } = await home.watchOnce({ waitMs: 0 });
    await home.do('lab#count', { name: 'b' }, { invocationId: 'b' });
    await home.do('lab#count', { name: 'c' }, { invocationId: 'c' });
    const sentences: string[] = [];
    const watch = home.watch({ cursor, path: 'lab' });
    for await (const event of watch) {
      if (event.kind === 'change') sentences.push(event.sentence);
      if (event.kind === 'run' && event.invocation_id === 'c' && event.phase === 'succeeded') break;
    }
    expect(sentences).toEqual(['counted "b"', 'counted "c"']);
    await home.do('lab#count', { name: 'd' });
    for await (const event of watch) {
      // Who is here may be told first.
      if (event.kind === 'presence') continue;
      expect(event).toMatchObject({ kind: 'run', phase: 'started' });
      break;
    }
  });

  it('that is left amid an answer goes on before its first event, so that none is lost', async () => {
    const { home } = await bench();
    const { cursor } = await home.watchOnce({ waitMs: 0 });
    await home.do('lab#count', { name: 'a' });
    const watch = home.watch({ cursor });
    for await (const event of watch) {
      expect(event.kind).toBe('run');
      break;
    }
    expect(watch.cursor).toBe(cursor);
  });

  it('ends with the refusal of a cursor that is none', async () => {
    const { home } = await bench();
    const over = async (): Promise<void> => {
      for await (const event of home.watch({ cursor: 'nothing' })) expect(event).toBeUndefined();
    };
    expect(await thrownBy(over())).toMatchObject({ name: 'Refused', code: 'invalid_cursor' });
  });
});
