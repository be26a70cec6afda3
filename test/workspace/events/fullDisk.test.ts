import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRoster } from '../../../src/workspace/events/roster.ts';
import { systemClock } from '../../../src/workspace/sources.ts';
import { callerOf, openBench } from '../history/bench.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a roster that cannot be stored ends no process, is reported once and told when the log takes it', () => {
  const bench = openBench();
  const log: string[] = [];
  const roster = createRoster({ store: bench.store, events: bench.events, clock: systemClock }, (line) => {
    log.push(line);
  });
  const told = (): number => bench.events.after(0, 100).filter(({ kind }) => kind === 'presence').length;
  const desk = callerOf(bench.connect('Desk agent'));
  bench.store.db.pragma('query_only = ON');
  roster.called(desk, 'home');
  // What a timer throws would end the process; here it would come out of this call.
  vi.advanceTimersByTime(10_000);
  expect(log).toHaveLength(1);
  expect(told()).toBe(0);
  bench.store.db.pragma('query_only = OFF');
  vi.advanceTimersByTime(2000);
  expect(told()).toBe(1);
  expect(log).toHaveLength(1);
  roster.stop();
});
