import { describe, expect, it } from 'vitest';
import { searchMilliseconds } from '../../src/grounding/content/candidateSearch.ts';
import { lowValueByName, speaksOfEverything } from '../../src/grounding/ranking/lowValue.ts';
import { spreadOverPackages } from '../../src/grounding/ranking/packages.ts';
import { rankRepository } from '../../src/grounding/ranking/rankRepository.ts';
import { tracedPaths } from '../../src/grounding/ranking/tracePaths.ts';
import { countsOf, git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const plain = (path: string): string => `${path}\n`;
const filesOf = (...paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, plain(path)]));
const content = false;

describe('the paths of a stack trace', () => {
  const paths = [
    'src/app.ts',
    'lib/app.ts',
    'server.js',
    'src/deep/Bar.java',
    'web/src/app.ts',
    'Makefile',
    'legal/LICENSE',
    'a/index.js',
    'b/index.js',
    'c/index.js',
    'd/index.js',
    'e/index.js',
  ];
  it.each([
    ['at run (/home/me/shop/src/app.ts:10:5)', ['src/app.ts', 'web/src/app.ts']],
    ['at run (/home/me/shop/lib/app.ts:10:5)', ['lib/app.ts']],
    ['web/src/app.ts:3 says no', ['web/src/app.ts']],
    ['crash in /srv/x/lib/app.ts', ['lib/app.ts']],
    ['C:\\shop\\lib\\app.ts:7', ['lib/app.ts']],
    ['at com.shop.Bar.run(Bar.java:42)', ['src/deep/Bar.java']],
    ['File "/app/server.js", line 3, in main', ['server.js']],
    ['/opt/other/index.js:1', []],
    ['/app/node_modules/lib/app.ts:1', []],
    ['Bar.java is named without a line', ['src/deep/Bar.java']],
    ['see app.ts', ['lib/app.ts', 'src/app.ts', 'web/src/app.ts']],
    ['index.js is one of many', []],
    ['/elsewhere/server.js without a line', []],
    ['fix Makefile and the LICENSE.', ['Makefile', 'legal/LICENSE']],
    ['fix makefile, License and LICENSE.md', []],
    ['version 1.2:3 and e.g. this', []],
    ['in server.js on line 7', ['server.js']],
    ['at Shop.Run() in server.js:line 7', ['server.js']],
    ['die at server.js line 7.', ['server.js']],
    ['[lib/app.ts:3] late', ['lib/app.ts']],
    ['https://host.example/o/shop/blob/main/lib/app.ts#L10', ['lib/app.ts']],
  ])('of %j are %j', (request, expected) => {
    expect([...tracedPaths(paths, request)].sort()).toEqual([...expected].sort());
  });

  it('hold letters of every script and brackets', () => {
    const names = ['app/[slug]/page.tsx', 'app/page.tsx', 'src/gro\u0308ße/日本.ts'];
    expect([...tracedPaths(names, '(/x/app/[slug]/page.tsx:1:2) /y/src/größe/日本.ts:3')].sort()).toEqual([
      'app/[slug]/page.tsx',
      'src/gro\u0308ße/日本.ts',
    ]);
  });

  it.each([
    ['/app/node_modules/@our/shop/lib/app.ts:1:1', ['lib/app.ts']],
    ['/app/node_modules/other/lib/app.ts:1:1', []],
    ['/app/node_modules/@our/shop/node_modules/other/lib/app.ts:1:1', []],
    ['/app/node_modules/@our/shop/deep/lib/app.ts:1:1', []],
    ['/go/pkg/mod/host.example/shop@v1.2.0/server.js:9 +0x1', ['server.js']],
    ['/go/pkg/mod/host.example/other@v1.2.0/server.js:9 +0x1', []],
    ['/usr/lib/python3/site-packages/deep/Bar.java:9', ['src/deep/Bar.java']],
    ['/usr/lib/python3/site-packages/other/deep/Bar.java:9', []],
  ])('of an installed copy, %j, are those of the project only: %j', (request, expected) => {
    expect([...tracedPaths(paths, request, ['@our/shop', 'host.example/shop'])].sort()).toEqual(expected);
  });

  it('of an installed copy are found by the name that the manifest gives', async () => {
    const root = repository({
      'package.json': '{"author":{"name":"x"},"name":"shop"}',
      'go.mod': 'module y.example/z\n',
      'lib/a.js': 'a',
    });
    const { wire } = await groundIn(root, { request: 'TypeError at /app/node_modules/shop/lib/a.js:9:1' }, { content });
    expect(wire.selected_sources[0]?.reason).toBe('The request names it, alone or in a stack trace.');
  });

  it('of a name that many files have are none', () => {
    const many = Array.from({ length: 9 }, (_, index) => `p${index}/main.go`);
    expect(tracedPaths(many, 'main.go:12').size).toBe(0);
  });

  it('are read from requests made for slow patterns', () => {
    for (const unit of ['/', 'a/', '\\', 'a.b:1 ', '.', 'x.ts:'])
      expect(tracedPaths(paths, unit.repeat(Math.floor(32_768 / unit.length))).size).toBe(0);
  });

  it('and its words are found in the colours of a terminal', async () => {
    const request = '\u001b[31mrehash\u001b[39m failed at \u001b[36mz.ts\u001b[39m:\u001b[33m9\u001b[39m';
    const { wire } = await groundIn(repository(filesOf('a.txt', 'rehash.md', 'src/z.ts')), { request }, { content });
    expect(wire.selected_sources.map(({ path, score }) => [path, score >= 250])).toEqual([
      ['src/z.ts', true],
      ['rehash.md', true],
      ['a.txt', false],
    ]);
  });

  it('rank as high as a path that the request spells out', async () => {
    const root = repository(filesOf('src/a.ts', 'src/deep/z.ts'));
    const { wire } = await groundIn(root, { request: 'TypeError at /ci/src/deep/z.ts:9:1' }, { content });
    expect(wire.selected_sources[0]).toMatchObject({
      path: 'src/deep/z.ts',
      reason: 'The request names it, alone or in a stack trace.',
    });
    expect(wire.selected_sources[0]?.score).toBeGreaterThanOrEqual(5000);
  });
});

