import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import { createInvocations } from '../../../src/workspace/invocations/createInvocations.ts';
import { systemIds } from '../../../src/workspace/sources.ts';
import { createTurns } from '../../../src/workspace/turns.ts';
import { done, hour, openTable, runEvents, type Table, until } from './support.ts';

describe('a host that starts after it was killed', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
    for (const action of ['send', 'send-once', 'wait-outside'])
      table.host.registry.setPreallow('home', 'lab', action, true, 'Mira');
  });
  afterEach(() => table.close());

  const call = async (of: Table, path: string, args: Record<string, unknown>, more: Partial<DoArguments> = {}) =>
    done(await of.host.invocations.do(of.caller(), { path, args, ...more }));

  it('runs again what changed nothing yet, once, with one start and one end', async () => {
    const held = call(table, 'lab#wait-and-count', { gate: 'a', name: 'x' }, { invocation_id: 'w1' });
    await table.lab.gates.reached('a');
    const after = await table.killed();
    table.lab.gates.open('a');
    const answer = await call(after, 'lab#wait-and-count', { gate: 'a', name: 'x' }, { invocation_id: 'w1' });
    expect(answer).toMatchObject({ status: 'ok', result: 1 });
    expect(runEvents(after, 'w1')).toEqual(['started w1', 'succeeded w1']);
    const { fields } = await after.host.world.read(after.caller(), { path: 'lab' });
    expect(fields.counts).toEqual({ x: 1 });
    await held;
  });

  it('repeats an effect that has a key, and the far side drops the second', async () => {
    const args = { note: 'hello', gate: 'a', hold: 'after' };
    const held = call(table, 'lab#send-once', args, { invocation_id: 'k1' });
    await table.lab.gates.reached('a');
    const after = await table.killed();
    table.lab.gates.open('a');
    expect(await call(after, 'lab#send-once', args, { invocation_id: 'k1' })).toMatchObject({ status: 'ok' });
    await held;
    expect(after.lab.far.arrived('keyed')).toEqual(['hello']);
    expect(after.lab.far.attempts()).toBe(2);
  });

  it('never repeats one that has none, and says to look first', async () => {
    const args = { note: 'hello', gate: 'a', hold: 'after' };
    const held = call(table, 'lab#send', args, { invocation_id: 'k1' });
    await table.lab.gates.reached('a');
    const after = await table.killed();
    const interrupted = await call(after, 'lab#send', args, { invocation_id: 'k1' });
    expect(interrupted).toMatchObject({
      status: 'failed',
      error: {
        code: 'interrupted',
        message: 'The host stopped while this ran; it may or may not have happened.',
        next_steps: ['tilo_read lab shows what is there before you try again with a new invocation_id'],
      },
    });
    table.lab.gates.open('a');
    await held;
    expect(after.lab.far.arrived('keyless')).toEqual(['hello']);
    expect(runEvents(after, 'k1')).toEqual(['started k1', 'failed k1']);
  });

  it('runs an edited action again with the edits', async () => {
    table.host.registry.setPreallow('home', 'lab', 'send-once', false, 'Mira');
    const args = { note: 'hello', gate: 'a', hold: 'after' };
    await call(table, 'lab#send-once', args, { invocation_id: 'k1', wait_ms: 0 });
    await table.decide({ decision: 'allow_edited', args: { ...args, note: 'edited' } });
    const held = call(table, 'lab#send-once', args, { invocation_id: 'k1' });
    await table.lab.gates.reached('a');
    const after = await table.killed();
    table.lab.gates.open('a');
    expect(await call(after, 'lab#send-once', args, { invocation_id: 'k1' })).toMatchObject({
      status: 'ok',
      result: { sent: 'edited' },
      edited_by_person: { ...args, note: 'edited' },
    });
    await held;
  });

  it('keeps asks and permissions as they were', async () => {
    const args = { with: 'sam@example.org' };
    const share = (of: Table, invocation_id: string) =>
      call(of, 'notes/Garden#share', args, { invocation_id, wait_ms: 0 });
    await share(table, 's1');
    await table.decide({ decision: 'allow' });
    await share(table, 's2');
    const asks = await table.host.invocations.asks('home');
    const after = await table.killed();
    expect(await after.host.invocations.asks('home')).toEqual(asks);
    expect(await share(after, 's1')).toMatchObject({ status: 'ok' });
    expect(await share(after, 's2')).toMatchObject({ status: 'pending' });
  });
});

