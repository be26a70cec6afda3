import { expect, it } from 'vitest';
import { client, served } from './bench.ts';

it('W-15 a watch of 60 s that is held to its end answers through the SDK', async () => {
  const host = await served();
  // At the account, where no presence is told: the host answers when the time is up.
  const account = await client(host, host.address);
  const { cursor } = await account.watchOnce({ waitMs: 0 });
  expect(await account.watchOnce({ cursor, waitMs: 60_000 })).toEqual({ events: [], cursor });
});
