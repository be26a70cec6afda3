import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Done,
  type DoneAll,
  ProtocolError,
  Refused,
  Run,
  type Workspace,
} from '../../../src/sdk/workspace/index.ts';
import { atOnce, client, served, thrownBy } from './bench.ts';
import { type Fate, proxyTo, type Seen } from './proxy.ts';

const Made = z.object({ page: z.string() });
const Steps = z.tuple([z.object({ result: z.unknown() }), z.object({ result: z.unknown() })]);
const Block = z.object({ text: z.string(), done: z.boolean().nullable(), order: z.string() });
const Appended = z.object({ appended: z.string() });

type Op = Readonly<{ what: 'append' | 'check' | 'toggle' | 'both' | 'page'; text: string; of: number }>;

const op: fc.Arbitrary<Op> = fc.record({
  what: fc.constantFrom('append', 'append', 'check', 'toggle', 'both', 'page'),
  text: fc.stringMatching(/^[a-z ]{1,8}$/).map((text) => text.trim() || 'x'),
  of: fc.nat(1000),
});

const ended = (done: Done | DoneAll | Run | Run<DoneAll>): Done | DoneAll => {
  if (done instanceof Run) throw new Error(`${done.invocation_id} still runs`);
  return done;
};

/** A page as it must be: what was appended, and what is ticked. */
interface Page {
  readonly key: string;
  readonly blocks: { readonly text: string; readonly item: string; done: boolean | null }[];
}

/** Does one random change and notes what it must have made. Texts are numbered, so that a doubled one would be seen. */
const change = async (home: Workspace, pages: Page[], { what, text, of }: Op, turn: number): Promise<number> => {
  const page = pages[of % pages.length];
  if (page === undefined || what === 'page') {
    const done = ended(await home.do('notes#new-page', { title: `${text} ${turn}` }));
    pages.push({ key: Made.parse(done.result).page, blocks: [] });
    return 1;
  }
  const path = `notes/${page.key}`;
  const add = (result: unknown, said: string, done: boolean | null): void => {
    page.blocks.push({ text: said, item: Appended.parse(result).appended, done });
  };
  const boxes = page.blocks.filter(({ done }) => done !== null);
  const box = boxes[of % Math.max(boxes.length, 1)];
  if (what === 'toggle' && box) {
    await home.do(`${path}/${box.item}#toggle-checkbox`);
    box.done = !box.done;
    return 1;
  }
  const said = `${text} ${turn}`;
  if (what === 'both') {
    const { steps } = ended(
      await home.doAll([
        { path: `${path}#append-paragraph`, args: { text: said } },
        { path: `${path}#append-checkbox`, args: { text: `${said} box` } },
      ]),
    );
    const [first, second] = Steps.parse(steps);
    add(first.result, said, null);
    add(second.result, `${said} box`, false);
    return 2;
  }
  const boxed = what === 'check';
  const done = ended(await home.do(`${path}#${boxed ? 'append-checkbox' : 'append-paragraph'}`, { text: said }));
  add(done.result, said, boxed ? false : null);
  return 1;
};

/** Lets the connection of every first try break, before the host hears of it or after it has answered. */
const breakingFirst = (): ((seen: Seen) => Fate) => {
  const tried = new Set<string>();
  let turn = 0;
  return ({ key, message }) => {
    if (message.method === undefined) return 'pass';
    if (tried.delete(key)) return 'pass';
    tried.add(key);
    turn += 1;
    return turn % 4 === 0 ? 'break before' : 'break after';
  };
};

