import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTable, type Table } from './support.ts';

describe('a watch that is held while', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const append = (text: string) =>
    table.host.invocations.do(table.caller(), { path: 'notes/Garden#append-paragraph', args: { text } });

  const watched = async (meanwhile: () => void) => {
    const guest = table.caller('Guest', { token: table.token('guest') });
    const held = table.host.call('tilo_watch', { wait_ms: 20_000 }, guest);
    meanwhile();
    await append('Private from now on');
    return held;
  };

  it('its token is revoked tells nothing of what came after', async () => {
    const answer = await watched(() => table.host.registry.revokeToken(table.token('guest').id));
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'not_granted' } });
    expect(JSON.stringify(answer)).not.toContain('Private');
  });

  it('the clock of the host is set back is answered when its own time is up', async () => {
    const guest = table.caller('Guest');
    const held = table.host.call('tilo_watch', { wait_ms: 400, path: 'notes/House move' }, guest);
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    table.clock.now_ms -= 3_600_000;
    // What is not for it makes it look again, and reckon again how long is left.
    await append('Elsewhere');
    expect(await held).toMatchObject({ events: [] });
  });
});
