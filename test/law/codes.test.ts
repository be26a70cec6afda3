import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { law, noRules } from '../../machines/law.ts';
import { schemaRules } from '../../schemas/ruleBook.ts';
import { titlesBelow } from '../requirements/titles.ts';
import { namedTestsBelow, namedTestsIn } from './namedTests.ts';

/** The gate of the law: rules and tests name each other, and no row of the admission page is left out. */

const folder = join(import.meta.dirname, '..');
const tests = namedTestsBelow(folder);
const codes = law.map(({ code }) => code);

/** How many rows each family of the admission page has; they are numbered from 01 without a gap. */
const families: Readonly<Record<string, number>> = {
  TR: 15,
  COM: 18,
  REF: 19,
  KIND: 8,
  CLR: 12,
  FRAME: 11,
  SCEN: 5,
  CONTRACT: 12,
  REVISE: 7,
  REVIEW: 5,
  PLAN: 29,
  ORDER: 8,
  EVID: 8,
  RESULT: 27,
  QUALITY: 18,
  AUDIT: 12,
  REPORT: 18,
  RECEIPT: 3,
  PACK: 3,
  ESC: 4,
  LIN: 11,
  START: 14,
  GROUND: 3,
  MCH: 11,
  INT: 10,
};

const rows = Object.entries(families).flatMap(([family, count]) =>
  Array.from({ length: count }, (_, at) => `ADM-${family}-${String(at + 1).padStart(2, '0')}`),
);

describe('the law', () => {
  it('has every row of the admission page once: as a rule, or in the list of rows that are none', () => {
    expect([...codes, ...Object.keys(noRules)].toSorted()).toEqual(rows.toSorted());
  });

  it('says of every rule what must hold, in a sentence', () => {
    for (const { code, text } of law) expect(text, code).toMatch(/^[a-zA-Z].*\.$/);
  });

  it('names every rule of the schemas once', () => {
    const named = schemaRules.map(({ code, on }) => `${code} ${on}`);
    expect(named).toEqual([...new Set(named)]);
  });
});

describe('every rule has its tests', () => {
  const verbs = (code: string) => new Set(tests.filter((test) => test.code === code).map(({ verb }) => verb));

  it.each(law.filter(({ proof }) => proof === 'both').map(({ code }) => code))(
    '%s: one that it refuses, one that it accepts',
    (code) => {
      expect([...verbs(code)]).toEqual(expect.arrayContaining(['refuses', 'accepts']));
    },
  );

  it.each(law.filter(({ proof }) => proof !== 'both').map(({ code }) => code))('%s: one of the rule itself', (code) => {
    expect(verbs(code).size).toBeGreaterThan(0);
  });
});

describe('every test that is named by a code', () => {
  it('names one that exists', () => {
    const known: readonly string[] = codes;
    expect(tests.filter(({ code }) => !known.includes(code))).toEqual([]);
  });

  it('is found by its text as by its syntax, each code anywhere in a title at least', () => {
    const titled = new Set(
      titlesBelow(folder).flatMap(({ file, path }) =>
        [...path.join(' ').matchAll(/ADM-[A-Z]+-\d+/g)].map(([code]) => `${code} ${file}`),
      ),
    );
    const found = new Set(tests.map(({ code, file }) => `${code} ${file}`));
    expect([...titled].filter((one) => !found.has(one))).toEqual([]);
  });
});

describe('the reading of tests', () => {
  const source = `
    it('CODE-01 refuses this', () => {});
    it.each(rows)('CODE-01 accepts %s', () => {});
    test(
      \`CODE-02 tells \${what}\`, () => {});
    it.skip('CODE-03 refuses nothing yet', () => {});
    refuses('CODE-04', 'what is wrong', () => {});
    pair(book, 'CODE-05', ['one', {}], ['other', {}]);
    expect(codes).toEqual(['CODE-06']);
  `.replaceAll('CODE-', 'ADM-X-');

  it('takes titles and made tests with what they show, and nothing that is switched off', () => {
    expect(namedTestsIn('a.test.ts', source).map(({ code, verb }) => `${code} ${verb}`)).toEqual([
      'ADM-X-01 refuses',
      'ADM-X-01 accepts',
      'ADM-X-02 does',
      'ADM-X-04 refuses',
      'ADM-X-05 refuses',
      'ADM-X-05 accepts',
    ]);
  });
});
