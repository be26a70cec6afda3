import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decideTarget } from '../../machines/permissions/decideTarget.ts';
import { grantedSet } from '../../machines/permissions/permissionSet.ts';
import { resolveTarget, resolveTargets } from '../../src/targets/resolveTarget.ts';
import { buildFixture } from './rows.ts';

const { folder, root } = buildFixture();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(root, 'src/deep'));
symlinkSync('src/deep', join(root, 'shortcut'));
symlinkSync('src', join(root, 'beside'));
symlinkSync('../repo/src', join(root, 'around'));
const linkedRoot = join(folder, 'linked');
symlinkSync('repo', linkedRoot);

const found = (lexical: string, real = lexical): unknown => ({ ok: true, lexical, real });
const failed = (code: string): unknown => ({ ok: false, code });

describe('resolveTarget', () => {
  it('names the root with one dot, however it is spelled', () => {
    for (const target of ['.', './', 'src/..', root, `${root}/`])
      expect(resolveTarget(root, target)).toEqual(found('.'));
  });

  it('appends what does not exist as written, also below a file', () => {
    expect(resolveTarget(root, 'no/such/file.ts')).toEqual(found('no/such/file.ts'));
    expect(resolveTarget(root, 'src/app.ts/below')).toEqual(found('src/app.ts/below'));
    expect(resolveTarget(root, 'shortcut/new.ts')).toEqual(found('shortcut/new.ts', 'src/deep/new.ts'));
  });

  it('follows a link that leaves the root by name and comes back', () => {
    expect(resolveTarget(root, 'around/app.ts')).toEqual(found('around/app.ts', 'src/app.ts'));
  });

  it('takes a root that is a link, and absolute targets under either of its names', () => {
    for (const target of ['src/app.ts', `${linkedRoot}/src/app.ts`, `${root}/src/app.ts`])
      expect(resolveTarget(linkedRoot, target)).toEqual(found('src/app.ts'));
    expect(resolveTarget(linkedRoot, `${folder}/outside/secret.txt`)).toEqual(failed('path_escape'));
  });

  it('compares segments: a sibling whose name begins like the root is outside', () => {
    expect(resolveTarget(root, `${root}-other/x`)).toEqual(failed('path_escape'));
    expect(resolveTarget(root, '../repo-other/x')).toEqual(failed('path_escape'));
  });

  it('says that the root is missing, or no folder', () => {
    expect(resolveTarget(join(folder, 'gone'), 'a')).toEqual(failed('root_unavailable'));
    expect(resolveTarget(join(root, 'README.md'), 'a')).toEqual(failed('root_unavailable'));
    expect(resolveTarget(join(folder, 'gone'), '../a')).toEqual(failed('path_escape'));
  });

  it('refuses a step back over a link, where the system and a reader would end in different places', () => {
    expect(resolveTarget(root, 'linkdir/../README.md')).toEqual(failed('symlink_escape'));
    expect(resolveTarget(root, 'shortcut/../app.ts')).toEqual(failed('target_malformed'));
    expect(resolveTarget(root, `${root}/shortcut/../app.ts`)).toEqual(failed('target_malformed'));
    expect(resolveTarget(root, 'dangling-out/../README.md')).toEqual(failed('symlink_unresolved'));
    expect(resolveTarget(root, 'beside/../README.md')).toEqual(found('README.md'));
    expect(resolveTarget(linkedRoot, `${linkedRoot}/src/../README.md`)).toEqual(found('README.md'));
  });

  it('never throws on names that no file system takes', () => {
    expect(resolveTarget(root, 'a\u0000b')).toEqual(failed('target_malformed'));
    expect(resolveTarget(root, 'x'.repeat(5000))).toEqual(failed('symlink_unresolved'));
  });

  it('sees a link that was made after an earlier look', () => {
    expect(resolveTarget(root, 'later/x')).toEqual(found('later/x'));
    symlinkSync('../outside', join(root, 'later'));
    expect(resolveTarget(root, 'later/x')).toEqual(failed('symlink_escape'));
  });

  it('answers several targets by their text, each once', () => {
    writeFileSync(join(root, '__proto__'), '');
    const answers = resolveTargets(root, ['src/app.ts', '__proto__', '../x', 'src/app.ts']);
    expect(Object.keys(answers).sort()).toEqual(['../x', '__proto__', 'src/app.ts']);
    expect(Object.entries(answers).find(([target]) => target === '__proto__')?.[1]).toEqual(found('__proto__'));
  });

  it('lets no allowed target lead the system out of the root, whatever the spelling', () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'src',
      'deep',
      'app.ts',
      'linkdir',
      'link-out.txt',
      'shortcut',
      'beside',
      'around',
      'inner.ts',
      'loop-a',
      'dangling-out',
      'outside',
      'repo',
      'secret.txt',
      'new',
    );
    const permissions = grantedSet({ capabilities: ['repository.read'] });
    let allowed = 0;
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), fc.boolean(), (segments, absolute) => {
        const target = absolute ? `${root}/${segments.join('/')}` : segments.join('/');
        const resolved = resolveTarget(root, target);
        const detail = decideTarget({ capability: 'repository.read', target, resolved }, permissions);
        if (detail !== 'ok') return;
        allowed += 1;
        let opened: string;
        try {
          opened = realpathSync.native(absolute ? target : `${root}/${target}`);
        } catch {
          return;
        }
        const way = relative(root, opened);
        expect(way === '..' || way.startsWith('../')).toBe(false);
        expect(resolved).toMatchObject({ real: way === '' ? '.' : way });
      }),
      { numRuns: 2000 },
    );
    expect(allowed).toBeGreaterThan(100);
  });
});
