import { describe, expect, it } from 'vitest';
import { full, titles } from '../requirements/proving.ts';

const range = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `W-${String(from + index).padStart(2, '0')}`);

/** The statements of workspace-wire section 12 that this version must hold; the rest belongs to the language, `runs` and `files`. */
const wanted = [...range(1, 42), ...range(47, 49), 'W-51', ...range(57, 59)];

/** The ids that a title begins with: one test may prove two statements. */
const idsOf = (words: string): readonly string[] => (/^(?:W-\d\d )+/.exec(words)?.[0] ?? '').trim().split(' ');

describe('the tests of the wire', () => {
  const quick = titles.filter(({ file, conditional }) => file.endsWith('.test.ts') && !conditional);

  it.each(wanted)('hold one that is named %s', (id) => {
    expect(quick.some(({ path }) => path.some((words) => idsOf(words).includes(id)))).toBe(true);
  });

  it('name no statement that this version leaves out', () => {
    const named = titles.flatMap((title) => full(title).match(/\bW-\d\d(?= )/g) ?? []);
    expect(named.filter((id) => !wanted.includes(id))).toEqual([]);
  });
});
