import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkTree } from '../../src/grounding/git/fingerprint.ts';
import { bindGit } from '../../src/grounding/git/git.ts';
import { findPlace } from '../../src/grounding/git/place.ts';
import { countsOf, git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const noPrograms = { env: { PATH: '' } };
/** Git, and the walk: what is never grounded is never grounded by either. */
const ways = [
  ['by Git', {}],
  ['by the walk', noPrograms],
] as const;

describe('work trees', () => {
  it('made by "git worktree add" are grounded like the first, and not entered from above', async () => {
    const root = repository({ a: 'a', 'deep/b': 'b' });
    const beside = join(temporary(), 'beside');
    git(root, 'worktree', 'add', '-q', '-b', 'two', beside);
    git(root, 'worktree', 'add', '-q', '-b', 'three', join(root, 'trees/three'));
    const grounding = await groundIn(beside);
    expect(grounding.wire.inventory_source).toBe('git');
    expect(pathsOf(grounding)).toEqual(['a', 'deep/b']);
    expect(grounding.wire.warnings).toEqual([]);
    expect(pathsOf(await groundIn(join(root, 'trees/three')))).toEqual(['a', 'deep/b']);
    const above = await groundIn(root);
    expect(pathsOf(above)).toEqual(['a', 'deep/b']);
    expect(countsOf(above)).toEqual({ non_regular_file: 1 });
  });

  it('of a submodule are grounded when they are the root', async () => {
    const inner = repository({ i: 'inner' });
    const root = repository({ a: 'a' });
    git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'module');
    const grounding = await groundIn(join(root, 'module'));
    expect(grounding.wire.inventory_source).toBe('git');
    expect(pathsOf(grounding)).toEqual(['i']);
  });

  it('that the configuration puts elsewhere name nothing of that place', async () => {
    const other = temporary();
    write(other, { outside: 'o', both: 'outside' });
    const root = repository({ a: 'a', both: 'inside' });
    git(root, 'config', 'core.worktree', other);
    const grounding = await groundIn(root);
    expect(grounding.wire.inventory_source).toBe('filesystem');
    expect(grounding.wire.warnings[0]).toContain('the configuration puts the work tree elsewhere');
    expect(pathsOf(grounding)).toEqual(['a', 'both']);
    expect(grounding.documents.map(({ content }) => content)).toEqual(['a', 'inside']);
    expect(grounding.wire.budget.candidate_files).toBe(2);
  });
});

describe('a sparse checkout', () => {
  it('leaves its absent files out of the candidates, says how many, and keeps a marked file that is there', async () => {
    const root = repository({ 'in/a': 'a', 'out/b': 'b', 'out/deep/c': 'c', 'out/d': 'd', marked: 'm', top: 't' });
    git(root, 'sparse-checkout', 'set', 'in');
    git(root, 'update-index', '--skip-worktree', 'marked');
    write(root, { marked: 'changed here alone' });
    const grounding = await groundIn(root);
    expect(pathsOf(grounding).sort()).toEqual(['in/a', 'marked', 'top']);
    expect(countsOf(grounding)).toEqual({});
    expect(grounding.wire.budget.candidate_files).toBe(3);
    expect(grounding.wire.warnings).toEqual(['The sparse checkout leaves tracked files out of the work tree: 3.']);
    const named = await groundIn(root, { activePaths: ['out/b'] });
    expect(countsOf(named)).toEqual({ unreadable_file: 1 });
  });

  it('by patterns may leave one file of a directory out', async () => {
    const root = repository({ 'd/a': 'a', 'd/b': 'b', 'd/c/e': 'e', 'd/f': 'f' });
    git(root, 'sparse-checkout', 'set', '--no-cone', '/d/a', '/d/f');
    const grounding = await groundIn(root);
    expect(pathsOf(grounding)).toEqual(['d/a', 'd/f']);
    expect(grounding.wire.warnings).toEqual(['The sparse checkout leaves tracked files out of the work tree: 2.']);
  });
});

