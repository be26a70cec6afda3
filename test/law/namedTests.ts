import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a test shows of a rule: that it refuses, that it accepts, or how it behaves. */
export type Verb = 'refuses' | 'accepts' | 'does';

/** A test that is named by the code of a rule. */
export interface NamedTest {
  readonly code: string;
  readonly verb: Verb;
  /** Path under `test/`, with `/`. */
  readonly file: string;
}

/**
 * A test whose title begins with a code: `it('ADM-TR-02 refuses …')`, `it.each(rows)('ADM-…')`. Also what the rooms of the rules make from a code:
 * `refuses('ADM-…', …)`, `accepts('ADM-…', …)`, `pair(book, 'ADM-…', …)` and `damaged('ADM-…', …)`, the last two both tests
 * at once. A test that is switched off (`skip`, `todo`) is none.
 */
const named =
  /(?:\b(?:it|test)(?<off>(?:\.\w+)*)\(|\)\(|\b(?<made>refuses|accepts|damaged)\(|\b(?<pair>pair)\(\s*\w+,)\s*['"`](?<code>ADM-[A-Z]+-\d+)\b(?<title>[^'"`]*)/g;

const verbsOf = (made: string | undefined, title: string): readonly Verb[] => {
  if (made === 'pair' || made === 'damaged') return ['refuses', 'accepts'];
  const word = made ?? title.trim().split(/\W/, 1)[0];
  return [word === 'refuses' || word === 'accepts' ? word : 'does'];
};

/** The named tests of one source text. */
export const namedTestsIn = (file: string, source: string): readonly NamedTest[] =>
  [...source.matchAll(named)].flatMap(({ groups = {} }) => {
    const { off = '', made, pair, code, title = '' } = groups;
    if (code === undefined || /\.(?:skip|todo)\b/.test(off)) return [];
    return verbsOf(made ?? pair, title).map((verb) => ({ code, verb, file }));
  });

/** The named tests of every `*.test.ts` below a folder, in the order of files. */
export const namedTestsBelow = (folder: string): readonly NamedTest[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .flatMap((path) => namedTestsIn(path, readFileSync(join(folder, path), 'utf8')));
