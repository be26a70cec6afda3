import { describe, expect, it } from 'vitest';
import { faultsOf } from '../requirements/proving.ts';
import { traps } from './traps.ts';

describe('the traps', () => {
  it('have each a test that exists, named without doubt', () => {
    expect(traps.flatMap((trap) => faultsOf(trap))).toEqual([]);
  });

  it('of every kind are all there', () => {
    const range = (from: number, to: number): readonly string[] =>
      Array.from({ length: to - from + 1 }, (_, index) => `T${String(from + index).padStart(2, '0')}`);
    const wanted = range(1, 36);
    expect(wanted.filter((id) => !traps.some((trap) => trap.id === id))).toEqual([]);
  });
});
