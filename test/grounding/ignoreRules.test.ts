import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindGit } from '../../src/grounding/git/git.ts';
import { isIgnored, parseIgnoreRules } from '../../src/grounding/inventory/ignoreRules.ts';
import { takeInventory } from '../../src/grounding/inventory/inventory.ts';
import { type Files, git, temporary, write } from './repository.ts';

/** What the walk lists, and what Git itself lists with nothing tracked. */
async function listings(root: string): Promise<{ readonly walk: string[]; readonly byGit: string[] }> {
  const none: ReadonlySet<string> = new Set();
  const rules = { maximum: 1000, active: none, pinned: none, excludedDirectories: [] };
  const walk = await takeInventory({ root, git: null, env: {}, rules });
  const byGit = await takeInventory({ root, git: bindGit(root, process.env), env: process.env, rules });
  expect([walk.source, byGit.source]).toEqual(['filesystem', 'git']);
  return { walk: walk.files.map(({ path }) => path), byGit: byGit.files.map(({ path }) => path) };
}

/** An empty repository with these files. */
function untracked(files: Files): string {
  const root = temporary('ignore-');
  git(root, 'init', '-q', '-b', 'main');
  write(root, files);
  return root;
}

const tree = [
  'a',
  'b',
  'ab',
  'b.a',
  'é',
  'a b',
  'a ',
  '#a',
  '!a',
  'x/a',
  'x/b',
  'x/y/a',
  'x/y/z/ab',
  'y/x/a',
  'w/ab/c/b',
];
const treeFiles: Files = Object.fromEntries(tree.map((path) => [path, path]));

describe('the ignore rules of the walk', () => {
  it.each([
    ['names, directories and places', 'ab\n/b\nx/y/\n'],
    ['later rules that take back earlier ones', '*\n!*/\n!a\nx/y\n'],
    ['nothing below a directory that is ignored', 'x/\n!x/a\n'],
    ['any names in the middle, in front and behind', '**/y/a\nx/**/ab\nw/ab/**\n'],
    ['wildcards that do not cross a slash', 'x/*a\n?b\nx*\n'],
    ['one byte for a question mark', '?\n'],
    ['two bytes of a letter', '??\n'],
    ['classes', '[!a]\n[a-b].[[:alpha:]]\n[]x]\n'],
    ['classes that never end, or are not known', 'a[\n[[:no:]]\n[a\n'],
    ['backslashes', '\\#a\n\\!a\n\\a\nb\\\n'],
    ['spaces and returns at the end', 'a   \r\nb\\ \na\\ \n'],
    ['comments, empty lines and a byte-order mark', '\ufeffa\n# b\n\n   \n/\n!\n'],
    ['stars in a row', '***\n!x\n!x/***/a\n'],
    ['two stars right behind a name', 'a**/b\nx/**y**/a\n*\n!*/\n!w/a**\n'],
    ['a slash behind a backslash', 'x\\/[ab]\nw/**\\/b\n'],
    ['two stars before an escaped slash', '**\\/a\nx/**\\/b\nw/ab/**\\/**\n'],
    ['nothing behind a NUL', 'x/\0a\nb\0a\n\0\n'],
  ])('are those of Git: %s', async (_, rules) => {
    const { walk, byGit } = await listings(untracked({ ...treeFiles, '.gitignore': rules }));
    expect(walk).toEqual(byGit);
    expect(byGit.length).toBeGreaterThan(0);
  });

  it('are those of Git for any rules, in directories and beside the repository', async () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      'x',
      'y',
      'ab',
      '*',
      '**',
      '?',
      '/',
      '/',
      '!',
      '[ab]',
      '[!a]',
      '\\a',
      '\\/',
      'a**/',
      '.',
      ' ',
    );
    const line = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'));
    const root = untracked(treeFiles);
    await fc.assert(
      fc.asyncProperty(text, text, text, async (top, nested, beside) => {
        write(root, { '.gitignore': top, 'x/.gitignore': nested, '.git/info/exclude': beside });
        const { walk, byGit } = await listings(root);
        expect(walk).toEqual(byGit);
      }),
      { numRuns: 40 },
    );
  });

  it('are not read through a link, as in Git', async () => {
    const root = untracked({ a: 'a', rules: 'a\n' });
    symlinkSync('rules', join(root, '.gitignore'));
    const { walk, byGit } = await listings(root);
    expect(walk).toEqual(byGit);
    expect(walk).toContain('a');
    rmSync(join(root, '.gitignore'));
    write(root, { '.gitignore/a': 'a directory' });
    expect((await listings(root)).walk).toContain('.gitignore/a');
  });

  it('that cannot be read whole let nothing of their directory be listed', async () => {
    const root = untracked({
      'kept.ts': 'a',
      'sub/.gitignore': `${'# long\n'.repeat(200_000)}hidden.ts\n`,
      'sub/hidden.ts': 'b',
      'sub/shown.ts': 'c',
      'top/.gitignore': '# long\n'.repeat(80_000),
      'top/down/.gitignore': '# long\n'.repeat(80_000),
      'top/down/more.ts': 'd',
      'top/kept.ts': 'e',
    });
    expect((await listings(root)).walk).toEqual(['kept.ts', 'top/.gitignore', 'top/kept.ts']);
  });

  it('take no more than names times tokens, whatever the pattern', () => {
    const rules = parseIgnoreRules(`${'*a'.repeat(2000)}b\n${'**/a/'.repeat(400)}b\n`);
    const scope = { prefix: 0, rules, above: null };
    expect(isIgnored('a'.repeat(4000), false, scope)).toBe(false);
    expect(isIgnored('a/'.repeat(2000).slice(0, -1), false, scope)).toBe(false);
    expect(isIgnored(`${'a/'.repeat(2000)}b`, false, scope)).toBe(true);
  });
});
