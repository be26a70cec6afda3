import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContentQuery } from '../../src/grounding/content/contentQuery.ts';
import { contentMilliseconds, rankContents } from '../../src/grounding/content/contentRanking.ts';
import { textCounter } from '../../src/grounding/content/contentScan.ts';
import { tokensOf } from '../../src/grounding/requestTerms.ts';
import { git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const still = (): number => 0;

const rank = (root: string, paths: readonly string[], request: string, clock = still, readers = 4) =>
  rankContents({ paths, request, reading: { root, excludedRoots: [] }, clock, readers });

async function scoresIn(root: string, paths: readonly string[], request: string, readers = 4) {
  const ranking = await rank(root, paths, request, still, readers);
  if (!ranking.complete) throw new Error('the clock stands still');
  return ranking.scores;
}

const letters = `abcdefghijkl${'mnopqrstuvwx'}8203574619`;

describe('what a request may have seen in contents', () => {
  it.each([
    ['It says "Cannot open the socket" and dies', ['cannot open the socket']],
    ["doesn't work, can't tell why, 'lost the lock' is logged", ['lost the lock']],
    [
      'parseHttpArgs, snake_case_name, a.b.config and Foo::bar',
      ['parsehttpargs', 'snake_case_name', 'a.b.config', 'foo::bar'],
    ],
    ['plain words. And a sentence.', []],
    [
      'Error: unexpected token 42 while reading headers',
      ['unexpected token 42 while reading headers', 'unexpected token', 'while reading headers'],
    ],
    ['gate: error (at <stdin>:1): Cannot lift bar 12 "now"', ['cannot lift bar 12 "now"', 'cannot lift bar']],
    [
      'GateKeeper#openAll and api.gate_keeper()',
      ['gatekeeper#openall', 'gatekeeper', 'openall', 'api.gate_keeper', 'gate_keeper'],
    ],
    ['„das Tor klemmt“, «la porte», 「門が開かない」', ['das tor klemmt', 'la porte', '門が開かない']],
    [
      'error: a-1.0-x_64.pkg is no package for this gate. Print why',
      ['a-1.0-x_64.pkg is no package for this gate. print why', 'is no package for this gate', 'print why', 'x_64.pkg'],
    ],
    ['it says ACCESS DENIED FOR USER and USE HTTP', ['access denied for user']],
    ['use "timeout" here', []],
    ['the header "Authorization: Bearer abcdefgh12345" leaks', []],
  ])('of %j is %j', (request, phrases) => {
    expect(readContentQuery(request).phrases).toEqual(phrases);
  });

  it('leaves out what only speaks a language, and takes words of other alphabets whole', () => {
    const { terms, words } = readContentQuery(
      'Wenn der Schlüssel fehlt, wird 設定ファイルを readConfig で読む: ошибка',
    );
    expect(terms).toEqual(['fehlt', 'read', 'config']);
    expect(words).toEqual(['schlüssel', '設定', 'ファイル', 'ошибка']);
  });

  it.each([
    [`token ghp_${letters} in the client`, 'ghp'],
    [`the DB_PASSWORD="Xk29${letters}" is not read`, 'xk29'],
    [`set accessToken: string = 'Xk29${letters}' there`, 'xk29'],
    [`postgres://gate:${letters}@host/db does not connect`, '@'],
    [`it has\n-----BEGIN ${'PRIVATE KEY'}-----\n${letters}\n-----END ${'PRIVATE KEY'}-----\nin it`, 'begin'],
  ])('has nothing of a credential: %j', (request, start) => {
    const all = JSON.stringify(readContentQuery(`openGate fails: ${request} of shutGate`)).toLowerCase();
    expect(all).not.toContain('8203574619');
    expect(all).not.toContain(start);
    // What stands around it is looked for.
    expect(all).toContain('opengate');
    expect(all).toContain('shutgate');
  });

  it('keeps the name that a credential was given to', () => {
    expect(readContentQuery(`the DB_PASSWORD="Xk29${letters}" is not read`).phrases).toEqual(['db_password']);
  });

  it('is bounded for requests made for slow patterns', () => {
    const units = [
      '"',
      "'",
      '`a',
      'aB',
      'a_',
      'a.',
      'error:',
      'error(',
      '"ab cd" ',
      'x::',
      '->',
      '“',
      '「',
      '„a',
      '«',
      'é',
      'の門',
      'й ',
      '\u0301',
    ];
    for (const unit of units) {
      const {
        phrases,
        terms,
        words = [],
        pairs = [],
      } = readContentQuery(unit.repeat(Math.floor(32_768 / unit.length)));
      expect(phrases.length).toBeLessThanOrEqual(24);
      expect(terms.length).toBeLessThanOrEqual(256);
      expect(words.length).toBeLessThanOrEqual(16);
      expect(pairs.length).toBeLessThanOrEqual(256);
    }
  });
});

describe('the count of terms in a text', () => {
  it('is that of the tokens of the text, for every text', () => {
    const piece = fc.constantFrom(
      'parse',
      'Args',
      'args',
      'ARGS',
      'HTTP',
      'class',
      'x',
      '9',
      '_',
      ' ',
      'é',
      's',
      'status',
    );
    const terms = ['parse', 'args', 'arg', 'http', 'class', 'x9', 'statuss', 'status', 'httpargs'];
    const count = textCounter({ phrases: [], terms });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const tokens = tokensOf(text);
        const { counts, length } = count(text);
        expect(length).toBe(tokens.length);
        for (const [position, term] of terms.entries())
          expect(counts.get(position) ?? 0).toBe(tokens.filter((token) => token === term).length);
      }),
    );
  });

  it('finds phrases whatever their case, and not inside of longer words', () => {
    const count = textCounter({ phrases: ['open the', '"x"'], terms: [] });
    expect([...count('Open THE door; reopen the; open theory; open the').counts]).toEqual([[0, 2]]);
    expect([...count('a"x"b').counts]).toEqual([[1, 1]]);
  });

  it('finds phrases and words of any script', () => {
    const count = textCounter({ phrases: ['門が開かない', 'tor klemmt'], terms: [], words: ['schlüssel', '設定'] });
    expect([...count('// 門が開かない, SCHLÜSSEL').counts]).toEqual([
      [0, 1],
      [2, 1],
    ]);
    expect(count('plain').counts.size).toBe(0);
  });

  it('counts other forms of a term as the term, and terms side by side however they are written', () => {
    const query = readContentQuery('a dry run of the watcher was watched');
    const named = (text: string): Record<string, number> => {
      const needles = [...query.phrases, ...query.terms, ...(query.pairs ?? []).map((pair) => pair.join('+'))];
      return Object.fromEntries([...textCounter(query)(text).counts].map(([at, count]) => [needles[at], count]));
    };
    expect(query.terms).toEqual(['dry', 'run', 'watcher', 'watched']);
    expect(named('dryRun DRY_RUN --dry-run; dry, a run')).toEqual({ dry: 4, run: 4, '0+1': 3 });
    expect(named('watching a watch')).toEqual({ watched: 2 });
  });
});