describe('a host that stops', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  it('answers pending to whoever is held, and lets what runs end', async () => {
    const call = (path: string, args: Record<string, unknown>, invocation_id: string) =>
      table.host.invocations.do(table.caller(), { path, args, invocation_id, wait_ms: 60_000 });
    const asking = call('notes/Garden#share', { with: 'x' }, 's1');
    const running = call('lab#wait-stubbornly', { gate: 'a' }, 'w1');
    await table.lab.gates.reached('a');
    const following = table.host.invocations.status(table.caller(), { invocation_id: 'w1', wait_ms: 60_000 });
    const stopping = table.host.release();
    expect(await Promise.all([asking, running, following])).toMatchObject([
      { status: 'pending', ask: { invocation_id: 's1' } },
      { status: 'pending' },
      { status: 'pending' },
    ]);
    table.lab.gates.open('a');
    await stopping;
    expect(await table.host.invocations.status(table.caller(), { invocation_id: 'w1' })).toMatchObject({
      status: 'ok',
    });
  });
});

describe('a host that stops with little patience', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
    table.host.registry.setPreallow('home', 'lab', 'wait-outside', true, 'Mira');
    table.host.registry.setPreallow('home', 'lab', 'send', true, 'Mira');
  });
  afterEach(() => table.close());

  /** The same rooms with a short patience. */
  const impatient = () =>
    createInvocations({
      ...table.host,
      world: () => table.host.world,
      turns: createTurns(),
      clock: { now: () => table.clock.now_ms },
      ids: systemIds,
      address: () => 'http://127.0.0.1:4747',
      askMs: 1000,
      report: () => {},
      stopMs: 20,
    });

  it('tells what runs to stop, then leaves it; the next start decides on both', async () => {
    const invocations = impatient();
    const call = (path: string, args: Record<string, unknown>, invocation_id: string) =>
      invocations.do(table.caller(), { path, args, invocation_id, wait_ms: 60_000 });
    const held = [
      call('lab#wait', { gate: 'a' }, 'told'),
      call('lab#wait-outside', { gate: 'b' }, 'outside'),
      call('lab#wait-stubbornly', { gate: 'c' }, 'left'),
      call('lab#send', { note: 'x', gate: 'd', hold: 'after' }, 'sent'),
    ];
    await Promise.all(['a', 'b', 'c', 'd'].map((gate) => table.lab.gates.reached(gate)));
    await invocations.shutDown();
    expect(await Promise.all(held)).toMatchObject(held.map(() => ({ status: 'pending' })));
    // What stopped because the host did was not cancelled by anybody: it stays as it was.
    const states = table.host.store.db.prepare('SELECT id, state FROM invocations ORDER BY id');
    const running = ['left', 'outside', 'sent', 'told'].map((id) => ({ id, state: 'running' }));
    expect(states.all()).toEqual(running);
    // One that comes to its end after that writes nothing into what may be closed.
    table.lab.gates.open('c');
    table.lab.gates.open('d');
    await until(() => table.lab.far.arrived('keyless').length === 1);
    expect(states.all()).toEqual(running);

    table.lab.gates.open('a');
    const next = impatient();
    await next.recover();
    const status = (invocation_id: string) => next.status(table.caller(), { invocation_id, wait_ms: 60_000 });
    expect(await status('told')).toMatchObject({ status: 'ok' });
    expect(await status('left')).toMatchObject({ status: 'ok' });
    expect(await status('outside')).toMatchObject({ error: { code: 'interrupted' } });
    expect(await status('sent')).toMatchObject({ error: { code: 'interrupted' } });
    await next.shutDown();
  });

  it('starts although one invocation cannot be read, and tells of it once', async () => {
    const { store } = table.host;
    for (const id of ['bad', 'good'])
      await table.host.invocations.do(table.caller(), {
        path: 'notes/Garden#share',
        args: { with: 'x' },
        invocation_id: id,
        wait_ms: 0,
      });
    store.db.prepare(`UPDATE invocations SET state = 'dreaming' WHERE id = 'bad'`).run();
    const after = await table.killed();
    expect(await after.host.invocations.asks('home')).toMatchObject([{ state: 'asking' }]);
    store.db.prepare(`UPDATE invocations SET state = 'asking', context_json = '{}' WHERE id = 'bad'`).run();
    const later = await table.killed();
    later.clock.now_ms += 24 * hour;
    later.host.invocations.sweep();
    later.host.invocations.sweep();
    expect(later.log).toHaveLength(1);
    expect(runEvents(later, 'good')).toEqual(['started good', 'failed good']);
  });
});
