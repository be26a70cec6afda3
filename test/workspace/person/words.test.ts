import { describe, expect, it } from 'vitest';
import type { Ask, AskState } from '../../../schemas/wire/person.ts';
import { createAskBook } from '../../../src/workspace/person/page/askBook.ts';
import { sameJson } from '../../../src/workspace/person/page/sameJson.ts';
import { absolute, ago, dayName, left } from '../../../src/workspace/person/page/times.ts';
import { announcement, outcomeOf, reachOf, tooLate } from '../../../src/workspace/person/page/words.ts';

const ask = (more: Partial<Ask> = {}): Ask => ({
  id: 'k41v',
  state: 'asking',
  version: 1,
  by: 'Desk agent',
  path: 'lab#send',
  app: 'lab',
  action: { id: 'send', label: 'Send', kind: 'outside', destroys: false, params: [] },
  resource: 'Lab',
  args: {},
  can_always: true,
  created_ms: 1000,
  announced: 1,
  ...more,
});

describe('the words of the page', () => {
  it('say how far an action reaches', () => {
    expect(reachOf({ kind: 'outside', destroys: false })).toContain('outside this workspace');
    expect(reachOf({ kind: 'outside', destroys: true })).toContain('Takes something away');
  });

  it('say what became of an ask, and by whom', () => {
    const decided = { decided_by: 'Mira', decided_ms: 2000 };
    expect(outcomeOf(ask({ state: 'allowed', ...decided }))).toBe(
      'Mira allowed it. It runs when Desk agent calls again.',
    );
    expect(outcomeOf(ask({ state: 'succeeded', ...decided, edited: {} }))).toBe(
      'Mira changed and allowed it. It is done.',
    );
    expect(outcomeOf(ask({ state: 'refused', ...decided }))).toBe('Mira refused it.');
    expect(outcomeOf(ask({ state: 'expired' }))).toContain('Nobody decided in time');
    expect(outcomeOf(ask({ state: 'expired', ...decided }))).toContain('not called again in time');
  });

  it('say why a decision came too late', () => {
    const late = (state: AskState, more: Partial<Ask> = {}): string => tooLate(ask({ state, ...more }));
    expect(late('refused', { decided_by: 'Mira' })).toBe('Another window decided first: Mira refused it.');
    expect(late('cancelled')).toBe('Desk agent withdrew it before you decided.');
    expect(late('expired')).toBe('Its time ran out before you decided.');
    expect(late('asking')).toContain('anew');
  });

  it('hold nothing of an agent that turns text around', () => {
    const tricky = ask({ by: 'a\u202eb', resource: 'c\u2066d', state: 'cancelled' });
    for (const words of [announcement(tricky, true), outcomeOf(tricky), tooLate(tricky)])
      expect(words).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });
});

describe('the times of the page', () => {
  const noon = new Date(2026, 4, 12, 12, 0).getTime();
  const minute = 60_000;
  const hour = 60 * minute;

  it('are told as a span and as a clock', () => {
    expect(ago(noon - 59_000, noon)).toBe('just now');
    expect(ago(noon + minute, noon)).toBe('just now');
    expect(ago(noon - minute, noon)).toBe('1 minute ago');
    expect(ago(noon - 119 * minute, noon)).toBe('1 hour ago');
    expect(ago(noon - 50 * hour, noon)).toBe('2 days ago');
    expect(left(noon + 24 * hour - 1000, noon)).toBe('24 hours');
    expect(left(noon + 1000, noon)).toBe('less than a minute');
    expect(absolute(noon - hour, noon)).toBe('11:00');
    expect(absolute(noon - 13 * hour, noon)).toBe('yesterday 23:00');
    expect(absolute(noon + 22 * hour, noon)).toBe('tomorrow 10:00');
    expect(absolute(noon - 72 * hour, noon)).toContain('May');
    expect(dayName(noon, noon)).toBe('Today');
    expect(dayName(noon - 24 * hour, noon)).toBe('Yesterday');
  });
});

describe('the asks that the page knows', () => {
  it('never go back to what was before, in whatever order they are told', () => {
    const book = createAskBook();
    expect(book.put(ask())).toBe('new');
    expect(book.put(ask({ announced: 2 }))).toBe('announced');
    expect(book.put(ask())).toBe('same');
    expect(book.get('k41v')?.announced).toBe(2);
    expect(book.put(ask({ version: 2, state: 'refused', announced: 2 }))).toBe('moved');
    expect(book.put(ask({ announced: 3 }))).toBe('same');
    expect(book.get('k41v')?.state).toBe('refused');
  });

  it('wait in the order in which they came', () => {
    const book = createAskBook();
    book.put(ask({ id: 'b', created_ms: 2 }));
    book.put(ask({ id: 'a', created_ms: 1 }));
    book.put(ask({ id: 'c', state: 'allowed' }));
    book.put(ask({ id: 'd', state: 'refused' }));
    expect(book.waiting().map(({ id }) => id)).toEqual(['a', 'b']);
    expect(book.unused().map(({ id }) => id)).toEqual(['c']);
    expect(book.past().map(({ id }) => id)).toEqual(['d']);
  });
});

describe('whether the person changed an argument', () => {
  it('does not hang on the order of keys', () => {
    expect(sameJson({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
    expect(sameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(sameJson(undefined, undefined)).toBe(true);
    expect(sameJson(undefined, null)).toBe(false);
  });
});
