import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHeldCalls } from '../../../src/workspace/http/heldCalls.ts';
import { type Admitted, createMeter } from '../../../src/workspace/http/meter.ts';

const stays = (): AbortSignal => new AbortController().signal;

const place = (admitted: Admitted): (() => void) => {
  if (!admitted.ok) throw new Error(admitted.why);
  return admitted.done;
};

describe('how much one token may ask', () => {
  test('a call beyond those that may be held is refused, until one of them ends', async () => {
    const meter = createMeter({ heldCalls: 2, callsPerSecond: 100, patience: 0 });
    const first = place(await meter.admit('a', stays()));
    place(await meter.admit('a', stays()));
    expect(await meter.admit('a', stays())).toEqual({ ok: false, why: 'too many held' });
    expect((await meter.admit('b', stays())).ok).toBe(true);
    first();
    first();
    place(await meter.admit('a', stays()));
    expect((await meter.admit('a', stays())).ok).toBe(false);
  });

  test('a burst of short calls passes one after the other, in order', async () => {
    const meter = createMeter({ heldCalls: 1, callsPerSecond: 100, patience: 60_000 });
    const order: number[] = [];
    const calls = Array.from({ length: 20 }, async (_, index) => {
      const done = place(await meter.admit('a', stays()));
      order.push(index);
      await Promise.resolve();
      done();
    });
    await Promise.all(calls);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('a caller who leaves while waiting takes no place', async () => {
    const meter = createMeter({ heldCalls: 1, callsPerSecond: 100, patience: 60_000 });
    const done = place(await meter.admit('a', stays()));
    const leaving = new AbortController();
    const waiting = meter.admit('a', leaving.signal);
    const next = meter.admit('a', stays());
    leaving.abort();
    expect(await waiting).toEqual({ ok: false, why: 'given up' });
    done();
    expect((await next).ok).toBe(true);
    const gone = AbortSignal.abort();
    expect(await meter.admit('a', gone)).toEqual({ ok: false, why: 'given up' });
  });

  test('never more than so many calls pass in any second, and a refused one does not count', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }), async (gaps) => {
        let now = 0;
        const meter = createMeter({ heldCalls: 1000, callsPerSecond: 5, patience: 0 }, () => now);
        const passed: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const room = passed.filter((time) => time > now - 1000).length < 5;
          const admitted = await meter.admit('a', stays());
          expect(admitted.ok).toBe(room);
          if (admitted.ok) passed.push(now);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('calls that are held', () => {
  test('are cancelled by their connection and id, whatever the id is', () => {
    const held = createHeldCalls();
    const cancelled: string[] = [];
    for (const [connection, id] of [
      ['a', 0],
      ['a', '0'],
      ['a', ''],
      ['b', 0],
    ] as const)
      held.hold(connection, id, () => void cancelled.push(`${connection} ${JSON.stringify(id)}`));
    held.cancel('a', 0);
    held.cancel('a', '');
    held.cancel('c', 0);
    expect(cancelled).toEqual(['a 0', 'a ""']);
  });

  test('are not cancelled on a guess when two have the same id, and can be once one has ended', () => {
    const held = createHeldCalls();
    const cancelled: number[] = [];
    const end = held.hold('a', 1, () => void cancelled.push(1));
    held.hold('a', 1, () => void cancelled.push(2));
    held.cancel('a', 1);
    expect(cancelled).toEqual([]);
    end();
    held.cancel('a', 1);
    expect(cancelled).toEqual([2]);
  });
});
