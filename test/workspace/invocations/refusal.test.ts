import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, hour, openTable, runEvents, type Table } from './support.ts';

describe('a person who refuses', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const share = (id: string, who = 'sam@example.org', wait_ms = 0) =>
    table.host.invocations
      .do(table.caller(), { path: 'notes/Garden#share', args: { with: who }, invocation_id: id, wait_ms })
      .then(done);

  it('W-29 a refusal with its reason ends the id for good, and a third ask within the hour is not put', async () => {
    expect(await share('s1')).toMatchObject({ status: 'pending', ask: { invocation_id: 's1' } });
    expect((await table.decide({ decision: 'refuse', reason: '  not this week ' })).outcome).toBe('decided');
    const refused = await share('s1');
    expect(refused).toEqual({
      status: 'failed',
      error: { code: 'refused', message: 'Mira refused: not this week.' },
      invocation_id: 's1',
      path: 'notes/Garden#share',
      action: refused.action,
    });
    expect(await share('s1')).toEqual(refused);

    await share('s2');
    await table.decide({ decision: 'refuse' });
    expect((await share('s2')).error).toEqual({ code: 'refused', message: 'Mira refused.' });

    const worn = await share('s3');
    expect(worn).toMatchObject({ status: 'failed', error: { code: 'refused' } });
    expect((await table.host.invocations.asks('home')).map(({ state }) => state)).toEqual(['refused', 'refused']);
    expect(runEvents(table, 's3')).toEqual([]);

    // Bound to nothing: other arguments may have the id. The hour over, the same may ask again.
    expect(await share('s3', 'kim@example.org')).toMatchObject({ status: 'pending' });
    table.clock.now_ms += hour;
    expect(await share('s4')).toMatchObject({ status: 'pending' });
  });

  it('a refusal counts for the same action on the same thing with the same arguments of the same token', async () => {
    const remove = (path: string, id: string, caller = table.caller()) =>
      table.host.invocations.do(caller, { path, args: {}, invocation_id: id, wait_ms: 0 }).then(done);
    for (const id of ['d1', 'd2']) {
      await remove('notes/Garden#delete', id);
      await table.decide({ decision: 'refuse' });
    }
    expect(await remove('notes/Garden#delete', 'd3')).toMatchObject({ error: { code: 'refused' } });
    expect(await remove('notes/House move#delete', 'd4')).toMatchObject({ status: 'pending' });
    const other = table.caller('Desk agent', { token: table.token('other') });
    expect(await remove('notes/Garden#delete', 'd5', other)).toMatchObject({ status: 'pending' });
    const studio = table.caller('Desk agent', { endpoint: 'studio' });
    expect(await remove('notes/Garden#delete', 'd6', studio)).toMatchObject({ status: 'pending' });
    // What the person allows once and for all needs no ask, and so none that could be refused.
    table.host.registry.setPreallow('home', 'notes.Page', 'delete', true, 'Mira');
    expect(await remove('notes/Garden#delete', 'd7')).toMatchObject({ status: 'ok' });
  });
});