describe('the directory of Git', () => {
  it.each(ways)(
    'is never grounded, whatever it is called: a bare repository in the work tree (%s)',
    async (_, options) => {
      const root = repository({ a: 'a', 'HEAD/x': 'not of Git', 'refs/y': 'nor of Git' });
      git(root, 'init', '-q', '--bare', 'vendor/lib.git');
      write(root, { 'vendor/lib.git/config': '[remote "o"]\n\turl = https://host/with-a-token\n' });
      const activePaths = ['vendor/lib.git/config', 'vendor/lib.git/description'];
      for (const input of [{}, { activePaths }]) {
        const grounding = await groundIn(
          root,
          { budget: { max_files: 256 }, request: 'config HEAD', ...input },
          options,
        );
        expect(pathsOf(grounding).sort()).toEqual(['HEAD/x', 'a', 'refs/y']);
      }
      git(root, 'add', '-f', 'vendor');
      expect(pathsOf(await groundIn(root, { activePaths }, options)).sort()).toEqual(['HEAD/x', 'a', 'refs/y']);
    },
  );

  it.each(ways)('is never grounded where a .git file or link points to it (%s)', async (_, options) => {
    const root = repository({ a: 'a' });
    renameSync(join(root, '.git'), join(root, 'elsewhere'));
    const activePaths = ['.git', 'elsewhere/config', 'elsewhere/logs/HEAD', '.git/config', 'sub/.git', 'way'];
    write(root, { '.git': 'gitdir: elsewhere\n', 'sub/.git': 'gitdir: ../elsewhere\n' });
    symlinkSync('elsewhere/config', join(root, 'way'));
    expect(pathsOf(await groundIn(root, { request: 'config', activePaths }, options))).toEqual(['a']);
    rmSync(join(root, '.git'));
    symlinkSync('elsewhere', join(root, '.git'));
    const linked = await groundIn(root, { request: 'config', activePaths }, options);
    expect(pathsOf(linked)).toEqual(['a']);
    expect(JSON.stringify(linked.wire)).not.toContain('elsewhere');
  });

  it('is refused as a root under any name', async () => {
    const root = repository({ a: 'a' });
    git(root, 'init', '-q', '--bare', 'lib.git');
    for (const place of ['lib.git', 'lib.git/refs', '.git', '.git/refs']) {
      await expect(groundIn(join(root, place)), place).rejects.toMatchObject({ code: 'repository_not_configured' });
    }
  });
});

