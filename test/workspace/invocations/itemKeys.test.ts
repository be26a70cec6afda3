import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createItemKeys } from '../../../src/workspace/invocations/itemKeys.ts';
import { openTable, type Table } from './support.ts';

describe('item keys', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  it('of a plan count on from the stored number, which only its commit raises', () => {
    const { store } = table.host;
    const keys = createItemKeys(store).forPlan('home', 'lab');
    expect(keys.next()).toBeNull();
    expect([keys.take(), keys.take()]).toEqual(['0001', '0002']);
    expect(keys.next()).toBe(3);
    keys.end();
    expect(store.counter('home', 'lab')).toBe(1);
    expect(createItemKeys(store).forPlan('home', 'lab').take()).toBe('0001');
  });

  it('are at least four characters of base 36 that grow when they must', () => {
    const { store } = table.host;
    store.raiseCounter('home', 'lab', Number.parseInt('zzzz', 36));
    const keys = createItemKeys(store).forPlan('home', 'lab');
    expect([keys.take(), keys.take()]).toEqual(['zzzz', '10000']);
  });

  it('of an effect and of a plan beside it are never the same', () => {
    const { store } = table.host;
    const all = createItemKeys(store);
    const plan = all.forPlan('home', 'lab');
    const effect = all.forEffect('home', 'lab');
    const taken = [plan.take(), effect(), plan.take(), effect(), effect(), plan.take()];
    expect(new Set(taken).size).toBe(taken.length);
    store.raiseCounter('home', 'lab', plan.next() ?? 0);
    plan.end();
    expect(taken).not.toContain(all.forPlan('home', 'lab').take());
    expect(taken).not.toContain(effect());
    // Another app and another workspace count for themselves.
    expect(all.forEffect('studio', 'lab')()).toBe('0001');
  });
});
