import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askEvents, contents, hour, openTable, runEvents, type Table } from './support.ts';

const day = 24 * hour;

describe('an ask that nobody answers', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const send = (id = 's1') =>
    table.host.invocations.do(table.caller(), {
      path: 'lab#send',
      args: { note: 'hello' },
      invocation_id: id,
      wait_ms: 0,
    });
  const status = () => table.host.invocations.status(table.caller(), { invocation_id: 's1' });

  it('expires when its time is up, by the sweep alone', async () => {
    await send();
    const asked = await table.ask();
    table.clock.now_ms += day - 1;
    table.host.invocations.sweep();
    expect(await table.ask()).toEqual(asked);
    table.clock.now_ms += 1;
    table.host.invocations.sweep();
    expect(runEvents(table, 's1')).toEqual(['started s1', 'failed s1']);
    expect(askEvents(table, asked.id)).toBe(2);
    expect(await status()).toMatchObject({
      status: 'failed',
      error: {
        code: 'ask_expired',
        next_steps: ['tilo_do lab#send asks again, under a new invocation_id or with this one and the same arguments'],
      },
      action: { id: 'send' },
    });
  });

  it('is seen to have expired by whoever comes first, without a sweep', async () => {
    await send();
    const asked = await table.ask();
    table.clock.now_ms += day;
    expect(await table.decide({ decision: 'allow' }, asked)).toMatchObject({
      outcome: 'moved_on',
      ask: { state: 'expired' },
    });
    expect(await status()).toMatchObject({ error: { code: 'ask_expired' } });
  });

  it('is put again by the repeated call, to be decided anew, and has one end for watchers', async () => {
    await send();
    const asked = await table.ask();
    table.clock.now_ms += day;
    expect(await status()).toMatchObject({ error: { code: 'ask_expired' } });
    expect(await send()).toMatchObject({ status: 'pending', ask: { invocation_id: 's1' } });
    const again = await table.ask();
    expect(again).toEqual({ ...asked, version: 3, announced: 2, deadline_ms: table.clock.now_ms + day });
    expect(await table.decide({ decision: 'allow' }, asked)).toMatchObject({ outcome: 'moved_on' });
    await table.decide({ decision: 'allow' }, again);
    expect(await send()).toMatchObject({ status: 'ok' });
    expect(table.lab.far.arrived('keyless')).toEqual(['hello']);
    expect(runEvents(table, 's1')).toEqual(['started s1', 'failed s1']);
  });

  it('forgets the edits of a permission that went unused', async () => {
    await send();
    await table.decide({ decision: 'allow_edited', args: { note: 'edited' } });
    table.clock.now_ms += day;
    expect(await status()).toMatchObject({ error: { code: 'ask_expired' } });
    expect(table.lab.far.arrived('keyless')).toEqual([]);
    await send();
    const again = await table.ask();
    expect(again).not.toHaveProperty('edited');
    expect(again).not.toHaveProperty('decided_by');
    await table.decide({ decision: 'allow' }, again);
    expect(await send()).not.toHaveProperty('edited_by_person');
    expect(table.lab.far.arrived('keyless')).toEqual(['hello']);
  });

  it('is not put again to a person who refused the same twice meanwhile', async () => {
    await send();
    table.clock.now_ms += day;
    await status();
    for (const id of ['s2', 's3']) {
      await send(id);
      await table.decide({ decision: 'refuse' });
    }
    const before = contents(table);
    expect(await send()).toMatchObject({ status: 'failed', error: { code: 'refused' } });
    expect(contents(table)).toEqual(before);
    expect(await status()).toMatchObject({ error: { code: 'ask_expired' } });
  });
});
