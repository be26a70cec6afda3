import { describe, expect, test } from 'vitest';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { connected, type Served, served } from './served.ts';

/** One place for a held call: while one is held every other is refused, and once it is released another passes. */
const oneHeld = { serve: { limits: { heldCalls: 1, callsPerSecond: 100_000, patience: 50 } } };

const watch = (id: string | number): string => callBody(id, 'tilo_watch', { wait_ms: 60_000 });

/** At the account endpoint, where no presence ends a watch. */
const post = (host: Served, body: string, signal?: AbortSignal) =>
  sendRaw(host.port, { path: '/mcp', headers: mcpHeaders(host.token), body, ...(signal && { signal }) });

const isFree = async (host: Served): Promise<boolean> =>
  (await post(host, callBody('probe', 'tilo_ls', {}))).status === 200;

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
};

const cancel = (host: Served, requestId: unknown) =>
  post(host, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));

describe('a call that is given up', () => {
  test.each([[0], [7], ['0'], ['']])(
    'W-16 notifications/cancelled in another request ends the held call %j and its response',
    async (id) => {
      const host = await served(oneHeld);
      const held = post(host, watch(id));
      await until(async () => !(await isFree(host)));
      // Neither another id nor the same one as another type reaches it.
      for (const other of [1, '1', id === 0 ? '0' : 0]) expect((await cancel(host, other)).status).toBe(202);
      expect(await isFree(host)).toBe(false);
      expect((await cancel(host, id)).status).toBe(202);
      expect(await held).toMatchObject({ status: 202, text: '' });
      expect(await isFree(host)).toBe(true);
    },
  );

  test('W-16 closing the socket releases the held call', async () => {
    const host = await served(oneHeld);
    const gone = new AbortController();
    const held = post(host, watch(1), gone.signal);
    await until(async () => !(await isFree(host)));
    gone.abort();
    await expect(held).rejects.toThrow();
    await until(() => isFree(host));
  });

  test('W-16 a call that is given up before it had a place is not begun', async () => {
    const host = await served({ serve: { limits: { ...oneHeld.serve.limits, patience: 1000 } } });
    const first = new AbortController();
    const held = post(host, watch(1), first.signal);
    await until(async () => !(await isFree(host)));
    const waiting = post(host, callBody('w', 'tilo_do', { path: 'home/notes#new-page', args: { title: 'Late' } }));
    // The place is still taken: the cancel ends it while it waits.
    await until(async () => {
      await cancel(host, 'w');
      return Promise.race([waiting.then(() => true), new Promise<boolean>((go) => setTimeout(go, 20, false))]);
    });
    expect(await waiting).toMatchObject({ status: 202, text: '' });
    first.abort();
    await expect(held).rejects.toThrow();
    expect((await post(host, callBody('r', 'tilo_read', { path: 'home/notes' }))).status).toBe(200);
    expect(host.host.store.db.prepare('SELECT count(*) FROM invocations').pluck().get()).toBe(0);
  });

  test('W-16 the client of the SDK cancels its held call by a signal, and goes on with its session', async () => {
    const host = await served(oneHeld);
    const { client } = await connected(host, host.token, '/mcp');
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    const gone = new AbortController();
    const held = client.callTool({ name: 'tilo_watch', arguments: { wait_ms: 60_000 } }, undefined, {
      signal: gone.signal,
    });
    await until(async () => !(await isFree(host)));
    gone.abort();
    await expect(held).rejects.toThrow();
    await until(() => isFree(host));
    expect((await client.callTool({ name: 'tilo_ls', arguments: {} })).isError).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('W-16 a cancel reaches only calls of its own connection', async () => {
    const host = await served({ serve: { limits: { heldCalls: 2, callsPerSecond: 100_000, patience: 50 } } });
    const [one, two] = [await connected(host, host.token, '/mcp'), await connected(host, host.token, '/mcp')];
    const gone = new AbortController();
    const options = { signal: gone.signal };
    const hold = { name: 'tilo_watch', arguments: { wait_ms: 60_000 } };
    const first = one.client.callTool(hold, undefined, options);
    const second = two.client.callTool({ ...hold, arguments: { wait_ms: 60_000, path: 'home/notes' } });
    await until(async () => !(await isFree(host)));
    gone.abort();
    await expect(first).rejects.toThrow();
    await until(() => isFree(host));
    // The other client's call, which has the same id, is still held: a change answers it.
    await post(host, callBody(9, 'tilo_do', { path: 'home/notes#new-page', args: { title: 'New' } }));
    expect(JSON.stringify(await second)).toContain('New');
  });

  test('W-16 a caller who leaves an ask leaves it open', async () => {
    const host = await served(oneHeld);
    await post(host, callBody(1, 'tilo_do', { path: 'home/notes#new-page', args: { title: 'Garden' } }));
    const share = { path: 'home/notes/Garden#share', args: { with: 'sam@example.org' }, invocation_id: 'share-1' };
    const held = post(host, callBody(0, 'tilo_do', { ...share, wait_ms: 60_000 }));
    await until(async () => (await host.host.invocations.asks('home')).length === 1);
    await cancel(host, 0);
    expect(await held).toMatchObject({ status: 202, text: '' });
    const status = await post(host, callBody(2, 'tilo_status', { invocation_id: 'share-1' }, { structured: true }));
    expect(JSON.parse(status.text).result.structuredContent).toMatchObject({ status: 'pending' });
  });

  test('cancels of nothing, and those that make no sense, change nothing', async () => {
    const host = await served();
    for (const id of [1, 'x', null, undefined, {}]) expect((await cancel(host, id)).status).toBeOneOf([202, 400]);
    expect(await isFree(host)).toBe(true);
  });
});
