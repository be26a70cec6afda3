import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesHolding, mostHolding } from '../../src/grounding/content/contentSearch.ts';
import { bindGit, type Git } from '../../src/grounding/git/git.ts';
import { git, repository, temporary, write } from './repository.ts';

function gitAt(root: string): Git {
  const bound = bindGit(root, process.env);
  if (bound === null) throw new Error('There is no Git here.');
  return bound;
}

const found = async (root: string, ...texts: string[]): Promise<string[] | null> => {
  const paths = await filesHolding(gitAt(root), texts, 10_000);
  return paths === null || paths === 'many' ? null : [...paths].sort();
};

it('finds every file that holds one of the texts, whatever its case and its name', async () => {
  const root = repository({ 'a.ts': 'the Jitter grows', 'ü "q"\n.ts': 'x = BACK.off', 'c.ts': 'nothing' });
  write(root, { 'new.ts': 'const jitterFactor = 1;', '.gitignore': 'ignored.ts\n', 'ignored.ts': 'jitter' });
  expect(await found(root, 'jitter', 'back.off')).toEqual(['a.ts', 'new.ts', 'ü "q"\n.ts']);
  expect(await found(root, 'back+off')).toEqual([]);
  expect(await found(root)).toEqual([]);
});

it('takes texts that look like options or patterns as texts', async () => {
  const root = repository({ a: 'use --open-files-in-pager=x', b: '\\(', c: '-e' });
  expect(await found(root, '--open-files-in-pager=x')).toEqual(['a']);
  expect(await found(root, '\\(')).toEqual(['b']);
  expect(await found(root, '-e')).toEqual(['c']);
});

it('names paths from its root, also below the top level, whatever the configuration wants', async () => {
  const root = repository({ 'sub/a.ts': 'jitter', 'other/b.ts': 'jitter' });
  for (const [key, value] of [
    ['grep.fullName', 'true'],
    ['color.grep', 'always'],
    ['color.ui', 'always'],
    ['grep.lineNumber', 'true'],
    ['grep.patternType', 'perl'],
    ['grep.fallbackToNoIndex', 'true'],
  ] as const)
    git(root, 'config', key, value);
  expect(await found(join(root, 'sub'), 'jitter')).toEqual(['a.ts']);
});

it('opens no link, binary file, submodule or ignored directory', async () => {
  const outside = temporary();
  write(outside, { 'secret.txt': 'jitter', 'deep/more.txt': 'jitter' });
  const root = repository({ binary: 'jitter\0', a: 'a' });
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link'));
  symlinkSync(join(outside, 'deep'), join(root, 'linked'));
  git(root, 'add', '-A');
  mkdirSync(join(root, 'inner'));
  repository({ 'x.txt': 'jitter' }, join(root, 'inner'));
  expect(await found(root, 'jitter')).toEqual([]);
});

it('reads nothing of a file whose name says that it holds no text', async () => {
  const root = repository({
    'sub/a.ts': 'jitter',
    'sub/deep/b.bin': 'jitter',
    'sub/C.ISO': 'jitter',
    'sub/bin': 'jitter',
  });
  write(root, { 'sub/new.MP4': 'jitter', 'sub/[x]/y.ts': 'jitter', 'sub/[x]/y.zip': 'jitter' });
  expect(await found(join(root, 'sub'), 'jitter')).toEqual(['[x]/y.ts', 'a.ts', 'bin']);
  expect(await found(join(root, 'sub/[x]'), 'jitter')).toEqual(['y.ts']);
});

it('runs no program that attributes and configuration name', async () => {
  const root = repository({ '.gitattributes': '* diff=evil filter=evil\n', a: 'jitter' });
  const mark = join(temporary(), 'ran');
  for (const key of ['diff.evil.textconv', 'diff.evil.command', 'filter.evil.clean', 'core.fsmonitor', 'core.pager'])
    git(root, 'config', key, `touch '${mark}'; cat`);
  const ran = (): boolean => {
    try {
      rmSync(mark);
      return true;
    } catch {
      return false;
    }
  };
  ran();
  expect(await found(root, 'jitter')).toEqual(['a']);
  expect(ran()).toBe(false);
  git(root, 'grep', '--textconv', 'jitter');
  expect(ran()).toBe(true);
});

it('gives nothing where Git cannot tell or has no time', async () => {
  expect(await found(temporary(), 'jitter')).toBeNull();
  const root = repository({ a: 'jitter' });
  expect(await filesHolding(gitAt(root), ['jitter'], 1)).toBeNull();
});

it('tells no file of a text that too many hold', async () => {
  const root = repository({ rare: 'jitter' });
  const names = Array.from({ length: mostHolding }, (_, index) => `f${index}`);
  write(root, Object.fromEntries(names.map((name) => [name, 'common'])));
  const all = await filesHolding(gitAt(root), ['common'], 10_000);
  expect(all === 'many' || all === null ? all : all.size).toBe(mostHolding);
  write(root, { more: 'common' });
  expect(await filesHolding(gitAt(root), ['common'], 10_000)).toBe('many');
  expect(await found(root, 'jitter')).toEqual(['rare']);
});
