import { describe, expect, it } from 'vitest';
import { client, served, thrownBy } from './bench.ts';
import { proxyTo } from './proxy.ts';

const bench = async () => {
  const host = await served();
  const proxy = await proxyTo(host.address);
  return { ...host, proxy, home: (await client(host, proxy.address)).workspace('bench') };
};

describe('giving a call up', () => {
  it('closes its HTTP request and throws the reason, and the action goes on at the host', async () => {
    const { home, lab, proxy } = await bench();
    const giving = new AbortController();
    const call = thrownBy(
      home.do('lab#wait-and-count', { gate: 'g', name: 'a' }, { invocationId: 'w', signal: giving.signal }),
    );
    await lab.gates.reached('g');
    const reason = new Error('enough');
    giving.abort(reason);
    expect(await call).toBe(reason);
    await proxy.given;
    expect(proxy.calls('tilo_status')).toHaveLength(0);
    lab.gates.open('g');
    expect(await home.status('w', { waitMs: 10_000 })).toMatchObject({ status: 'ok', result: 1 });
  });

  it('cancels the action, too, where that is asked for', async () => {
    const { home, lab } = await bench();
    const giving = new AbortController();
    const call = thrownBy(
      home.do(
        'lab#wait-and-count',
        { gate: 'g', name: 'a' },
        { invocationId: 'w', signal: giving.signal, cancelOnAbort: true },
      ),
    );
    await lab.gates.reached('g');
    const reason = new Error('enough');
    giving.abort(reason);
    expect(await call).toBe(reason);
    expect(await thrownBy(home.status('w', { waitMs: 10_000 }))).toMatchObject({ code: 'cancelled' });
  });

  it('cancels of several actions the one that runs and those that would follow', async () => {
    const { home, lab } = await bench();
    const giving = new AbortController();
    const call = thrownBy(
      home.doAll(
        [
          { path: 'lab#count', args: { name: 'a' }, invocationId: 'a' },
          { path: 'lab#wait', args: { gate: 'g' }, invocationId: 'b' },
        ],
        { signal: giving.signal, cancelOnAbort: true },
      ),
    );
    await lab.gates.reached('g');
    giving.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    expect(await home.status('a')).toMatchObject({ status: 'ok', result: 1 });
    expect(await thrownBy(home.status('b', { waitMs: 10_000 }))).toMatchObject({ code: 'cancelled' });
  });

  it('that was aborted before sends nothing', async () => {
    const { home, proxy } = await bench();
    await home.ls();
    const before = proxy.seen.length;
    const reason = new Error('never mind');
    const signal = AbortSignal.abort(reason);
    expect(await thrownBy(home.do('lab#count', { name: 'a' }, { signal }))).toBe(reason);
    expect(await thrownBy(home.ls('notes', { signal }))).toBe(reason);
    expect(proxy.seen).toHaveLength(before);
  });

  it('ends the pause before another try', async () => {
    const host = await served();
    const giving = new AbortController();
    const reason = new Error('enough');
    const proxy = await proxyTo(host.address, ({ message }) => {
      if (message.params?.name !== 'tilo_ls') return 'pass';
      setImmediate(() => giving.abort(reason));
      return { status: 503, headers: { 'retry-after': '50' } };
    });
    const home = (await client(host, proxy.address)).workspace('home');
    expect(await thrownBy(home.ls('notes', { signal: giving.signal }))).toBe(reason);
    expect(proxy.calls('tilo_ls')).toHaveLength(1);
  });

  it('leaves alone the session that another call waits for, too', async () => {
    const host = await served();
    let asked = (): void => {};
    const opening = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const proxy = await proxyTo(host.address, ({ message, path }) => {
      if (message.method === 'initialize' && path !== '/mcp') asked();
      return 'pass';
    });
    const home = (await client(host, proxy.address)).workspace('home');
    const giving = new AbortController();
    const given = thrownBy(home.ls('notes', { signal: giving.signal }));
    const kept = home.ls('notes');
    await opening;
    giving.abort();
    expect(await given).toMatchObject({ name: 'AbortError' });
    expect((await kept).path).toBe('notes');
  });

  it('ends a wait for the end of a run, and a watch', async () => {
    const { home, lab } = await bench();
    const giving = new AbortController();
    const { signal } = giving;
    const run = await home.do('lab#wait', { gate: 'g' }, { waitMs: 0 });
    if (!('wait' in run) || typeof run.wait !== 'function') throw new Error('it has ended');
    const waiting = thrownBy(run.wait({ signal }));
    const watch = home.watch({ signal, path: 'notes' });
    const events = watch[Symbol.asyncIterator]();
    const watching = (async () => {
      for (;;) await events.next();
    })();
    const watched = thrownBy(watching);
    await lab.gates.reached('g');
    giving.abort();
    expect(await waiting).toMatchObject({ name: 'AbortError' });
    expect(await watched).toMatchObject({ name: 'AbortError' });
    lab.gates.open('g');
  });
});