describe('trying again', () => {
  it('W-51 doubles no change over 200 random calls behind a proxy that drops each first answer', async () => {
    const { host, address } = await served();
    const proxy = await proxyTo(address, breakingFirst());
    const token = (): string =>
      host.registry.createToken({ label: 'desk', workspace: null, max: 'outside', expires_ms: null, run: null }).text;
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 200, maxLength: 200 }), async (ops) => {
        const pages: Page[] = [];
        let changes = 0;
        // A token makes at most 50 calls a second, tries included.
        for (let turn = 0; turn < ops.length; turn += 20) {
          const home = (await client({ token: token() }, proxy.address)).workspace('home');
          for (const [index, one] of ops.slice(turn, turn + 20).entries())
            changes += await change(home, pages, one, turn + index);
        }
        const state = host.store.states.of('home', 'notes');
        const kept = pages.map(({ key }) =>
          state
            .list(`block/${key}/`)
            .map(([at, value]) => ({ ...Block.parse(value), item: at.slice(`block/${key}/`.length) }))
            .sort((one, other) => (one.order < other.order ? -1 : 1))
            .map(({ text, item, done }) => ({ text, item, done })),
        );
        expect(kept).toEqual(pages.map(({ blocks }) => blocks));
        expect(state.list('page/')).toHaveLength(pages.length);
        expect(host.events.after(0, 10_000).filter(({ kind }) => kind === 'change')).toHaveLength(changes);
        const tries = proxy.calls('tilo_do');
        expect(tries).toHaveLength(400);
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  it('is done for every tool, under the same invocation id and cursor', async () => {
    const { address, token } = await served();
    const proxy = await proxyTo(address, breakingFirst());
    const home = (await client({ token }, proxy.address)).workspace('home');
    await home.do('notes#new-page', { title: 'Garden' });
    await home.doAll([{ path: 'notes/Garden#pin' }]);
    await home.ls('notes');
    await home.read('notes/Garden');
    await home.find('garden');
    const { cursor } = await home.watchOnce({ waitMs: 0 });
    await home.watchOnce({ cursor, waitMs: 0 });
    await expect(home.status('none')).rejects.toMatchObject({ code: 'unknown_invocation' });
    await expect(home.tilo('notes')).rejects.toMatchObject({ code: 'not_available' });
    const tools = ['tilo_do', 'tilo_ls', 'tilo_read', 'tilo_find', 'tilo_watch', 'tilo_status', 'tilo'];
    for (const tool of tools) {
      const calls = proxy.calls(tool);
      expect(calls.length).toBeGreaterThan(1);
      expect(calls.map(({ key }) => key)).toEqual(calls.flatMap(({ key }, at) => (at % 2 ? [key, key] : [])));
    }
    const ids = proxy.calls('tilo_do').map(({ message }) => message.params?.arguments?.invocation_id);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([429, 502, 503, 504])('is done after %i, three times at most', async (status) => {
    const { address, token } = await served();
    let refusals = 0;
    const proxy = await proxyTo(address, ({ message }) => {
      if (message.params?.name !== 'tilo_ls' || refusals === 0) return 'pass';
      refusals -= 1;
      return { status };
    });
    const home = (await client({ token }, proxy.address)).workspace('home');
    refusals = 3;
    expect((await home.ls()).path).toBe('apps');
    expect(proxy.calls('tilo_ls')).toHaveLength(4);
    refusals = 100;
    const error = await thrownBy(home.ls());
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ httpStatus: status });
    expect(proxy.calls('tilo_ls')).toHaveLength(8);
  });

  it('waits as long as the host asks for', async () => {
    const { address, token } = await served();
    let from = 0;
    const proxy = await proxyTo(address, ({ message }) => {
      if (message.params?.name !== 'tilo_ls') return 'pass';
      from ||= performance.now();
      return performance.now() - from < 950 ? { status: 503, headers: { 'retry-after': '1' } } : 'pass';
    });
    const home = (await client({ token }, proxy.address)).workspace('home');
    // Its own pauses alone would have been over long before the host is back.
    expect((await home.ls()).path).toBe('apps');
    expect(proxy.calls('tilo_ls')).toHaveLength(2);
  });

  it('is not done when the host wants to be left alone for longer than a minute', async () => {
    const { address, token } = await served();
    const proxy = await proxyTo(address, ({ message }) =>
      message.params?.name === 'tilo_ls' ? { status: 429, headers: { 'retry-after': '3600' } } : 'pass',
    );
    const home = (await client({ token }, proxy.address)).workspace('home');
    expect(await thrownBy(home.ls())).toMatchObject({ httpStatus: 429 });
    expect(proxy.calls('tilo_ls')).toHaveLength(1);
  });

  it.each([400, 401, 403, 413, 500])('is not done after %i', async (status) => {
    const { address, token } = await served();
    const proxy = await proxyTo(address, ({ message }) => (message.params?.name === 'tilo_do' ? { status } : 'pass'));
    const home = (await client({ token }, proxy.address)).workspace('home');
    const error = await thrownBy(home.do('notes#new-page', { title: 'Garden' }));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ httpStatus: status });
    expect(proxy.calls('tilo_do')).toHaveLength(1);
  });

  it('is not done after a failed answer', async () => {
    const { address, token } = await served();
    const proxy = await proxyTo(address);
    const home = (await client({ token }, proxy.address)).workspace('home');
    expect(await thrownBy(home.do('notes#new-page'))).toBeInstanceOf(Refused);
    expect(proxy.calls('tilo_do')).toHaveLength(1);
  });

  it('gives up after three when nobody listens, and says why', async () => {
    const { address, token } = await served();
    const proxy = await proxyTo(address, ({ message }) =>
      message.params?.name === 'tilo_ls' ? 'break before' : 'pass',
    );
    const home = (await client({ token }, proxy.address, { timing: atOnce })).workspace('home');
    const error = await thrownBy(home.ls());
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      httpStatus: undefined,
      message: expect.stringMatching(/^The host cannot be reached: /),
    });
    expect(proxy.calls('tilo_ls')).toHaveLength(4);
  });
});
