import { describe, expect, it } from 'vitest';
import { lowValueByName } from '../../src/grounding/lowValue.ts';
import { spreadOverPackages } from '../../src/grounding/packages.ts';
import { tracedPaths } from '../../src/grounding/tracePaths.ts';
import { countsOf, git, groundIn, pathsOf, repository, write } from './repository.ts';

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
    'a/index.js',
    'b/index.js',
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
    ['Bar.java is not named with a line', []],
    ['version 1.2:3 and e.g. this', []],
  ])('of %j are %j', (request, expected) => {
    expect([...tracedPaths(paths, request)].sort()).toEqual([...expected].sort());
  });

  it('of a name that many files have are none', () => {
    const many = Array.from({ length: 9 }, (_, index) => `p${index}/main.go`);
    expect(tracedPaths(many, 'main.go:12').size).toBe(0);
  });

  it('are read from requests made for slow patterns', () => {
    for (const unit of ['/', 'a/', '\\', 'a.b:1 ', '.', 'x.ts:'])
      expect(tracedPaths(paths, unit.repeat(Math.floor(32_768 / unit.length))).size).toBe(0);
  });

  it('rank as high as a path that the request spells out', async () => {
    const root = repository(filesOf('src/a.ts', 'src/deep/z.ts'));
    const { wire } = await groundIn(root, { request: 'TypeError at /ci/src/deep/z.ts:9:1' }, { content });
    expect(wire.selected_sources[0]).toMatchObject({
      path: 'src/deep/z.ts',
      reason: 'A stack trace in the request names it.',
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
