import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankFiles } from '../../src/grounding/ranking/ranking.ts';
import { readRequest, tokensOf, withoutTerminalCodes } from '../../src/grounding/requestTerms.ts';

const rank = (paths: readonly string[], request = '', active: readonly string[] = []) =>
  rankFiles({
    files: paths.map((path) => ({ path, tracked: true })),
    request: readRequest(request),
    active: new Set(active),
  });

const scores = (paths: readonly string[], request = '', active: readonly string[] = []): Record<string, number> =>
  Object.fromEntries(rank(paths, request, active).map(({ path, score }) => [path, score]));

describe('the tokens of a text', () => {
  it.each([
    ['parseHTTPArgs', ['parse', 'httparg']],
    ['user2Name', ['user2', 'name']],
    ['apps tests', ['apps', 'test']],
    ['class status basis focus glasses', ['class', 'status', 'basis', 'focus', 'glasse']],
    ['snake_case-kebab.dot', ['snake', 'case', 'kebab', 'dot']],
    ['日本 é', []],
  ])('of %j are %j', (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });
});

describe('what a request says', () => {
  it('leaves out function words, words for the task and single letters', () => {
    expect([...readRequest('Please fix the code in a file: investigate why Timeout x fails').terms]).toEqual([
      'timeout',
      'fail',
    ]);
  });

  it('reads the paths that it spells out, whatever stands around them', () => {
    const hints = readRequest('See ./src/App.ts, (lib/x-y_z.js) and docs/guide/intro.md. Not in tests/ now.');
    expect([...hints.hints]).toEqual(['src/app.ts', 'lib/x-y_z.js', 'docs/guide/intro.md', 'tests']);
  });

  it('has no codes of a terminal between its words', () => {
    expect(withoutTerminalCodes('\u001b[31mrehash\u001b[39m \u001b[1;38;5;9mnow\u001b[0K [31m')).toBe(
      'rehash now [31m',
    );
  });

  it('takes a request of 32,768 characters that is made for slow patterns', () => {
    for (const unit of ['a', '.', '/', './', 'a/', 'a.', '-', 'aA', 's']) {
      const { terms, hints } = readRequest(unit.repeat(32_768 / unit.length));
      expect(terms.size + hints.size).toBeLessThanOrEqual(2);
    }
  });
});

describe('words with other letters', () => {
  it('are whole, whatever form a name has them in, and leave no pieces', () => {
    const request = 'Über die Größe';
    expect(scores(['src/ber.md', 'src/gro\u0308ße.md', 'größe/x', 'gr/e.md', 'über'], request)).toEqual({
      'src/gro\u0308ße.md': 250,
      über: 250,
      'größe/x': 75,
      'gr/e.md': 0,
      'src/ber.md': 0,
    });
  });
});

