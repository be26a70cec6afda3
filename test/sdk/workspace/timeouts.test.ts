import { describe, expect, it } from 'vitest';
import { usualTiming } from '../../../src/sdk/workspace/link.ts';
import { client, served, thrownBy } from './bench.ts';
import { proxyTo } from './proxy.ts';

describe('how long an answer is waited for', () => {
  it('W-15 is the wait of the call and 30 s more: a watch that is held to its end answers', async () => {
    expect(usualTiming.marginMs).toBe(30_000);
    // With a margin shorter than the wait, a timeout that left the wait out would end the call before its answer.
    const host = await served();
    const timing = { marginMs: 600 };
    // At the account, where no presence is told: the host answers when the time is up.
    const account = await client(host, host.address, { timing });
    const { cursor } = await account.watchOnce({ waitMs: 0 });
    expect(await account.watchOnce({ cursor, waitMs: 1500 })).toEqual({ events: [], cursor });
  });

  it('ends: a host that never answers is given up, its request closed, and the call not made again', async () => {
    const host = await served();
    const proxy = await proxyTo(host.address, ({ message }) =>
      message.params?.name === 'tilo_watch' ? 'hang' : 'pass',
    );
    const home = (await client(host, proxy.address, { timing: { marginMs: 200 } })).workspace('home');
    const error = await thrownBy(home.watchOnce({ waitMs: 100 }));
    expect(error).toMatchObject({ name: 'ProtocolError', message: 'The host gave no answer within 300 ms.' });
    await proxy.given;
    expect(proxy.calls('tilo_watch')).toHaveLength(1);
  });
});
