import { describe, expect, it } from 'vitest';
import { allSettings, provable, repositoryOfPrograms } from './namedPrograms.ts';
import { groundIn, pathsOf } from './repository.ts';

describe('a repository whose configuration names a program of its own in each of fourteen settings (T25)', () => {
  it('is grounded without any of them, each of which a plain command runs', async () => {
    const { root, ran, runPlainly } = repositoryOfPrograms(allSettings);
    const grounding = await groundIn(root, { request: 'Where is a exported?' });
    expect(grounding.wire.inventory_source).toBe('git');
    expect([...pathsOf(grounding)].sort()).toEqual(['.gitattributes', 'a.ts', 'b.ts', 'c.ts']);
    expect(grounding.wire.warnings).toEqual([]);
    expect(ran()).toEqual([]);
    // So that this test can fail for each of them.
    for (const setting of provable(allSettings)) {
      runPlainly(setting);
      expect(ran()).toContain(setting);
    }
  });
});