describe('ranking by content', () => {
  const files = {
    'a.ts': 'throw new Failure("The gate is locked by another");\n',
    'b.ts': 'gate();\nlocked();\nanother();\n',
    'c.ts': 'gate\n',
    'd.ts': 'nothing of it\n',
  };
  const paths = Object.keys(files);
  const request = 'I get "the gate is locked by another" at night';

  it('puts the file with the quoted string before those with its words, with 400 for the best', async () => {
    const scores = await scoresIn(repository(files), paths, request);
    expect([...scores.keys()]).toEqual(['a.ts', 'b.ts', 'c.ts']);
    const [a, b, c] = ['a.ts', 'b.ts', 'c.ts'].map((path) => scores.get(path)?.points ?? 0);
    expect(a).toBe(400);
    expect(b).toBeGreaterThan(c ?? 0);
    expect(a).toBeGreaterThan(b ?? 0);
    expect(scores.get('a.ts')?.matches[0]).toBe('"the gate is locked by another"');
  });

  it('reads 2,000 candidates and no more: the first in the order that is given', async () => {
    const root = temporary();
    write(root, { last: 'the gate\n' });
    // Names of nothing cost a look each.
    const missing = (count: number): string[] => Array.from({ length: count }, (_, n) => `missing${n}`);
    expect([...(await scoresIn(root, [...missing(1999), 'last'], 'gate')).keys()]).toEqual(['last']);
    expect([...(await scoresIn(root, [...missing(2000), 'last'], 'gate')).keys()]).toEqual([]);
  });

  it('reads nothing when the request says nothing', async () => {
    expect(await scoresIn('/nonexistent', ['a'], 'please fix the code')).toEqual(new Map());
  });

  it('never scores what would be excluded: secret, binary, too large, linked out', async () => {
    const outside = temporary();
    write(outside, { 'x.ts': 'gate\n' });
    const root = repository({
      'secret.ts': `gate\nconst key = "${'AKIA'}ABCDEFGHIJKLMNOP";\n`,
      'binary.ts': 'gate\0',
      'large.ts': `gate ${'x'.repeat(131_072)}`,
      'fine.ts': 'gate\n',
    });
    git(root, 'config', 'core.symlinks', 'true');
    const { symlinkSync } = await import('node:fs');
    symlinkSync(join(outside, 'x.ts'), join(root, 'link.ts'));
    expect(existsSync(join(root, 'link.ts'))).toBe(true);
    const scores = await scoresIn(root, ['secret.ts', 'binary.ts', 'large.ts', 'link.ts', 'fine.ts'], 'the gate');
    expect([...scores.keys()]).toEqual(['fine.ts']);
  });

  it('gives the same with one reader and many, and no file without a match changes a score', async () => {
    const root = temporary();
    const word = fc.constantFrom('gate', 'lock', 'other', 'The gate', 'openGate', 'x');
    const texts = fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(20), async (contents, strangers) => {
        const given = contents.map((words, index) => [`f${index}`, words.join('\n')] as const);
        const others = Array.from(
          { length: strangers },
          (_, index) => [`z${index}`, 'nothing here\n'.repeat(index)] as const,
        );
        write(root, Object.fromEntries([...given, ...others]));
        const names = given.map(([path]) => path);
        const query = 'openGate: "the gate" lock';
        const one = await scoresIn(root, names, query, 1);
        expect(await scoresIn(root, [...names, ...others.map(([path]) => path)], query, 8)).toEqual(one);
        for (const { points } of one.values())
          expect(Number.isInteger(points) && points >= 1 && points <= 400).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('drops everything when the time is over in the middle', async () => {
    const root = repository(files);
    let asked = 0;
    // The first question sets the limit, the third comes after the second file.
    const clock = (): number => (asked++ < 2 ? 0 : contentMilliseconds);
    expect(await rank(root, paths, request, clock, 1)).toEqual({ complete: false });
  });
});

describe('a grounding by content', () => {
  const files = {
    'src/alpha.ts': 'export const a = 1;\n',
    'src/beta.ts': 'throw new Error("socket hang up in pool");\n',
    'src/gamma.ts': 'export const c = 1;\n',
    'package-lock.json': '{"socket": "hang up in pool"}\n',
  };
  const input = { request: 'We see "socket hang up in pool" every hour' };

  it('finds the file that holds the message, says what matched, and takes nothing from lock files', async () => {
    const { wire } = await groundIn(repository(files), input);
    expect(wire.selected_sources[0]).toMatchObject({ path: 'src/beta.ts', score: 400 });
    expect(wire.selected_sources[0]?.reason).toMatch(/^The content matches: "socket hang up in pool", /);
    expect(wire.selected_sources.find(({ path }) => path === 'package-lock.json')?.score).toBe(0);
  });

  it('adds the evidence to the reason of the path', async () => {
    const { wire } = await groundIn(repository(files), { request: 'the pool in beta' });
    expect(wire.selected_sources[0]).toMatchObject({
      path: 'src/beta.ts',
      score: 650,
      reason: 'The path matches terms of the request: beta; content matches: pool.',
    });
  });

  it('falls back to the names with one warning when the clock runs out, as if contents were not asked', async () => {
    const root = repository(files);
    let now = 0;
    const late = await groundIn(root, input, { clock: () => (now += contentMilliseconds) });
    const names = await groundIn(root, input, { content: false });
    const warnings = late.wire.warnings.filter((warning) => warning.startsWith('Ranking by content'));
    expect(warnings).toHaveLength(1);
    expect({ ...late.wire, warnings: names.wire.warnings }).toEqual(names.wire);
    expect(pathsOf(late)[0]).not.toBe('src/beta.ts');
  });

  it('is the same bytes with one reader and with eight, and over two runs', async () => {
    const root = repository(files);
    const one = await groundIn(root, input, { readers: 1 });
    expect(await groundIn(root, input, { readers: 8 })).toEqual(one);
    expect(JSON.stringify(await groundIn(root, input))).toBe(JSON.stringify(one));
  });
});
