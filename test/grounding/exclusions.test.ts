import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNameExclusion, excludedByName } from '../../src/grounding/inventory/exclusions.ts';

const segment = fc.constantFrom(
  ...['a', 'src', '.git', 'Dist', 'build', 'target', 'out', 'vendor', 'Bundle', 'secrets', '.docker', '.aws'],
  ...['config.json', 'CONFIG.JSON', '.env', '.env.example', 'x.key', 'id_rsa.pub', 'secret.ts', 'kubeconfig', 'b.ts'],
);
const listed = fc.record({
  path: fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/')),
  tracked: fc.boolean(),
  named: fc.boolean(),
});

describe('leaving out by name', () => {
  it('judges a file in a list as it judges the file alone, whatever came before it', () => {
    fc.assert(
      fc.property(fc.array(listed, { minLength: 1, maxLength: 12 }), (files) => {
        const inList = createNameExclusion();
        for (const { path, ...how } of files) expect(inList(path, how)).toBe(excludedByName(path, how));
      }),
      { numRuns: 2000 },
    );
  });
});
