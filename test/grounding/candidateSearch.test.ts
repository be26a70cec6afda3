import { describe, expect, it } from 'vitest';
import { searchMilliseconds, weighCandidates } from '../../src/grounding/content/candidateSearch.ts';
import { readContentQuery } from '../../src/grounding/content/contentQuery.ts';
import type { Git } from '../../src/grounding/git/git.ts';
import { bindGit } from '../../src/grounding/git/git.ts';
import { repository, temporary } from './repository.ts';

/** The first question sets the limit, and then there is a minute more: no test depends on how busy the machine is. */
const slow = (): (() => number) => {
  let asked = 0;
  return () => (asked++ === 0 ? 0 : -60_000);
};

function gitAt(root: string): Git {
  const bound = bindGit(root, process.env);
  if (bound === null) throw new Error('There is no Git here.');
  return bound;
}

const weigh = (root: string, request: string, clock = slow()) =>
  weighCandidates(gitAt(root), readContentQuery(request), 5000, clock);

describe('the weight of a candidate', () => {
  const files = { 'a.ts': 'openGate(frozen)', 'b.ts': 'a frozen lake', 'c.ts': 'FROZEN', 'd.ts': 'nothing' };

  it('is 1 for the best, less for what more files have, and none for what has nothing', async () => {
    const weights = await weigh(repository(files), 'openGate is frozen');
    expect(weights?.get('a.ts')).toBe(1);
    expect(weights?.get('b.ts')).toBeLessThan(1);
    expect(weights?.get('c.ts')).toBe(weights?.get('b.ts'));
    expect(weights?.has('d.ts')).toBe(false);
  });

  it('is not changed by a file that has nothing of the request', async () => {
    const request = 'openGate is frozen';
    const more = await weigh(repository({ ...files, 'e.ts': 'else', 'f.ts': 'other' }), request);
    expect(more).toEqual(await weigh(repository(files), request));
  });

  it('is none where the request says nothing to search for', async () => {
    expect(await weigh(repository(files), 'fix it')).toEqual(new Map());
  });

  it('is not known where Git fails or the time is over', async () => {
    expect(await weigh(temporary(), 'openGate')).toBeNull();
    let asked = 0;
    expect(await weigh(repository(files), 'openGate', () => (asked++ === 0 ? 0 : searchMilliseconds))).toBeNull();
  });
});
