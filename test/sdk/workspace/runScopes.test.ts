import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { metaKey } from '../../../schemas/wire/meta.ts';
import { SessionLost, type Workspace } from '../../../src/sdk/workspace/index.ts';
import { client, served, thrownBy } from './bench.ts';
import { type Between, proxyTo, type Seen } from './proxy.ts';

const Meta = z.object({
  [metaKey]: z.strictObject({
    structured: z.literal(true),
    run: z.strictObject({ id: z.string(), title: z.string() }).optional(),
  }),
});

/** The run that a call named. */
const runOf = ({ message }: Seen): Readonly<{ id: string; title: string }> | undefined =>
  Meta.parse(message.params?._meta)[metaKey].run;

const runs = (proxy: Between, tool: string) => proxy.calls(tool).map((call) => runOf(call)?.title);

const bench = async () => {
  const host = await served();
  const proxy = await proxyTo(host.address);
  const account = await client(host, proxy.address);
  const home = account.workspace('home');
  await home.do('notes#new-page', { title: 'Garden' });
  return { ...host, proxy, account, home };
};

const append = (calls: Pick<Workspace, 'do'>, text: string) => calls.do('notes/Garden#append-paragraph', { text });

/** Ends a session at the host, as its expiry would. */
const lose = async (address: string, token: string, path: string, session: string | null): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': session ?? '' };
  const ended = await fetch(`${address}${path}`, { method: 'DELETE', headers });
  expect(ended.status).toBe(200);
};

describe('a run scope', () => {
  it('names its run on every call made through it and on no other', async () => {
    const { home, proxy } = await bench();
    {
      await using run = home.run('Plan the move', { id: 'plan' });
      await append(run, 'one');
      await append(home, 'two');
      for await (const row of run.ls('notes', { limit: 1 })) expect(row.kind).toBe('notes.Page');
      await run.read('notes/Garden');
      await run.find('garden');
      await run.watchOnce({ waitMs: 0 });
    }
    expect(runs(proxy, 'tilo_do')).toEqual([undefined, 'Plan the move', undefined]);
    for (const tool of ['tilo_ls', 'tilo_read', 'tilo_find', 'tilo_watch'])
      expect(runs(proxy, tool)).toEqual(['Plan the move']);
    expect(proxy.calls('tilo_do').map(runOf)[1]).toEqual({ id: 'plan', title: 'Plan the move' });
  });

  it('makes all its changes one undo step, continued under the same id', async () => {
    const { home } = await bench();
    {
      await using run = home.run('Plan', { id: 'plan' });
      await append(run, 'one');
      await append(run, 'two');
    }
    {
      await using again = home.run('Plan', { id: 'plan' });
      await append(again, 'three');
    }
    expect((await home.read('notes/Garden')).children).toHaveLength(3);
    await home.do('notes#undo', { steps: 1 });
    expect((await home.read('notes/Garden')).children).toHaveLength(0);
  });

  it('is on every call of its workspace inside a function, by async context', async () => {
    const { home, account, proxy } = await bench();
    const other = account.workspace('bench');
    const outside = { go: (): void => {} };
    const waiting = new Promise<void>((resolve) => {
      outside.go = resolve;
    }).then(() => home.ls('notes'));
    const answer = await home.run('Inside', async (run) => {
      await append(home, 'one');
      await Promise.all([home.read('notes'), run.find('garden'), other.ls('apps')]);
      outside.go();
      await waiting;
      return run.title;
    });
    expect(answer).toBe('Inside');
    await expect(home.status('none')).rejects.toMatchObject({ code: 'unknown_invocation' });
    expect(runs(proxy, 'tilo_do')).toEqual([undefined, 'Inside']);
    expect(runs(proxy, 'tilo_read')).toEqual(['Inside']);
    expect(runs(proxy, 'tilo_find')).toEqual(['Inside']);
    expect(runs(proxy, 'tilo_ls')).toEqual([undefined, undefined]);
    expect(runs(proxy, 'tilo_status')).toEqual([undefined]);
  });

  it('leaves what was done when its function throws', async () => {
    const { home } = await bench();
    const error = await thrownBy(
      home.run('Half', async () => {
        await append(home, 'one');
        throw new Error('enough');
      }),
    );
    expect(error).toEqual(new Error('enough'));
    expect((await home.read('notes/Garden')).children).toHaveLength(1);
  });

  it('is taken back by the program `undo task`, sent in the run', async () => {
    const { home, proxy } = await bench();
    await using run = home.run('Plan', { id: 'plan' });
    expect(await thrownBy(run.undo())).toMatchObject({ name: 'Refused', code: 'not_available' });
    const [sent] = proxy.calls('tilo');
    expect(sent?.message.params?.arguments?.program).toBe('undo task');
    expect(sent && runOf(sent)).toEqual({ id: 'plan', title: 'Plan' });
  });

  it('gets an id from its title, another each time, and refuses titles and ids that the wire does not allow', async () => {
    const { home } = await bench();
    const first = home.run("Fill Jane's übergroße form!");
    const second = home.run("Fill Jane's übergroße form!");
    expect(first.id).toMatch(/^fill-jane-s-ubergro-e-form-[0-9a-z]{6}$/);
    expect(second.id).not.toBe(first.id);
    expect(home.run('日本').id).toMatch(/^run-[0-9a-z]{6}$/);
    expect(() => home.run('')).toThrow(TypeError);
    expect(() => home.run('x'.repeat(201))).toThrow(TypeError);
    expect(() => home.run('Plan', { id: 'a b' })).toThrow(TypeError);
  });
});