describe('the score of a path', () => {
  it('has the term of CI for what configures it, once', () => {
    const paths = ['.github/workflows/lint.yml', '.github/workflows/ci.yml', 'Jenkinsfile', 'lint.yml', 'docs/ci/a'];
    expect(scores(paths, 'CI is red')).toEqual({
      '.github/workflows/lint.yml': 250,
      '.github/workflows/ci.yml': 250,
      Jenkinsfile: 250,
      'docs/ci/a': 75,
      'lint.yml': 0,
    });
  });

  it('is the measured one', () => {
    const paths = [
      'AGENTS.md',
      '.cursor/rules/a.mdc',
      'src/apps/x.ts',
      'src/app.ts',
      'app/y.ts',
      'README.md',
      'package.json',
      'z',
    ];
    expect(scores(paths, 'Fix the apps in src/app.ts please', ['src/apps'])).toEqual({
      'AGENTS.md': 1_000_000,
      '.cursor/rules/a.mdc': 1_000_000,
      'src/apps/x.ts': 10_400,
      'src/app.ts': 5575,
      'app/y.ts': 325,
      'README.md': 20,
      'package.json': 20,
      z: 0,
    });
  });

  it('gives 5,000 for a hint that is a tail after a slash, and not for another end', () => {
    expect(scores(['a/lib/x.go', 'alib/x.go', 'lib/x.go'], 'lib/x.go')).toEqual({
      'a/lib/x.go': 5000 + 250 + 75,
      'alib/x.go': 250,
      'lib/x.go': 5000 + 250 + 75,
    });
  });

  it('counts a term once, in the base name before the directories', () => {
    expect(scores(['login/login.go', 'login/x.go', 'x/login.go'], 'login')).toEqual({
      'login/login.go': 250,
      'login/x.go': 75,
      'x/login.go': 250,
    });
  });

  it('gives 10,000 once to what lies above or below an active path', () => {
    const active = ['a/b', 'a', 'a/b/c.ts'];
    expect(scores(['a/b/c.ts', 'a/b/d.ts', 'a/e.ts', 'ab/f.ts', 'x'], '', active)).toEqual({
      'a/b/c.ts': 1_050_000,
      'a/b/d.ts': 10_000,
      'a/e.ts': 10_000,
      'ab/f.ts': 0,
      x: 0,
    });
    expect(scores(['a'], '', ['a/missing'])).toEqual({ a: 10_000 });
  });

  it('gives 20 to project metadata at the root only', () => {
    const metadata = [
      'Package.json',
      'pyproject.toml',
      'Cargo.toml',
      'go.mod',
      'README',
      'readme.rst',
      'tsconfig.json',
      'tsconfig.base.json',
    ];
    for (const path of metadata) expect(scores([path, `x/${path}`])).toEqual({ [path]: 20, [`x/${path}`]: 0 });
  });

  it('does not depend on the order of the listing, and ties break by code unit', () => {
    const paths = fc.uniqueArray(
      fc.constantFrom('a', 'B', 'Z/é', 'b/a.ts', 'b/A.ts', 'README.md', 'AGENTS.md', 'é', '\u{1f600}', '\uffff'),
    );
    fc.assert(
      fc.property(paths, fc.constantFrom('', 'b/a.ts', 'readme é'), (list, request) => {
        const forward = rank(list, request);
        expect(rank([...list].reverse(), request)).toEqual(forward);
        for (const [index, file] of forward.entries()) {
          const before = forward[index - 1];
          if (before === undefined) continue;
          expect(before.score > file.score || (before.score === file.score && before.path < file.path)).toBe(true);
        }
      }),
    );
  });

  it('stays an integer from 0 to 10,000,000 and its reason below 4,096 bytes', () => {
    const long = Array.from({ length: 500 }, (_, n) => `d${n}`)
      .join('/')
      .slice(0, 1024);
    const request = Array.from({ length: 400 }, (_, n) => long.slice(n * 2)).join(' ');
    for (const { score, reason } of rank([long, 'AGENTS.md'], request, [long])) {
      expect(Number.isInteger(score) && score >= 0 && score <= 10_000_000).toBe(true);
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(4096);
    }
  });
});

describe('the reason of a candidate', () => {
  it('is the first that applies', () => {
    const reasons = Object.fromEntries(
      rank(
        [
          'AGENTS.md',
          'src/active.ts',
          'lib/hint.ts',
          'x/term.ts',
          'src/near.go',
          'README.md',
          'plain.go',
          'src2/AGENTS.md',
        ],
        'look at lib/hint.ts and every term',
        ['src/active.ts', 'src'],
      ).map(({ path, reason }) => [path, reason]),
    );
    expect(reasons).toEqual({
      'AGENTS.md': 'Repository instruction for the whole repository.',
      'src/active.ts': 'Active path, named exactly.',
      'lib/hint.ts': 'The request spells out the path: lib/hint.ts.',
      'x/term.ts': 'The path matches terms of the request: ts, term.',
      'src/near.go': 'Next to an active path.',
      'README.md': 'Project metadata at the root.',
      'plain.go': 'Fallback: nothing in the path speaks for or against it.',
      'src2/AGENTS.md': 'Repository instruction for other paths.',
    });
  });
});
