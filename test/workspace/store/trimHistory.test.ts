import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/workspace/store/store.ts';
import { trimHistory } from '../../../src/workspace/store/trimHistory.ts';
import { account, day, tokenIn } from './fixtures.ts';
import { changeRow, invocationRow } from './work.ts';

const now = 1000 * day;
const idsIn = ({ db }: Store, table: string, column: string): unknown[] =>
  db.prepare(`SELECT ${column} FROM ${table} ORDER BY ${column}`).pluck().all();

const client = { label: 'Desk', name: 'desk', version: '1', protocol: 'p' };

describe('trimming', () => {
  it('drops a step with its changes and operations 90 days after its latest change, and the state stays', () => {
    const { store } = account();
    store.write('home', 'notes', [{ key: 'a', value: 1 }]);
    const by = { connection: 'c', invocation: 'i' };
    changeRow(store, { ...by, seq: 1, step: 1, time_ms: now - 95 * day });
    changeRow(store, { ...by, seq: 2, step: 1, time_ms: now - 90 * day - 1 });
    changeRow(store, { ...by, seq: 3, step: 2, time_ms: now - 95 * day });
    changeRow(store, { ...by, seq: 4, step: 2, time_ms: now - 90 * day });
    expect(trimHistory(store, now)).toEqual({ steps: 1, invocations: 0, connections: 0 });
    expect(idsIn(store, 'steps', 'id')).toEqual([2]);
    expect(idsIn(store, 'changes', 'seq')).toEqual([3, 4]);
    expect(idsIn(store, 'ops', 'change')).toEqual([3, 4]);
    expect(store.states.of('home', 'notes').get('a')).toBe(1);
    expect(trimHistory(store, now)).toEqual({ steps: 0, invocations: 0, connections: 0 });
  });

  it('never takes part of a step, and none that changed within the days kept', () => {
    const { store } = account();
    const ages = fc.array(fc.record({ step: fc.integer({ min: 1, max: 4 }), age: fc.integer({ min: 0, max: 20 }) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(ages, fc.integer({ min: 1, max: 15 }), (changes, days) => {
        store.db.exec('DELETE FROM changes; DELETE FROM steps;');
        changes.forEach(({ step, age }, seq) => {
          changeRow(store, { connection: 'c', invocation: 'i', seq, step, time_ms: now - age * day });
        });
        trimHistory(store, now, days);
        const youngest = (step: number): number =>
          Math.min(...changes.filter((one) => one.step === step).map(({ age }) => age));
        const kept = changes.flatMap(({ step }, seq) => (youngest(step) <= days ? [seq] : []));
        expect(idsIn(store, 'changes', 'seq')).toEqual(kept);
        expect(idsIn(store, 'ops', 'change')).toEqual(kept);
        expect(idsIn(store, 'steps', 'id')).toEqual([...new Set(kept.map((seq) => changes[seq]?.step))].sort());
      }),
      { numRuns: 50 },
    );
  });

  it('keeps ended invocations as long as history, at least 30 days, and those that wait or run for ever', () => {
    const { store } = account();
    const at = (id: string, state: string, days: number): void =>
      invocationRow(store, {
        id,
        connection: 'c',
        state,
        created_ms: now - 200 * day,
        ended_ms: ['asking', 'allowed', 'running', 'cancelling'].includes(state) ? null : now - days * day,
      });
    at('ended', 'succeeded', 91);
    at('failed', 'failed', 91);
    at('refused', 'refused', 91);
    at('cancelled', 'cancelled', 91);
    at('expired', 'expired', 91);
    at('recent', 'succeeded', 89);
    at('asking', 'asking', 0);
    at('allowed', 'allowed', 0);
    at('running', 'running', 0);
    at('cancelling', 'cancelling', 0);
    expect(trimHistory(store, now).invocations).toBe(5);
    expect(idsIn(store, 'invocations', 'id')).toEqual(['allowed', 'asking', 'cancelling', 'recent', 'running']);

    at('month', 'succeeded', 29);
    at('more', 'succeeded', 31);
    expect(trimHistory(store, now, 7).invocations).toBe(2);
    expect(idsIn(store, 'invocations', 'id')).toEqual(['allowed', 'asking', 'cancelling', 'month', 'running']);
  });

  it('keeps an old invocation while a change of it is kept', () => {
    const { store } = account();
    invocationRow(store, { id: 'i1', connection: 'c', state: 'succeeded', created_ms: 0, ended_ms: now - 100 * day });
    changeRow(store, { connection: 'c', invocation: 'i1', seq: 1, step: 1, time_ms: now - 100 * day });
    changeRow(store, { connection: 'c', invocation: 'i2', seq: 2, step: 1, time_ms: now - 10 * day });
    expect(trimHistory(store, now).invocations).toBe(0);
    expect(trimHistory(store, now + 90 * day).invocations).toBe(1);
  });

  it('drops sessions that are over and left nothing behind, and no other connection', () => {
    const { store, registry, clock } = account();
    const token = tokenIn(registry);
    const governed = tokenIn(registry, { run: 'r1' });
    clock.set(now - 31 * day);
    const open = () => registry.openSession(token, 'home', client);
    const [worked, asked, ended] = [open(), open(), open()];
    open();
    const run = registry.openSession(governed, 'home', client);
    const standing = registry.defaultConnection(token, 'home');
    registry.endSession(token, 'home', ended.session);
    clock.set(now - 10 * day);
    const rested = open();
    const left = open();
    registry.endSession(token, 'home', left.session);
    changeRow(store, { connection: worked.connection.id, invocation: 'i', seq: 1, step: 1, time_ms: now });
    invocationRow(store, {
      id: 'i',
      connection: asked.connection.id,
      state: 'succeeded',
      created_ms: now,
      ended_ms: now,
    });
    expect(trimHistory(store, now).connections).toBe(2);
    const kept = [worked, asked, run, rested, left].map(({ connection }) => connection.id);
    expect(idsIn(store, 'connections', 'id')).toEqual([...kept, standing.id].sort());
  });

  it('drops codes and sessions of the page whose time is up', () => {
    const { store, registry, clock } = account();
    registry.enter(registry.createLoginCode('home'));
    registry.createLoginCode('home');
    trimHistory(store, clock.now());
    expect([idsIn(store, 'login_codes', 'digest').length, idsIn(store, 'person_sessions', 'digest').length]).toEqual([
      2, 1,
    ]);
    trimHistory(store, clock.now() + 30 * day);
    expect([idsIn(store, 'login_codes', 'digest'), idsIn(store, 'person_sessions', 'digest')]).toEqual([[], []]);
  });
});