describe('a session', () => {
  it('is opened anew when the host has lost it, once for all calls that find out', async () => {
    const { home, proxy, address, token } = await bench();
    const lost = home.session;
    await lose(address, token, '/w/home/mcp', lost);
    const before = proxy.seen.filter(({ message }) => message.method === 'initialize').length;
    await Promise.all([append(home, 'one'), append(home, 'two'), home.ls('notes'), home.read('notes')]);
    expect(proxy.seen.filter(({ message }) => message.method === 'initialize')).toHaveLength(before + 1);
    expect(home.session).not.toBe(lost);
    expect((await home.read('notes/Garden')).children).toHaveLength(2);
  });

  it('that is lost while a run scope is open ends the scope, and is opened anew after it', async () => {
    const { home, address, token } = await bench();
    {
      await using run = home.run('Plan');
      await append(run, 'one');
      await lose(address, token, '/w/home/mcp', home.session);
      const error = await thrownBy(append(run, 'two'));
      expect(error).toBeInstanceOf(SessionLost);
      expect(error).toMatchObject({ name: 'SessionLost', httpStatus: 404 });
      expect(await thrownBy(append(home, 'two'))).toBeInstanceOf(SessionLost);
    }
    await append(home, 'three');
    expect((await home.read('notes/Garden')).children.map(({ name }) => name)).toEqual(['one', 'three']);
  });

  it('that is lost inside the function form is told, too', async () => {
    const { home, address, token } = await bench();
    const error = await thrownBy(
      home.run('Plan', async () => {
        await lose(address, token, '/w/home/mcp', home.session);
        await append(home, 'one');
      }),
    );
    expect(error).toBeInstanceOf(SessionLost);
    await append(home, 'two');
  });

  it('of the account and of each workspace are sessions of their own', async () => {
    const { account, home } = await bench();
    expect(account.session).toMatch(/^[0-9a-f]{32}$/);
    expect(home.session).toMatch(/^[0-9a-f]{32}$/);
    expect(home.session).not.toBe(account.session);
    expect(account.workspace('home')).toBe(home);
    expect(account.workspace('bench').session).toBeNull();
  });

  it('is resumed by its id: what one client changed another takes back', async () => {
    const host = await bench();
    const { home, address } = host;
    await append(home, 'one');
    const later = (await client(host, address)).workspace('home', { session: home.session });
    await later.do('notes#undo');
    expect((await home.read('notes/Garden')).children).toHaveLength(0);
    const account = await client(host, address, { session: host.account.session });
    await account.ls();
    expect(account.session).toBe(host.account.session);
  });

  it('can be left out: all such clients of a token are one connection', async () => {
    const host = await bench();
    const plain = async () => (await client(host, host.proxy.address, { session: null })).workspace('home');
    const before = host.proxy.seen.length;
    const one = await plain();
    await append(one, 'one');
    await (await plain()).do('notes#undo');
    expect((await one.read('notes/Garden')).children).toHaveLength(0);
    expect(one.session).toBeNull();
    expect(
      host.proxy.seen.slice(before).map(({ message, headers }) => [message.method, headers['mcp-session-id']]),
    ).toEqual([
      ['tools/call', undefined],
      ['tools/call', undefined],
      ['tools/call', undefined],
    ]);
  });

  it('that was opened is not used once the connection is closed', async () => {
    const { account, home } = await bench();
    await account.close();
    expect(await thrownBy(home.ls())).toMatchObject({
      name: 'ProtocolError',
      message: 'This connection has been closed.',
    });
  });
});
