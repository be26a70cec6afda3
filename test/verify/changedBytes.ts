import fc from 'fast-check';
import { expect } from 'vitest';
import { verifyBundle } from '../../src/controller/verifyBundle.ts';

/** Makes one byte of a bundle another, so many times, and asks each time that the file is named. */
export const changeBytes = (bytes: Buffer, changes: number): void => {
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(bytes);
      changed[at] = ((changed[at] ?? 0) + by) % 256;
      expect(verifyBundle(changed).differences.map(({ kind }) => kind)).toContain('file');
    }),
    { numRuns: changes },
  );
};
