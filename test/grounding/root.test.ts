import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGitOwnDirectory, resolveRepositoryRoot } from '../../src/grounding/root.ts';
import { git, groundIn, repository, temporary } from './repository.ts';

describe('the repository a process is bound to', () => {
  it('is the directory of the variable, whatever the working directory is', () => {
    const root = temporary();
    expect(resolveRepositoryRoot({ TELIC_REPOSITORY_ROOT: root }, '/')).toEqual({ ok: true, root });
  });

  it('is the working directory when the variable is missing or empty', () => {
    const root = temporary();
    expect(resolveRepositoryRoot({ HOME: '/nonexistent' }, root)).toEqual({ ok: true, root });
    expect(resolveRepositoryRoot({ TELIC_REPOSITORY_ROOT: '' }, root)).toEqual({ ok: true, root });
  });

  it('is the real path where the root is a link', () => {
    const root = temporary();
    const link = join(temporary(), 'link');
    symlinkSync(root, link);
    expect(resolveRepositoryRoot({ TELIC_REPOSITORY_ROOT: link }, '/')).toEqual({ ok: true, root });
  });

  it('takes a relative variable from the working directory', () => {
    const parent = temporary();
    mkdirSync(join(parent, 'work'));
    expect(resolveRepositoryRoot({ TELIC_REPOSITORY_ROOT: 'work' }, parent)).toEqual({
      ok: true,
      root: join(parent, 'work'),
    });
  });

  it('is never the whole file system or a home directory by default (T27)', () => {
    const home = temporary();
    const link = join(temporary(), 'home');
    symlinkSync(home, link);
    for (const [env, cwd] of [
      [{}, '/'],
      [{ HOME: home }, home],
      [{ HOME: home, TELIC_REPOSITORY_ROOT: '' }, home],
      [{ HOME: link }, home],
      [{ HOME: home }, link],
      [{ HOME: '' }, homedir()],
      [{}, homedir()],
    ] as const) {
      const answer = resolveRepositoryRoot(env, cwd);
      expect(answer).toMatchObject({ ok: false, code: 'repository_not_configured' });
      expect(answer.ok ? '' : answer.nextSteps.join()).toContain('TELIC_REPOSITORY_ROOT');
    }
    expect(resolveRepositoryRoot({ HOME: home, TELIC_REPOSITORY_ROOT: home }, '/')).toEqual({ ok: true, root: home });
  });

  it('names the path when there is no directory', () => {
    const root = temporary();
    writeFileSync(join(root, 'file'), '');
    for (const path of [join(root, 'missing'), join(root, 'file'), `${root}\0`, `/${'a'.repeat(5000)}`]) {
      const answer = resolveRepositoryRoot({ TELIC_REPOSITORY_ROOT: path }, root);
      expect(answer).toMatchObject({ ok: false, code: 'repository_not_configured' });
    }
    const answer = resolveRepositoryRoot({ TELIC_REPOSITORY_ROOT: join(root, 'missing') }, root);
    expect(answer.ok ? '' : answer.message).toContain(join(root, 'missing'));
  });
});

describe('directories of Git itself', () => {
  it('are refused: a bare repository, a place in one, and a place in .git', async () => {
    const bare = temporary();
    git(bare, 'init', '-q', '--bare');
    const root = repository({ a: 'a' });
    for (const path of [bare, join(bare, 'refs'), join(root, '.git'), join(root, '.git/hooks')]) {
      expect(isGitOwnDirectory(path)).toBe(true);
      await expect(groundIn(path)).rejects.toMatchObject({ code: 'repository_not_configured' });
    }
  });

  it('are told from a work tree, also one that stands inside a bare repository', async () => {
    const root = repository({ a: 'a', 'sub/b': 'b' });
    const bare = join(temporary(), 'project');
    git(root, 'clone', '-q', '--bare', root, bare);
    git(bare, 'worktree', 'add', '-q', join(bare, 'tree'), 'main');
    expect(isGitOwnDirectory(root)).toBe(false);
    expect(isGitOwnDirectory(join(root, 'sub'))).toBe(false);
    expect(isGitOwnDirectory(temporary())).toBe(false);
    const { wire } = await groundIn(join(bare, 'tree'));
    expect(wire.inventory_source).toBe('git');
    expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a', 'sub/b']);
  });
});
