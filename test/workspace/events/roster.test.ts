import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Presence } from '../../../schemas/wire/answers.ts';
import type { RosterKeeper } from '../../../src/workspace/events/log.ts';
import { createRoster } from '../../../src/workspace/events/roster.ts';
import { systemClock } from '../../../src/workspace/sources.ts';
import { type Bench, callerOf, openBench } from '../history/bench.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const open = (bench: Bench = openBench()): { bench: Bench; roster: RosterKeeper } => ({
  bench,
  roster: createRoster({ store: bench.store, events: bench.events, clock: systemClock }),
});

/** What the log was told of who is here, oldest first. */
const told = ({ events }: Bench, workspace = 'home'): readonly (readonly Presence[])[] =>
  events
    .after(0, 1000)
    .filter((event) => event.kind === 'presence' && event.workspace === workspace)
    .map(({ body }) => body.here as readonly Presence[]);

const names = (rosters: readonly (readonly Presence[])[]): string[][] =>
  rosters.map((here) => here.map(({ name }) => name));

const titled = (title: string): Parameters<typeof callerOf>[1] => ({ run: { id: 'r', title } });

describe('the roster', () => {
  it('W-39 an agent that went silent is gone after 90 s also when the clock was set back meanwhile', () => {
    const { bench, roster } = open();
    roster.called(callerOf(bench.connect('Desk agent')), 'home')();
    vi.advanceTimersByTime(300);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(92_000);
    expect(names(told(bench))).toEqual([['Desk agent'], []]);
    roster.stop();
  });

  it('W-39 presence is told when somebody joins, is called by another run, or leaves', () => {
    const { bench, roster } = open();
    const desk = bench.connect('Desk agent');
    roster.called(callerOf(desk), 'home')();
    vi.advanceTimersByTime(299);
    expect(told(bench)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told(bench)).toEqual([[{ who: `agent:${desk.id}`, name: 'Desk agent', kind: 'agent' }]]);

    const leave = roster.personHere('home', { id: 'mira', name: 'Mira' });
    roster.called(callerOf(desk, titled('Plan the move')), 'home')();
    vi.advanceTimersByTime(300);
    expect(told(bench).at(-1)).toEqual([
      { who: 'person:mira', name: 'Mira', kind: 'person' },
      { who: `agent:${desk.id}`, name: 'Plan the move', kind: 'agent' },
    ]);
    // A bare step has no title.
    roster.called(callerOf(desk, { step: 'x' }), 'home')();
    vi.advanceTimersByTime(300);
    leave();
    leave();
    roster.left(desk.id);
    vi.advanceTimersByTime(300);
    expect(names(told(bench))).toEqual([['Desk agent'], ['Mira', 'Plan the move'], ['Mira', 'Desk agent'], []]);
    roster.stop();
  });

  it('W-39 presence is not told again while it stays the same, and once for what changes together', () => {
    const { bench, roster } = open();
    const desk = bench.connect('Desk agent');
    for (let count = 1; count <= 20; count += 1) {
      roster.called(callerOf(desk), 'home')();
      vi.advanceTimersByTime(100);
      // Calls that change nothing put nothing off.
      expect(told(bench)).toHaveLength(count < 3 ? 0 : 1);
    }
    expect(names(told(bench))).toEqual([['Desk agent']]);
    roster.personHere('home', { id: 'mira', name: 'Mira' })();
    vi.advanceTimersByTime(1000);
    expect(told(bench)).toHaveLength(1);
    // Titles that keep changing are told all the same, within a second.
    for (let count = 0; count < 10; count += 1) {
      roster.called(callerOf(desk, titled(`Run ${count}`)), 'home')();
      vi.advanceTimersByTime(100);
    }
    expect(told(bench).length).toBeGreaterThan(1);
    expect(told(bench).length).toBeLessThan(6);
    roster.stop();
  });

  it('W-39 presence of an agent lasts 90 seconds beyond its last call, however long that is held', () => {
    const { bench, roster } = open();
    const desk = bench.connect('Desk agent');
    const here = (): string[] => roster.here('home').map(({ name }) => name);
    const end = roster.called(callerOf(desk), 'home');
    vi.advanceTimersByTime(200_000);
    expect(here()).toEqual(['Desk agent']);
    end();
    vi.advanceTimersByTime(89_999);
    expect(here()).toEqual(['Desk agent']);
    vi.advanceTimersByTime(1);
    expect(here()).toEqual([]);
    vi.advanceTimersByTime(1300);
    expect(names(told(bench))).toEqual([['Desk agent'], []]);
    roster.stop();
  });

  it('W-39 presence is of one workspace, at its endpoint alone, and the last of an answer', async () => {
    const { bench, roster } = open();
    const desk = bench.connect('Desk agent');
    const account = bench.connect('Clerk', { endpoint: null });
    const studio = bench.connect('Painter', { endpoint: 'studio' });
    roster.called(callerOf(desk), 'home')();
    vi.advanceTimersByTime(300);
    roster.called(callerOf(account), 'home')();
    roster.called(callerOf(studio), 'studio')();
    vi.advanceTimersByTime(300);
    expect(names(told(bench))).toEqual([['Desk agent'], ['Desk agent', 'Clerk']]);
    expect(names(told(bench, 'studio'))).toEqual([['Painter']]);
    const look = async (connection: typeof desk): Promise<unknown[]> =>
      (await bench.watch.watch(callerOf(connection), { cursor: 'c0', wait_ms: 0 })).events;
    expect(await look(desk)).toEqual([{ kind: 'presence', here: told(bench).at(-1) }]);
    expect(await look(studio)).toEqual([{ kind: 'presence', here: told(bench, 'studio').at(-1) }]);
    expect(await look(account)).toEqual([]);
    roster.stop();
  });

  it('counts a person once over several pages, and compares with what the last process told', () => {
    const { bench, roster } = open();
    const first = roster.personHere('home', { id: 'mira', name: 'Mira' });
    const second = roster.personHere('home', { id: 'mira', name: 'Mira' });
    first();
    expect(roster.here('home')).toHaveLength(1);
    vi.advanceTimersByTime(300);
    second();
    expect(roster.here('home')).toEqual([]);
    roster.stop();
    vi.advanceTimersByTime(300);
    expect(names(told(bench))).toEqual([['Mira']]);

    const after = open(bench.reopen());
    after.roster.personHere('home', { id: 'mira', name: 'Mira' });
    vi.advanceTimersByTime(300);
    expect(told(after.bench)).toHaveLength(1);
    after.roster.left('nobody');
    after.roster.stop();
  });
});

describe('asks in the log', () => {
  it('W-39 asks are for the page alone: no watch tells them', async () => {
    const { bench, roster } = open();
    roster.stop();
    const desk = bench.connect('Desk agent');
    bench.store.transaction(() =>
      bench.events.append({
        workspace: 'home',
        connection: desk.id,
        kind: 'ask',
        ref: null,
        body: () => ({ kind: 'ask', ask: 'k41v' }),
        time_ms: 1,
      }),
    );
    const answer = await bench.watch.watch(callerOf(desk), { cursor: 'c0', wait_ms: 0 });
    expect(answer).toEqual({ events: [], cursor: 'c1' });
  });
});
