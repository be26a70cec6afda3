import { describe, expect, it } from 'vitest';
import { faultsOf, full, proving, titles } from './requirements/proving.ts';
import { issues } from './requirements/requirement.ts';
import { type Title, titlesIn } from './requirements/titles.ts';
import { requirements } from './requirements.ts';

/** The gate: requirements and tests name each other, and what is listed as missing is missing (style 3). */

/** The requirements that a title says it proves: `[API-014]` at its end. */
const tagsOf = (title: Title): readonly string[] =>
  [...full(title).matchAll(/\[(API-\d{3})\]/g)].flatMap(([, id]) => (id === undefined ? [] : [id]));

describe('the requirements', () => {
  it('have an id of their own, in rising order', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id) => !/^API-\d{3}$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids).toEqual(ids.toSorted());
  });

  it('have each a proof or a gap', () => {
    expect(requirements.filter(({ proofs, gap }) => proofs.length === 0 && !gap).map(({ id }) => id)).toEqual([]);
  });

  it('are proved by tests that exist, each named without doubt', () => {
    expect(requirements.flatMap((one) => faultsOf(one))).toEqual([]);
  });

  it('leave nothing to an issue that nobody knows', () => {
    const known: readonly string[] = issues;
    const unknown = requirements.filter(({ gap }) => gap && !known.includes(gap.issue)).map(({ id }) => id);
    expect(unknown).toEqual([]);
  });

  it('are those that tagged tests say they prove, and the tests that they name', () => {
    const wrong = titles.flatMap((title) =>
      tagsOf(title).flatMap((tag) => {
        const named = requirements.find(({ id }) => id === tag);
        if (!named) return [`${full(title)}: there is no ${tag}`];
        return named.proofs.some((proof) => proving(proof).includes(title))
          ? []
          : [`${tag} does not name ${full(title)}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('are named by every test of their own folder', () => {
    const own = titles.filter(({ file }) => file.startsWith('requirements/'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((title) => tagsOf(title).length === 0).map(full)).toEqual([]);
    // And only by those that prove it: a proof from this folder carries the tag.
    const untagged = requirements.flatMap(({ id, proofs }) =>
      proofs
        .filter((proof) => proof.startsWith('requirements/'))
        .flatMap((proof) => proving(proof).filter((title) => !tagsOf(title).includes(id)))
        .map((title) => `${id} is not named by ${full(title)}`),
    );
    expect(untagged).toEqual([]);
  });
});

describe('a known gap', () => {
  const probes = requirements.flatMap(({ id, gap }) => (gap?.probe ? [{ id, probe: gap.probe }] : []));

  it('really is one, wherever a probe can tell', async () => {
    const closed: string[] = [];
    for (const { id, probe } of probes) if (await probe()) closed.push(id);
    expect(closed).toEqual([]);
  });
});

describe('the gate', () => {
  const source = `
    describe('a group', () => {
      it('does this', () => {});
      it.each(rows)('takes %s', () => {});
      for (const name of names) it(\`is \${name} twice\`, () => {});
      it.skip('is switched off', () => {});
      it.runIf(here)('runs somewhere', () => {});
    });
    refuses('R-1', 'what is wrong', () => {});
    pair(book, 'R-2', ['one thing', {}], ['another', {}]);
    text('it', 'no test');
  `;
  const sample = titlesIn('room/sample.test.ts', source);

  it('reads titles from literals, templates by their fixed parts, and no test that is switched off', () => {
    expect(sample.map(full)).toEqual([
      'a group > does this',
      'a group > takes %s',
      'a group > is … twice',
      'a group > runs somewhere',
      'R-1 refuses what is wrong',
      'R-2 refuses one thing',
      'R-2 accepts another',
    ]);
  });

  it('refuses a proof without a test, with two tests, and proofs that may all be skipped', () => {
    const faults = (...proofs: readonly string[]) => faultsOf({ id: 'X', proofs }, sample);
    expect(faults('room/sample.test.ts > does this', 'room/sample.test.ts > a group')).toEqual([]);
    expect(faults('room/sample.test.ts > is switched off')).toHaveLength(2);
    expect(faults('room/other.test.ts > does this')).toHaveLength(2);
    expect(faults('room/sample.test.ts > R-2')).toEqual(['X: 2 tests are called room/sample.test.ts > R-2']);
    expect(faults('room/sample.test.ts > runs somewhere')).toEqual(['X: every proof of it may be skipped']);
    expect(faults('room/sample.test.ts > runs somewhere', 'room/sample.test.ts > does this')).toEqual([]);
  });

  it('tells a command that is there from one that is missing, so that a probe can fail', async () => {
    const { hasCommand, hasFile } = await import('./requirements/probes.ts');
    expect(await hasCommand('status')()).toBe(true);
    expect(await hasCommand('no-such-command')()).toBe(false);
    expect(await hasFile('README.md')()).toBe(true);
    expect(await hasFile('no-such-file')()).toBe(false);
  });
});
