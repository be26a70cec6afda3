import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canonicalJson } from '../../../schemas/canonical.ts';
import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import type { Action } from '../../../src/workspace/apps/app.ts';
import { action, defineApp, kind, put } from '../../../src/workspace/apps/defineApp.ts';
import type { Caller } from '../../../src/workspace/caller.ts';
import { contents, done, openTable, runEvents, type Table, until } from './support.ts';

describe('an action that runs', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
    for (const action of ['send', 'send-once', 'send-and-count', 'throw-outside', 'wait-outside'])
      table.host.registry.setPreallow('home', 'lab', action, true, 'Mira');
  });
  afterEach(() => table.close());

  const call = async (
    path: string,
    args: Record<string, unknown> = {},
    more: Partial<DoArguments> = {},
    caller: Caller = table.caller(),
  ) => done(await table.host.invocations.do(caller, { path, args, ...more }));
  const counts = async () => (await table.host.world.read(table.caller(), { path: 'lab' })).fields.counts;

  it('stores its operations, history, events and end in one commit', async () => {
    const { db } = table.host.store;
    db.exec(`CREATE TEMP TRIGGER torn BEFORE INSERT ON events WHEN json_extract(NEW.body, '$.phase') = 'succeeded'
             BEGIN SELECT RAISE(ABORT, 'torn'); END`);
    const before = contents(table);
    const failed = await call('lab#count', { name: 'x' }, { invocation_id: 'c1' });
    db.exec('DROP TRIGGER torn');
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'failed' } });
    expect(runEvents(table, 'c1')).toEqual(['started c1', 'failed c1']);
    const { docs, changes, ops, steps, counters } = contents(table);
    expect({ docs, changes, ops, steps, counters }).toEqual({
      docs: before.docs,
      changes: before.changes,
      ops: before.ops,
      steps: before.steps,
      counters: before.counters,
    });
  });

  it("ends with the app's own code where the app fails it, with next steps printed for the caller", async () => {
    expect(await call('lab#fail')).toMatchObject({
      status: 'failed',
      error: { code: 'lab_closed', message: 'The lab is closed today.', next_steps: ['tilo_read lab shows when'] },
      action: { id: 'fail' },
    });
    const account = table.caller('Desk agent', { endpoint: null });
    const there = await call('home/lab#fail', {}, {}, account);
    expect(there.error?.next_steps).toEqual(['tilo_read home/lab shows when']);
    expect(table.log).toEqual([]);
  });

  it.each(['lab#throw', 'lab#throw-outside', 'lab#change-while-reading', 'lab#write-elsewhere'])(
    'ends failed when the app breaks, with no word of it on the wire and a line in the log: %s',
    async (path) => {
      const failed = await call(path);
      expect(failed.error).toEqual({ code: 'failed', message: 'The app could not do that.' });
      expect(table.log).toHaveLength(1);
      expect(table.log[0]).toMatch(/^incident [0-9a-z]{12}: /);
    },
  );

  it('plans changes one after the other in a workspace, each on what the one before left', async () => {
    const many = Array.from({ length: 12 }, () => call('lab#count', { name: 'x' }));
    expect((await Promise.all(many)).map(({ result }) => result)).toEqual(many.map((_, index) => index + 1));
    expect(await counts()).toEqual({ x: 12 });
  });

  it('reads and reaches outside without holding up what changes beside it', async () => {
    const slow = [
      call('lab#wait', { gate: 'a' }, { wait_ms: 60_000 }),
      call('lab#wait-outside', { gate: 'b' }, { wait_ms: 60_000 }),
    ];
    await Promise.all([table.lab.gates.reached('a'), table.lab.gates.reached('b')]);
    expect(await call('lab#count', { name: 'x' })).toMatchObject({ status: 'ok' });
    table.lab.gates.open('a');
    table.lab.gates.open('b');
    expect(await Promise.all(slow)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });

  it('makes the operations of an effect on the state after it, and records them', async () => {
    const slow = call('lab#send-and-count', { note: 'n', gate: 'a' }, { wait_ms: 60_000 });
    await table.lab.gates.reached('a');
    await call('lab#count', { name: 'sent' });
    table.lab.gates.open('a');
    expect(await slow).toMatchObject({ status: 'ok', resources: ['lab'] });
    expect(await counts()).toEqual({ sent: 2 });
    // Its operations are taken back, its effect is not.
    const undone = await call('lab#undo');
    expect(undone).toMatchObject({ status: 'ok', result: { steps: 1, not_undone: ['lab#send-and-count'] } });
    expect(await counts()).toEqual({ sent: 1 });
  });

  it('answers pending when it runs longer than the call waits, and the answer of a short one at once', async () => {
    expect(await call('lab#count', { name: 'x' }, { wait_ms: 0 })).toMatchObject({ status: 'ok' });
    const pending = await call('lab#wait', { gate: 'a' }, { wait_ms: 0, invocation_id: 'w1' });
    expect(pending).toEqual({ status: 'pending', invocation_id: 'w1', path: 'lab#wait' });
    table.lab.gates.open('a');
    expect(await call('lab#wait', { gate: 'a' }, { invocation_id: 'w1' })).toMatchObject({ status: 'ok' });
  });

  it('is still the one it was admitted for when names change before its turn', async () => {
    const first = call('lab#wait-and-count', { gate: 'a', name: 'x' }, { wait_ms: 60_000 });
    await table.lab.gates.reached('a');
    const second = call('notes/Garden#rename', { title: 'Orchard' });
    const third = call('notes/Garden#append-paragraph', { text: 'Net the berries' }, { invocation_id: 'n1' });
    const fourth = call('notes/House move#rename', { title: 'Garden' });
    await until(() => runEvents(table).length === 4);
    table.lab.gates.open('a');
    expect(await Promise.all([first, second, third, fourth])).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'ok', path: 'notes/Garden#append-paragraph', resources: ['notes/Orchard'] },
      { status: 'ok' },
    ]);
  });

  it('fails when what it was admitted for is gone before its turn', async () => {
    const first = call('lab#wait-and-count', { gate: 'a', name: 'x' }, { wait_ms: 60_000 });
    await table.lab.gates.reached('a');
    const second = call('notes/Garden/a102#remove-block');
    const third = call('notes/Garden/a102#edit-block', { text: 'x' });
    await until(() => runEvents(table).length === 3);
    table.lab.gates.open('a');
    expect(await Promise.all([first, second, third])).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'failed', error: { code: 'unknown_path' }, action: { id: 'edit-block' } },
    ]);
  });

  it('brings the same key to the far side at each attempt, and another one for another invocation', async () => {
    await call('lab#send-once', { note: 'a' }, { invocation_id: 'k1' });
    await call('lab#send-once', { note: 'b' }, { invocation_id: 'k2' });
    const other = table.caller('Desk agent', { token: table.token('other') });
    await call('lab#send-once', { note: 'c' }, { invocation_id: 'k1' }, other);
    expect([...table.lab.far.arrived('keyed')].sort()).toEqual(['a', 'b', 'c']);
  });

  it('publishes a copy that only its owner reads, signed by the host', async () => {
    table.host.registry.setPreallow('home', 'notes.Page', 'share', true, 'Mira');
    for (const link of ['notes-share-1', 'notes-share-2'])
      expect(await call('notes/Garden#share', { with: 'sam@example.org' })).toMatchObject({ result: { link } });
    const { directory, key } = table.host.store;
    const file = join(directory, 'shares', 'notes-share-2.json');
    expect(statSync(file).mode & 0o777).toBe(0o400);
    expect(statSync(join(directory, 'shares')).mode & 0o777).toBe(0o700);
    const { signature, ...copy } = JSON.parse(readFileSync(file, 'utf8'));
    expect(copy).toMatchObject({ link: 'notes-share-2', workspace: 'home', app: 'notes', resource: 'notes/0a01' });
    expect(signature).toBe(createHmac('sha256', key).update(canonicalJson(copy)).digest('hex'));
  });

  it('takes a path among its arguments as its endpoint writes it, of its own workspace only', async () => {
    const account = table.caller('Desk agent', { endpoint: null });
    const take = (resource: string, caller: Caller, path = 'lab#everything') => call(path, { resource }, {}, caller);
    expect(await take('notes/Garden', table.caller())).toMatchObject({ result: { resource: 'notes/Garden' } });
    expect(await take('home/notes/Garden', account, 'home/lab#everything')).toMatchObject({
      result: { resource: 'notes/Garden' },
    });
    expect(await take('studio/notes/Garden', account, 'home/lab#everything')).toMatchObject({
      error: { code: 'invalid_arguments' },
    });
  });

  it('is taken back whole when it was nothing but operations, though it reached outside', async () => {
    table.host.registry.setPreallow('home', 'notes.Page', 'delete', true, 'Mira');
    const before = contents(table).docs;
    expect(await call('notes/Garden#delete')).toMatchObject({ status: 'ok' });
    const undone = await call('notes#undo');
    expect(undone).toMatchObject({ status: 'ok', result: { steps: 1 } });
    expect(undone.result).not.toHaveProperty('not_undone');
    expect(contents(table).docs).toEqual(before);
  });

  it('runs as nothing else than it was admitted as, when its app changes what it is', async () => {
    let sent = 0;
    const turn = action({
      id: 'turn',
      label: 'Turn',
      kind: 'undoable',
      params: {},
      plan: () => ({ ops: [put('turned', true)] }),
    });
    const turned: Action = {
      id: 'turn',
      label: 'Turn',
      kind: 'outside',
      params: {},
      effect: () => {
        sent += 1;
        return {};
      },
    };
    const coat = defineApp({
      id: 'attic',
      label: 'Coat',
      state: 'running',
      version: 1,
      root: { name: 'coat', kind: 'attic' },
      history: true,
      kinds: {
        attic: kind({
          fields: z.object({}),
          lists: {},
          noun: 'coat',
          nouns: 'coats',
          children: () => ({}),
          read: () => ({ fields: {}, children: {} }),
          find: ({ label }) => ({ label, content: '', action: null }),
          actions: (resource) => [resource.get('turned') === true ? turned : turn],
        }),
      },
    });
    const other = await table.killed([coat]);
    const both = ['t1', 't2'].map((invocation_id) =>
      other.host.invocations.do(other.caller(), { path: 'attic#turn', invocation_id }),
    );
    expect(await Promise.all(both)).toMatchObject([
      { status: 'ok' },
      { status: 'failed', error: { code: 'unknown_action' } },
    ]);
    expect(sent).toBe(0);
  });

  it('never gives an item key twice, whatever runs beside it', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => call('lab#add-item', { name: `i${index}` })),
    );
    const keys = made.map(({ resources }) => resources?.[0]);
    expect(new Set(keys).size).toBe(8);
    await call('lab#undo');
    expect(keys).not.toContain((await call('lab#add-item', { name: 'again' })).resources?.[0]);
  });
});
