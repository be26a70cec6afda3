import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/grounding/git/command.ts';
import { git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** A PATH with a Git that does one command by a script of its own, and leaves the others to the real one. */
function gitExcept(command: string, script: string): { env: { PATH: string } } {
  const bin = temporary('bin-');
  const real = findProgram('git', (process.env.PATH ?? '').split(':'), '/');
  const choice = `for word in "$@"; do if [ "$word" = ${command} ]; then\n${script}\nfi; done`;
  write(bin, { git: `#!/bin/sh\n${choice}\nexec '${real}' "$@"\n` });
  chmodSync(join(bin, 'git'), 0o755);
  return { env: { PATH: `${bin}:/usr/bin:/bin` } };
}

describe('where Git answers in part', () => {
  it('a listing that ends with a failure is used as far as it goes, and the warning says that it is incomplete', async () => {
    const root = repository({ a: 'a', b: 'b' });
    const script = `printf 'H 100644 ${'0'.repeat(40)} 0\\ta\\0'\nexit 3`;
    const grounding = await groundIn(root, {}, gitExcept('ls-files', script));
    expect(grounding.wire.inventory_source).toBe('git');
    expect(pathsOf(grounding)).toEqual(['a']);
    expect(grounding.wire.warnings).toEqual(['The listing by Git is incomplete: Git ended with status 3.']);
  });

  it('a listing that fails before the first name is not used', async () => {
    const root = repository({ a: 'a', b: 'b' });
    const grounding = await groundIn(root, {}, gitExcept('ls-files', 'exit 3'));
    expect(grounding.wire.inventory_source).not.toBe('git');
    expect(pathsOf(grounding)).toEqual(['a', 'b']);
    expect(grounding.wire.warnings[0]).toContain('Git ended with status 3');
    expect(grounding.wire.repository_fingerprint.head_commit).toBeNull();
  });

  it('a status that does not end is told, the listing and the head are kept', async () => {
    const root = repository({ a: 'a' });
    write(root, { b: 'untracked' });
    // Longer than the other commands take on a loaded machine.
    const limit = { commandMilliseconds: 2000 };
    const grounding = await groundIn(root, {}, { ...gitExcept('status', 'exec sleep 60'), ...limit });
    expect(grounding.wire.inventory_source).toBe('git');
    expect(pathsOf(grounding)).toEqual(['a', 'b']);
    expect(grounding.wire.warnings).toEqual([
      expect.stringContaining('The status of the work tree is unavailable (Git did not answer in time)'),
    ]);
    const { head_commit, dirty_worktree_hash } = grounding.wire.repository_fingerprint;
    expect(head_commit).toBe(git(root, 'rev-parse', 'HEAD').trim());
    expect(dirty_worktree_hash).toBe(sha256(`a\0${sha256('a')}\0b\0${sha256('untracked')}`));
  });

  it('a status of more than any buffer is hashed as it comes', async () => {
    const root = repository({ a: 'a' });
    const record = `?? ${'n'.repeat(240)}`;
    const times = 72_000;
    expect(times * record.length).toBeGreaterThan(16_777_216);
    const script = `yes '${record}' | head -n ${times} | tr '\\n' '\\0'\nexit 0`;
    const { wire } = await groundIn(root, { request: 'a' }, gitExcept('status', script));
    expect(wire.warnings).toEqual([]);
    expect(wire.repository_fingerprint.dirty_worktree_hash).toBe(
      sha256(`${`${record}\0`.repeat(times)}a\0${sha256('a')}`),
    );
  });
});