describe('files in every state', () => {
  it('are grounded as they are on disk', async () => {
    const root = repository({
      '.gitignore': 'ignored\n',
      bom: '\ufeffwith a mark',
      crlf: 'a\r\nb\r\n',
      deleted: 'd',
      dirty: 'before',
      empty: '',
      executable: '#!/bin/sh\n',
      'long-line': 'x'.repeat(100_000),
      'old-name': 'renamed',
      removed: 'r',
    });
    chmodSync(join(root, 'executable'), 0o755);
    git(root, 'mv', 'old-name', 'new-name');
    git(root, 'rm', '-q', '--cached', 'removed');
    rmSync(join(root, 'deleted'));
    write(root, { dirty: 'after', ignored: 'i', intended: 'to add', untracked: 'u' });
    git(root, 'add', '-N', 'intended');
    const grounding = await groundIn(root, { request: 'bom crlf empty executable long line name removed untracked' });
    const contents = grounding.documents.map(({ repositoryRef, content }) => [repositoryRef.slice(7), content]);
    expect(Object.fromEntries(contents)).toEqual({
      '.gitignore': 'ignored\n',
      bom: '\ufeffwith a mark',
      crlf: 'a\r\nb\r\n',
      dirty: 'after',
      empty: '',
      executable: '#!/bin/sh\n',
      intended: 'to add',
      'long-line': 'x'.repeat(100_000),
      'new-name': 'renamed',
      removed: 'r',
      untracked: 'u',
    });
    expect(countsOf(grounding)).toEqual({ unreadable_file: 1 });
    expect(grounding.wire.inventory_source).toBe('git');
  });

  it('that are links are read inside and counted outside', async () => {
    const outside = temporary();
    write(outside, { file: 'outside', 'dir/file': 'outside' });
    const root = repository({ a: 'a', 'd/b': 'b' });
    for (const [name, target] of [
      ['in', 'a'],
      ['in-directory', 'd'],
      ['leaves', join(outside, 'file')],
      ['leaves-directory', join(outside, 'dir')],
      ['dangling', 'nowhere'],
      ['circle', 'circle'],
    ] as const) {
      symlinkSync(target, join(root, name));
    }
    for (const [, options] of ways) {
      const grounding = await groundIn(root, {}, options);
      // A link and its target are one file: the first in order stands for both.
      expect(grounding.documents.map(({ content }) => content)).toEqual(['a', 'b']);
      expect(countsOf(grounding)).toEqual({
        duplicate_content: 1,
        non_regular_file: 1,
        symlink_escape: 2,
        unreadable_file: 2,
      });
    }
  });

  it('that Git LFS holds, or that are in UTF-16, are counted and told', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`;
    const root = repository({
      'big.psd': pointer,
      'film.mp4': pointer.replace('12345', '54321'),
      'about-lfs.md': `${pointer}\n${'This is a text about pointers. '.repeat(50)}`,
      'little.txt': Buffer.from('\ufeffhello', 'utf16le'),
      'big.txt': Buffer.from('\ufeffhello', 'utf16le').swap16(),
      'kanji.txt': Buffer.from('\ufeff\u65e5\u672c', 'utf16le'),
      'utf32.txt': Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]),
    });
    const grounding = await groundIn(root);
    expect(pathsOf(grounding)).toEqual(['about-lfs.md']);
    expect(countsOf(grounding)).toEqual({ binary_file: 5, invalid_utf8: 1 });
    expect(grounding.wire.warnings).toEqual([
      'Files that Git LFS holds were left out, for the work tree has only their pointers: 2.',
      'Files in UTF-16 were left out, for only UTF-8 is read: 3.',
    ]);
  });

  it('in an excluded root are left out, links into it included', async () => {
    const root = repository({ a: 'a' });
    write(root, { 'state/inner/ledger': 'ledger' });
    symlinkSync('state/inner/ledger', join(root, 'way'));
    mkdirSync(join(root, 'state/empty'));
    for (const [, options] of ways) {
      const grounding = await groundIn(root, { excludedRoots: [join(root, 'state')], activePaths: ['way'] }, options);
      expect(pathsOf(grounding)).toEqual(['a']);
      expect(countsOf(grounding)).toMatchObject({ excluded_directory: options === noPrograms ? 1 : 2 });
    }
  });
});

describe('the files that changed since HEAD', () => {
  it('are named from the root, wherever the work tree begins, and the index is neither locked nor refreshed', async () => {
    const top = repository({ a: '1', 'n/b': '1', 'n/m/c d': '1', 'n/same': '1' });
    write(top, { a: '2', 'n/b': '2', 'n/m/c d': '2', 'n/new': 'untracked' });
    // Unchanged under another time: Git would write into the index what it then knows.
    utimesSync(join(top, 'n/same'), 1_600_000_000, 1_600_000_000);
    const index = (): unknown => {
      const { ino, mtimeMs } = statSync(join(top, '.git/index'));
      return { ino, mtimeMs, bytes: readFileSync(join(top, '.git/index'), 'latin1') };
    };
    const before = index();
    const changed = async (root: string): Promise<string[]> => {
      const bound = bindGit(root, process.env);
      if (bound === null) throw new Error('Git is missing.');
      return [...(await readWorkTree(bound, findPlace(bound, root))).changed].sort();
    };
    expect(await changed(top)).toEqual(['a', 'n/b', 'n/m/c d']);
    expect(await changed(join(top, 'n'))).toEqual(['b', 'm/c d']);
    expect(await changed(join(top, 'n/m'))).toEqual(['c d']);
    expect(index()).toEqual(before);
    git(top, 'status');
    expect(index()).not.toEqual(before);
    const fresh = temporary();
    git(fresh, 'init', '-q');
    write(fresh, { a: 'a' });
    git(fresh, 'add', 'a');
    expect(await changed(fresh)).toEqual([]);
  });
});
