import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, openTable, runEvents, type Table, until } from './support.ts';

describe('a database that takes nothing while actions run', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
    for (const action of ['send', 'wait-outside']) table.host.registry.setPreallow('home', 'lab', action, true, 'Mira');
  });
  afterEach(() => table.close());

  const full = (on: boolean): unknown => table.host.store.db.pragma(`query_only = ${on ? 'ON' : 'OFF'}`);
  const state = async (id: string) =>
    done(await table.host.invocations.status(table.caller(), { invocation_id: id })).status;
  const begun = (path: string, id: string, args: Record<string, unknown>) =>
    table.host.invocations.do(table.caller(), { path, args, invocation_id: id, wait_ms: 0 });

  it('refuses what is new in words, and takes the same id when it can again', async () => {
    table.caller();
    full(true);
    const refused = done(await begun('lab#count', 'n1', { name: 'x' }));
    expect(refused.error?.message).toMatch(/^The host cannot store anything now \(incident /);
    full(false);
    expect(done(await begun('lab#count', 'n1', { name: 'x' })).status).toBe('ok');
  });

  it('lets no end of a run be lost: an effect that happened is stored as done once there is room', async () => {
    await begun('lab#wait-outside', 'o1', { gate: 'door' });
    await table.lab.gates.reached('door');
    full(true);
    table.lab.gates.open('door');
    await until(() => table.log.some((line) => line.includes('readonly')));
    expect(await state('o1')).toBe('pending');
    full(false);
    await until(async () => (await state('o1')) !== 'pending');
    expect(await state('o1')).toBe('ok');
    expect(runEvents(table, 'o1')).toEqual(['started o1', 'succeeded o1']);
  });

  it('ends an undoable action that could not be stored as failed, with nothing of it applied', async () => {
    await begun('lab#wait-and-count', 'u1', { gate: 'plan', name: 'x' });
    await table.lab.gates.reached('plan');
    full(true);
    table.lab.gates.open('plan');
    await until(() => table.log.some((line) => line.includes('readonly')));
    expect(await state('u1')).toBe('pending');
    full(false);
    await until(async () => (await state('u1')) !== 'pending');
    expect(await state('u1')).toBe('failed');
    expect((await table.host.world.read(table.caller(), { path: 'lab' })).fields.counts).toEqual({});
    expect(runEvents(table, 'u1')).toEqual(['started u1', 'failed u1']);
  });
});
