import fc from 'fast-check';
import type { Write } from '../../../src/workspace/apps/app.ts';

/** Parts of keys that sort differently by UTF-16 and by UTF-8, or end where a code point range does. */
const part = fc.constantFrom('a', 'b', '/', '0', '\0', '\u007f', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}');

export const keys = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
export const prefixes = fc.array(part, { maxLength: 2 }).map((parts) => parts.join(''));

const values = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 3,
    arbitrary: fc.oneof(fc.integer(), fc.string({ unit: 'binary' }), fc.constant({ b: 1, a: [null, { d: 1, c: 2 }] })),
  },
);

/** Writes, several to one key among them. */
export const writes: fc.Arbitrary<readonly Write[]> = fc.array(fc.record({ key: keys, value: values }), {
  maxLength: 6,
});