describe('files changed since the last commit', () => {
  it('come before those that nothing speaks for, staged or not, from a root below that of Git too', async () => {
    const root = repository(filesOf('sub/a', 'sub/b', 'sub/y', 'sub/z', 'top'));
    write(root, { 'sub/z': 'changed\n', 'sub/y': 'staged\n', top: 'changed\n' });
    git(root, 'add', 'sub/y');
    const { wire } = await groundIn(`${root}/sub`, { request: 'Look' }, { content });
    expect(wire.selected_sources.map(({ path, score }) => [path, score])).toEqual([
      ['y', 100],
      ['z', 100],
      ['a', 0],
      ['b', 0],
    ]);
    expect(wire.selected_sources[0]?.reason).toBe('Changed since the last commit.');
  });

  it('are none before the first commit', async () => {
    const root = repository({});
    git(root, 'update-ref', '-d', 'HEAD');
    write(root, { a: 'a\n' });
    git(root, 'add', 'a');
    const { wire } = await groundIn(root, {}, { content });
    expect(wire.selected_sources.map(({ score }) => score)).toEqual([0]);
    expect(wire.warnings).toEqual([]);
  });
});

describe('what the attributes call generated or vendored', () => {
  const attributes = 'gen/** linguist-generated\nthird/** linguist-vendored=true\nkept/** linguist-vendored=false\n';

  it('loses nine tenths of its points, unless it is named', async () => {
    const root = repository({
      ...filesOf('gen/login.ts', 'third/login.ts', 'kept/login.ts'),
      '.gitattributes': attributes,
    });
    const scored = async (activePaths: string[]) => {
      const { wire } = await groundIn(root, { request: 'login', activePaths }, { content });
      return wire.selected_sources.filter(({ score }) => score > 0).map(({ path, score }) => [path, score]);
    };
    expect(await scored([])).toEqual([
      ['kept/login.ts', 250],
      ['gen/login.ts', 25],
      ['third/login.ts', 25],
    ]);
    expect((await scored(['gen/login.ts']))[0]).toEqual(['gen/login.ts', 1_050_250]);
  });

  it('never fills the selection', async () => {
    const root = repository({ ...filesOf('gen/a', 'gen/b', 'z/c'), '.gitattributes': attributes });
    const grounding = await groundIn(root, { request: 'Look' }, { content });
    expect(pathsOf(grounding)).toEqual(['.gitattributes', 'z/c']);
    expect(countsOf(grounding)).toEqual({ low_relevance: 2 });
  });
});

describe('lock files and minified files', () => {
  it.each([
    ['package-lock.json', true],
    ['a/Cargo.lock', true],
    ['go.sum', true],
    ['x.min.js', true],
    ['x-min.css', true],
    ['bundle.js.map', true],
    ['package.json', false],
    ['min.js', false],
    ['lock.ts', false],
    ['admin.js', false],
  ])('%s: %j', (path, expected) => {
    expect(lowValueByName(path)).toBe(expected);
  });
});

