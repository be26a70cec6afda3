import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StatusArguments } from '../../../schemas/wire/arguments.ts';
import { contents, done, hour, openTable, runEvents, type Table, until } from './support.ts';

describe('tilo_status', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const start = (path: string, args: Record<string, unknown>, id: string, wait_ms = 0): Promise<unknown> =>
    table.host.invocations.do(table.caller(), { path, args, invocation_id: id, wait_ms });
  const status = (id: string, more: Omit<StatusArguments, 'invocation_id'> = {}, caller = table.caller()) =>
    table.host.invocations.status(caller, { invocation_id: id, ...more });
  const share = (id: string): Promise<unknown> => start('notes/Garden#share', { with: 'sam@example.org' }, id);

  it('W-34 waits for the end, and answers at once without a wait', async () => {
    const held = start('lab#wait', { gate: 'g' }, 'w1', 60_000);
    await table.lab.gates.reached('g');
    expect(await status('w1')).toEqual({ status: 'pending', invocation_id: 'w1', path: 'lab#wait' });
    expect(await status('w1', { wait_ms: 20 })).toMatchObject({ status: 'pending' });
    const waiting = status('w1', { wait_ms: 60_000 });
    table.lab.gates.open('g');
    const answer = await held;
    expect(answer).toMatchObject({ status: 'ok', result: { passed: 'g' } });
    expect(await waiting).toEqual(answer);
    expect(await status('w1')).toEqual(answer);
  });

  it('W-34 knows only the ids of its token, at the endpoint of their workspace', async () => {
    await start('lab#count', { name: 'x' }, 'c1');
    const unknown = {
      status: 'failed',
      error: { code: 'unknown_invocation', message: 'No call of yours has the id c1.' },
    };
    const other = table.caller('Desk agent', { token: table.token('other') });
    expect(await status('c1', {}, other)).toEqual(unknown);
    expect(await status('c1', { cancel: true }, other)).toEqual(unknown);
    expect(await status('c1', {}, table.caller('Desk agent', { endpoint: 'studio' }))).toEqual(unknown);
    expect(await status('c1', {}, table.caller('Another session'))).toMatchObject({ status: 'ok', path: 'lab#count' });
    expect(await status('c1', {}, table.caller('Desk agent', { endpoint: null }))).toMatchObject({
      status: 'ok',
      path: 'home/lab#count',
      resources: ['home/lab'],
    });
  });

  it('W-34 cancels what is asked, and what was allowed and has not run', async () => {
    await share('s1');
    const cancelled = done(await status('s1', { cancel: true }));
    expect(cancelled).toMatchObject({
      status: 'failed',
      error: { code: 'cancelled', message: 'The call was cancelled by the caller.' },
      action: { id: 'share' },
    });
    await share('s2');
    await table.decide({ decision: 'allow' });
    expect(await status('s2')).toMatchObject({ status: 'pending', ask: { invocation_id: 's2' } });
    expect(await status('s2', { cancel: true })).toMatchObject({ error: { code: 'cancelled' } });
    for (const id of ['s1', 's2']) {
      expect(await share(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
      expect(runEvents(table, id)).toEqual([`started ${id}`, `cancelled ${id}`]);
    }
  });

  it('W-34 stops what runs where the app can be stopped', async () => {
    const held = start('lab#wait', { gate: 'g' }, 'w1', 60_000);
    await table.lab.gates.reached('g');
    const cancelled = await status('w1', { cancel: true });
    expect(cancelled).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(await held).toEqual(cancelled);
    // An outside action that was pre-allowed, likewise.
    table.host.registry.setPreallow('home', 'lab', 'wait-outside', true, 'Mira');
    await start('lab#wait-outside', { gate: 'h' }, 'w2');
    expect(await status('w2', { cancel: true })).toMatchObject({ error: { code: 'cancelled' } });
    expect(runEvents(table, 'w2')).toEqual(['started w2', 'cancelled w2']);
    expect(table.log).toEqual([]);
  });

  it('W-34 cancels what still waits for its turn, before it begins', async () => {
    const first = start('lab#wait-and-count', { gate: 'g', name: 'a' }, 'w1', 60_000);
    await table.lab.gates.reached('g');
    const second = start('lab#wait-and-count', { gate: 'h', name: 'b' }, 'w2', 60_000);
    await until(() => runEvents(table, 'w2').length > 0);
    const cancelled = status('w2', { cancel: true });
    table.lab.gates.open('g');
    expect(await cancelled).toMatchObject({ error: { code: 'cancelled' } });
    expect(await second).toMatchObject({ error: { code: 'cancelled' } });
    expect(await first).toMatchObject({ status: 'ok', result: 1 });
  });

  it('W-34 leaves running what cannot be stopped, and its real end stands', async () => {
    const held = start('lab#wait-stubbornly', { gate: 'g' }, 'w1', 60_000);
    await table.lab.gates.reached('g');
    expect(await status('w1', { cancel: true })).toEqual({
      status: 'pending',
      invocation_id: 'w1',
      path: 'lab#wait-stubbornly',
    });
    table.lab.gates.open('g');
    expect(await held).toMatchObject({ status: 'ok' });
  });

  it('W-34 changes nothing of what has ended', async () => {
    await start('lab#count', { name: 'x' }, 'ok');
    await start('lab#fail', {}, 'failed');
    await share('refused');
    await table.decide({ decision: 'refuse' });
    await share('cancelled');
    await status('cancelled', { cancel: true });
    await share('expired');
    table.clock.now_ms += 24 * hour;
    for (const id of ['ok', 'failed', 'refused', 'cancelled', 'expired']) {
      const answer = await status(id);
      const before = contents(table);
      expect(await status(id, { cancel: true })).toEqual(answer);
      expect(contents(table)).toEqual(before);
    }
  });

  it('never runs what was allowed, however long it waits', async () => {
    await share('s1');
    const waiting = status('s1', { wait_ms: 60 });
    await table.decide({ decision: 'allow' });
    expect(await waiting).toMatchObject({ status: 'pending', ask: { invocation_id: 's1' } });
    expect((await table.host.invocations.asks('home')).map(({ state }) => state)).toEqual(['allowed']);
  });

  it('answers at once when its caller gives up', async () => {
    await share('s1');
    const gone = new AbortController();
    const caller = table.caller('Desk agent', { signal: gone.signal });
    const waiting = status('s1', { wait_ms: 60_000 }, caller);
    gone.abort();
    expect(await waiting).toMatchObject({ status: 'pending' });
  });
});
