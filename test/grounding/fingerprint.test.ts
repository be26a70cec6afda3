import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkTree, takeFingerprint, type WorkTree } from '../../src/grounding/git/fingerprint.ts';
import { bindGit } from '../../src/grounding/git/git.ts';
import { findPlace } from '../../src/grounding/git/place.ts';
import { git, groundIn, repository, temporary, write } from './repository.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const hashes = new Map([
  ['b', sha256('2')],
  ['a', sha256('1')],
]);
async function workTree(root: string): Promise<WorkTree> {
  const bound = bindGit(root, process.env);
  if (bound === null) throw new Error('Git is missing.');
  return readWorkTree(bound, findPlace(bound, root));
}
const read = `a\0${sha256('1')}\0b\0${sha256('2')}`;

describe('the fingerprint', () => {
  it('is the head, and the hash of the status and of every file that was read', async () => {
    const root = repository({ a: '1', b: '2' });
    const head = git(root, 'rev-parse', 'HEAD').trim();
    expect(takeFingerprint(await workTree(root), [], hashes)).toEqual({
      headCommit: head,
      dirtyWorktreeHash: sha256(read),
      warnings: [],
    });
    write(root, { b: 'changed', 'new\nfile': 'n' });
    const dirty = takeFingerprint(await workTree(root), [], hashes);
    expect(dirty.dirtyWorktreeHash).toBe(sha256(` M b\0?? new\nfile\0${read}`));
  });

  it('names both ends of a move, which changed both', async () => {
    const root = repository({ b: '2', old: 'moved as it is, and long enough for Git to see it\n' });
    git(root, 'mv', 'old', 'new');
    const moved = await workTree(root);
    expect(takeFingerprint(moved, [], new Map()).dirtyWorktreeHash).toBe(sha256('A  new\0D  old\0'));
    expect([...moved.changed].sort()).toEqual(['new', 'old']);
  });

  it('changes with the content of a file that was dirty before', async () => {
    const root = repository({ a: '1' });
    write(root, { a: '2' });
    const first = await groundIn(root);
    write(root, { a: '3' });
    const second = await groundIn(root);
    expect(second.wire.repository_fingerprint.dirty_worktree_hash).not.toBe(
      first.wire.repository_fingerprint.dirty_worktree_hash,
    );
    expect(second.wire.id).not.toBe(first.wire.id);
  });

  it('holds what was read and then dropped: copies, and what the budget has no room for', async () => {
    const root = repository({ a: 'same', b: 'same', c: 'too much' });
    const { wire } = await groundIn(root, { budget: { max_total_bytes: 5 } });
    expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a']);
    const all = [`a\0${sha256('same')}`, `b\0${sha256('same')}`, `c\0${sha256('too much')}`];
    expect(wire.repository_fingerprint.dirty_worktree_hash).toBe(sha256(all.join('\0')));
  });

  it('has no head before the first commit', async () => {
    const root = temporary();
    git(root, 'init', '-q');
    write(root, { a: '1' });
    const { wire } = await groundIn(root);
    expect(wire.inventory_source).toBe('git');
    expect(wire.repository_fingerprint.head_commit).toBeNull();
  });

  it('takes the head of a SHA-256 repository', async () => {
    const root = temporary();
    git(root, 'init', '-q', '--object-format=sha256');
    write(root, { a: '1' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'first');
    expect((await groundIn(root)).wire.repository_fingerprint.head_commit).toMatch(/^[a-f0-9]{64}$/);
  });

  it('without Git is the hash of the sorted inventory', async () => {
    const fingerprint = takeFingerprint(null, ['c', 'b', 'a'], hashes);
    expect(fingerprint.headCommit).toBeNull();
    expect(fingerprint.dirtyWorktreeHash).toBe(sha256(`${read}\0c\0unread`));
    expect(fingerprint.warnings).toHaveLength(1);
  });

  it('says when the status is unavailable, and keeps the head', async () => {
    const root = repository({ a: '1' });
    appendFileSync(join(root, '.git/config'), Buffer.from('[filter "\xff"]\n\tclean = false\n', 'latin1'));
    const fingerprint = takeFingerprint(await workTree(root), ['a', 'b'], hashes);
    expect(fingerprint.headCommit).toMatch(/^[a-f0-9]{40}$/);
    expect(fingerprint.dirtyWorktreeHash).toBe(sha256(read));
    expect(fingerprint.warnings.join()).toContain('unavailable');
  });

  it('is taken whatever order of files the configuration wants', async () => {
    const root = repository({ a: '1' });
    git(root, 'config', 'diff.orderFile', '~/order');
    write(root, { a: 'changed' });
    expect(takeFingerprint(await workTree(root), ['a'], hashes).warnings).toEqual([]);
  });

  it('does without the status when the filters to overrule are more than a command line holds', async () => {
    const root = repository({ a: '1', b: '2' });
    write(root, { '.git/config': `[core]\n\tbare = false\n[filter "${'x'.repeat(140_000)}"]\n\tclean = false\n` });
    const fingerprint = takeFingerprint(await workTree(root), ['a', 'b'], hashes);
    expect(fingerprint.headCommit).toBe(git(root, 'rev-parse', 'HEAD').trim());
    expect(fingerprint.dirtyWorktreeHash).toBe(sha256(read));
    expect(fingerprint.warnings).toEqual([expect.stringContaining('Git could not be started')]);
  });

  it('streams a status of more than 16 MiB', async () => {
    const root = repository({ a: '1' });
    const long = 'n'.repeat(240);
    const deep = Array.from({ length: 12 }, () => long).join('/');
    mkdirSync(join(root, deep), { recursive: true });
    const names = Array.from({ length: 6000 }, (_, n) => `${deep}/${n}`).sort();
    for (const name of names) writeFileSync(join(root, name), '');
    const status = names.map((path) => `?? ${path}\0`).join('');
    expect(status.length).toBeGreaterThan(16_777_216);
    const fingerprint = takeFingerprint(await workTree(root), [], new Map());
    expect(fingerprint.warnings).toEqual([]);
    expect(fingerprint.dirtyWorktreeHash).toBe(sha256(status));
    rmSync(join(root, long), { recursive: true });
  });
});
