import { describe, expect, it } from 'vitest';
import { createWaiters } from '../../../src/workspace/invocations/waiters.ts';

const key = { token: 't', id: 'a' };
const other = { token: 't', id: 'b' };
const never = new AbortController().signal;
const minute = 60_000;

/** Whether a promise is resolved by now. */
const isResolved = async (promise: Promise<void>): Promise<boolean> => {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
};

describe('a hold', () => {
  it('goes on at a wake of its invocation, and at no other', async () => {
    const waiters = createWaiters();
    const hold = waiters.hold(minute, never);
    const woken = hold.next(key);
    waiters.wake(other);
    expect(await isResolved(woken)).toBe(false);
    waiters.wake(key);
    expect(await isResolved(woken)).toBe(true);
    expect(hold.over).toBe(false);
    const again = hold.next(key);
    expect(await isResolved(again)).toBe(false);
    hold.end();
    expect(await isResolved(again)).toBe(true);
  });

  it('wakes everyone who waits for the same', async () => {
    const waiters = createWaiters();
    const holds = [1, 2, 3].map(() => waiters.hold(minute, never));
    const woken = holds.map((hold) => hold.next(key));
    waiters.wake(key);
    await Promise.all(woken);
    for (const hold of holds) hold.end();
  });

  it('is over at once without a wait, and when its time is up, though nobody left', async () => {
    const waiters = createWaiters();
    const none = waiters.hold(0, never);
    expect([none.over, none.left]).toEqual([true, false]);
    await none.next(key);
    const short = waiters.hold(5, never);
    await short.next(key);
    expect([short.over, short.left]).toEqual([true, false]);
    short.end();
  });

  it('is left when the caller gives up, before or meanwhile', async () => {
    const waiters = createWaiters();
    const gone = new AbortController();
    const hold = waiters.hold(minute, gone.signal);
    const woken = hold.next(key);
    gone.abort();
    await woken;
    expect([hold.over, hold.left]).toEqual([true, true]);
    const late = waiters.hold(minute, gone.signal);
    await late.next(key);
    expect(late.left).toBe(true);
    hold.end();
    late.end();
  });

  it('is left when the host stops, also when it begins after that', async () => {
    const waiters = createWaiters();
    const hold = waiters.hold(minute, never);
    const woken = hold.next(key);
    waiters.release();
    await woken;
    const late = waiters.hold(minute, never);
    await late.next(key);
    expect([hold.left, late.left]).toEqual([true, true]);
  });
});