describe('in a repository of more files than are read', () => {
  const many = Object.fromEntries(
    Array.from({ length: 2100 }, (_, index) => [`a/${index}.ts`, `export const filler${index} = ${index};\n`]),
  );

  it('what Git finds is read before the rest', async () => {
    const root = repository({ ...many, 'z/late.ts': 'throw new Error("the gate is frozen");\n' });
    const request = 'We see "the gate is frozen" at night';
    let asked = 0;
    // Two questions set the limits, and then there is a minute more: a busy machine changes nothing.
    const { wire } = await groundIn(root, { request }, { clock: () => (asked++ < 2 ? 0 : -60_000) });
    expect(wire.selected_sources[0]).toMatchObject({ path: 'z/late.ts', score: 400 });
    expect(wire.warnings.filter((warning) => warning.startsWith('Git did not search'))).toEqual([]);
  });

  it('without Git those are read whose names speak for them, and then the first in order', async () => {
    const root = temporary();
    write(root, { 'z/gate.ts': 'frozen\n', 'z/late.ts': 'frozen\n' });
    // Names of nothing cost a look each.
    const names = [...Array.from({ length: 2000 }, (_, n) => `a/${n}.ts`), 'z/gate.ts', 'z/late.ts'];
    const { files, warnings } = await rankRepository({
      files: names.map((path) => ({ path, tracked: true })),
      request: 'the frozen gate',
      active: new Set(),
      changed: new Set(),
      git: null,
      reading: { root, excludedRoots: [] },
      content: true,
      clock: () => 0,
    });
    const reasons = new Map(files.map(({ path, reason }) => [path, reason]));
    expect(reasons.get('z/gate.ts')).toContain('content matches: frozen');
    expect(reasons.get('z/late.ts')).not.toContain('frozen');
    expect(warnings).toEqual([]);
  });

  it('the names must do where Git has no time to search, and one warning says so', async () => {
    const root = repository(many);
    let asked = 0;
    // The first question sets the limit of all, the second that of the search.
    const { wire } = await groundIn(
      root,
      { request: 'the frozen gate' },
      { clock: () => (asked++ < 2 ? 0 : searchMilliseconds) },
    );
    expect(wire.warnings.filter((warning) => warning.startsWith('Git did not search'))).toHaveLength(1);
    expect(wire.warnings.filter((warning) => warning.startsWith('Ranking by content'))).toEqual([]);
  });
});

describe('what tells of everything', () => {
  it('stands behind what tells of one thing, unless the request names it', async () => {
    const text = 'the frozen gate\n';
    const root = repository({ 'CHANGELOG.md': `${text}\n`, 'src/x.ts': text, 'src/y.ts': 'gate\n' });
    const scoresFor = async (request: string) => {
      const { wire } = await groundIn(root, { request });
      return Object.fromEntries(wire.selected_sources.map(({ path, score }) => [path, score]));
    };
    const { 'CHANGELOG.md': history = 0, 'src/x.ts': source } = await scoresFor('frozen gate');
    expect([history, source]).toEqual([200, 400]);
    expect((await scoresFor('frozen gate in the changelog'))['CHANGELOG.md']).toBeGreaterThan(600);
  });

  it.each([
    ['NEWS', true],
    ['docs/release-notes.md', true],
    ['a/LICENSE-MIT', true],
    ['x/__snapshots__/a.test.ts.snap', true],
    ['locale/de/app.po', true],
    ['src/news.ts', false],
    ['history.rst', true],
    ['ChangeLog', true],
    ['docs/v1.4/manual.yml', true],
    ['versioned_docs/version-2/guide.md', true],
    ['docs/manual.yml', false],
    ['api/v1.4/server.go', false],
    ['newsletter.ts', false],
    ['src/history.py', false],
    ['changeset.ts', false],
  ])('%s: %j', (path, expected) => {
    expect(speaksOfEverything(path)).toBe(expected);
  });
});

describe('workspaces', () => {
  const spread = (...paths: readonly string[]): string[] => {
    const files = paths.map((path) => ({ path }));
    return spreadOverPackages([...files].reverse(), [...files].reverse()).map(({ path }) => path);
  };

  it('share the fallback: of each package one, its manifest and README first', () => {
    expect(spread('a/a.ts', 'a/b.ts', 'a/package.json', 'b/deep/x.go', 'b/go.mod', 'b/README.md', 'c.ts')).toEqual([
      'a/package.json',
      'b/README.md',
      'c.ts',
      'a/a.ts',
      'b/go.mod',
      'a/b.ts',
      'b/deep/x.go',
    ]);
  });

  it('leave the order by code unit where there is one package', () => {
    expect(spread('b', 'a', 'package.json', 'Z/x')).toEqual(['Z/x', 'a', 'b', 'package.json']);
  });

  it('give every package a file in the fallback of a grounding', async () => {
    const packages = ['a', 'b', 'c'].flatMap((name) => [
      `${name}/package.json`,
      ...Array.from({ length: 9 }, (_, index) => `${name}/${index}.ts`),
    ]);
    const grounding = await groundIn(repository(filesOf(...packages)), { request: 'Look' }, { content });
    expect(pathsOf(grounding).filter((path) => path.endsWith('package.json'))).toEqual([
      'a/package.json',
      'b/package.json',
      'c/package.json',
    ]);
  });

  it('raise manifests and READMEs on the way from an active path to the root', async () => {
    const root = repository(
      filesOf('p/a/package.json', 'p/a/src/x.ts', 'p/b/package.json', 'p/README.md', 'p/a/notes.md'),
    );
    const { wire } = await groundIn(root, { request: 'Look', activePaths: ['p/a/src/x.ts'] }, { content });
    expect(wire.selected_sources.slice(0, 3).map(({ path, score }) => [path, score])).toEqual([
      ['p/a/src/x.ts', 1_050_000],
      ['p/README.md', 100],
      ['p/a/package.json', 100],
    ]);
    expect(wire.selected_sources.slice(3).every(({ score }) => score === 0)).toBe(true);
  });
});
