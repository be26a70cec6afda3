import { afterEach, describe, expect, it } from 'vitest';
import { Watched } from '../../../schemas/wire/answers.ts';
import { serveTest, type TestHost } from '../support/serve.ts';
import { openClient, type WireClient } from '../support/wireClient.ts';

let served: TestHost | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

/** How many changes are followed one after the other. */
const rounds = 100;

describe('W-36 a change that another client makes', () => {
  it('W-36 reaches each held watch by itself, long before its time is up', async () => {
    served = await serveTest();
    const { address, token, host } = served;
    // More calls a second than one token may make.
    const other = host.registry.createToken({
      label: 'other',
      workspace: 'home',
      max: 'undoable',
      expires_ms: null,
      run: null,
    }).text;
    const open = (with_: string, name: string): Promise<WireClient> =>
      openClient({ address, path: '/w/home/mcp', token: with_ }, name);
    const [writer, eye] = await Promise.all([open(token, 'writer'), open(other, 'eye')]);
    let { cursor } = Watched.parse(await eye.typed('tilo_watch', { wait_ms: 0 }));
    const seen: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      let written: Promise<unknown> | null = null;
      while (seen.length <= round) {
        const held = eye.typed('tilo_watch', { cursor, wait_ms: 60_000, path: 'notes' });
        written ??= writer.typed('tilo_do', { path: 'notes#new-page', args: { title: `Page ${round}` } });
        const got = Watched.parse(await held);
        cursor = got.cursor;
        // Who is here may be told first.
        for (const event of got.events) if (event.kind === 'change') seen.push(event.sentence);
      }
      await written;
      // The token's calls a second are bounded; the next second begins here.
      if (round % 20 === 19) await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(seen).toHaveLength(rounds);
    expect(new Set(seen).size).toBe(rounds);
  });
});
