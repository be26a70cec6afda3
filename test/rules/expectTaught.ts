import { expect } from 'vitest';
import type { Finding } from '../../schemas/failure.ts';
import { type Call, follow, mend } from './mend.ts';

export type { Call } from './mend.ts';

/** Findings whose `expected` a host cannot follow without writing something, each with what that is. */
export const forAuthor: ReadonlyMap<string, string> = new Map([
  ['ADM-COM-08', 'another artifact: the argument names its type'],
  ['ADM-EVID-04', 'a shorter content'],
  ['ADM-COM-13', 'a shorter body'],
  ['ADM-QUALITY-10', 'an entry, where the list has none to copy'],
]);

/**
 * A refusal teaches: where the findings of a rule tell what they expect, following that ends them, and what is said
 * then, if anything, tells nothing more that could be followed (guidance section 2).
 *
 * @param judge what a server says of a call.
 */
export const expectTaught = (code: string, call: Call, judge: (call: Call) => readonly Finding[]): void => {
  const first = judge(call);
  const own = first.filter((one) => one.code === code && one.expected !== undefined);
  if (own.length === 0) return;
  if (first.some((one) => one.code === code && one.expected === undefined)) {
    // The rest is judgement; what was told is enough for its own place.
    const next = judge(mend(call, first).call).filter((one) => one.code === code);
    const places = next.map(({ path }) => path);
    expect(own.filter(({ path }) => places.includes(path))).toEqual([]);
    return;
  }
  const before = new Set(first.map((one) => one.code));
  const { authored, findings } = follow(call, judge);
  const stays = findings.filter((one) => one.code === code || !(before.has(one.code) || authored.includes(one.code)));
  if (forAuthor.has(code)) expect(stays.map((one) => one.code)).toContain(code);
  else expect(stays).toEqual([]);
};
