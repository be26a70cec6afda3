import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram, programDirectories } from '../../src/grounding/git/command.ts';
import { repository, temporary, write } from './repository.ts';

function program(directory: string, name = 'git'): string {
  write(directory, { [name]: '#!/bin/sh\n' });
  chmodSync(join(directory, name), 0o755);
  return join(directory, name);
}

/** What would be started for a root under a `PATH` of these directories. */
const found = (root: string, ...path: string[]): string | null =>
  findProgram('git', programDirectories({ PATH: path.join(':') }, root), root);

describe('where a program is looked for', () => {
  it('is not in the repository, by whatever way the path leads there', () => {
    const root = repository({ a: 'a' });
    const own = program(join(root, 'bin'));
    const link = join(temporary(), 'link');
    symlinkSync(join(root, 'bin'), link);
    const linked = temporary();
    symlinkSync(own, join(linked, 'git'));
    for (const entry of ['', '.', 'bin', root, join(root, 'bin'), `${root}/./bin/`, link, linked])
      expect(found(root, entry), entry).toBeNull();
    const apart = program(temporary());
    expect(found(root, '.', join(root, 'bin'), link, linked, join(apart, '..'))).toBe(apart);
  });

  it('is not in the work tree around a root that is a part of it', () => {
    const top = repository({ 'packages/a/x': 'x' });
    program(join(top, 'tools'));
    expect(found(join(top, 'packages/a'), join(top, 'tools'))).toBeNull();
    const other = repository({ x: 'x' });
    expect(found(other, join(top, 'tools'))).toBe(join(top, 'tools/git'));
  });

  it('is in a home that its owner keeps in Git, also by a link, and in no work tree where the home is gone', () => {
    const home = repository({ 'code/a/x': 'x' });
    const own = program(join(home, 'bin'));
    const link = join(temporary(), 'me');
    symlinkSync(home, link);
    const before = process.env.HOME;
    try {
      process.env.HOME = link;
      expect(found(join(home, 'code/a'), join(home, 'bin'))).toBe(own);
      process.env.HOME = join(link, 'gone');
      expect(found(join(home, 'code/a'), join(home, 'bin'))).toBeNull();
    } finally {
      if (before === undefined) delete process.env.HOME;
      else process.env.HOME = before;
    }
  });

  it('is not among what a package manager put beside a project', () => {
    const above = temporary();
    mkdirSync(join(above, 'plain'));
    program(join(above, 'node_modules/.bin'));
    for (const end of ['', '/', '//'])
      expect(found(join(above, 'plain'), `${above}/node_modules/.bin${end}`)).toBeNull();
  });

  it('is anywhere for the whole file system, which is no work tree', () => {
    const directory = temporary();
    expect(found('/', directory)).toBeNull();
    expect(found('/', join(program(directory), '..'))).toBe(join(directory, 'git'));
  });
});

describe('what starts programs', () => {
  it('is one place for whatever reads a repository, and a few that start Telic itself or the browser', () => {
    const source = join(import.meta.dirname, '../../src');
    const starters = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /['"](?:node:)?(?:child_process|cluster)['"]/.test(readFileSync(join(source, file), 'utf8')));
    expect(starters.sort()).toEqual([
      'gate/hooks/ownFiles.ts',
      'gate/probe.ts',
      'grounding/git/command.ts',
      'workspace/command/browser.ts',
    ]);
  });
});
