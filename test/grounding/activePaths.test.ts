import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveActivePaths } from '../../src/grounding/activePaths.ts';
import { countsOf, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

describe('active paths', () => {
  it('are taken relative or absolute, through the root or a link to it, each once', async () => {
    const root = repository({ 'src/a.ts': 'a' });
    const link = join(temporary(), 'link');
    symlinkSync(root, link);
    const spellings = [
      'src/a.ts',
      './src/a.ts',
      'src//a.ts',
      'src/../src/a.ts',
      join(root, 'src/a.ts'),
      join(link, 'src/a.ts'),
    ];
    expect(await resolveActivePaths(link, root, spellings)).toEqual([{ path: 'src/a.ts', kind: 'file' }]);
    const parent = join(temporary(), 'parent');
    symlinkSync(join(root, '..'), parent);
    const alias = join(parent, root.split('/').at(-1) ?? '');
    expect(await resolveActivePaths(root, root, [join(alias, 'src/a.ts'), join(alias, 'src/new.ts')])).toEqual([
      { path: 'src/a.ts', kind: 'file' },
      { path: 'src/new.ts', kind: 'missing' },
    ]);
    expect(await resolveActivePaths(root, root, ['src/', '.', 'src/b.ts', 'new/c.ts'])).toEqual([
      { path: 'src', kind: 'directory' },
      { path: '', kind: 'directory' },
      { path: 'src/b.ts', kind: 'missing' },
      { path: 'new/c.ts', kind: 'missing' },
    ]);
  });

  it('that leave the root are refused with path, root and a way out (T26)', async () => {
    const outside = temporary();
    write(outside, { 'secret.txt': 'outside' });
    const root = repository({ a: 'a' });
    mkdirSync(join(root, 'in'));
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file'));
    symlinkSync(outside, join(root, 'dir'));
    symlinkSync(join(outside, 'not-yet'), join(root, 'dangling'));
    symlinkSync('../../..', join(root, 'in/up'));
    symlinkSync('dir', join(root, 'twice'));
    symlinkSync('dangling', join(root, 'chain'));
    symlinkSync('loop', join(root, 'loop'));
    symlinkSync('ping', join(root, 'pong'));
    symlinkSync('pong', join(root, 'ping'));
    for (const path of [
      '..',
      '../x',
      'a/../../x',
      '/etc/passwd',
      '/',
      outside,
      `${root}x/y`,
      'file',
      'dir',
      'dir/secret.txt',
      'dir/newfile',
      'dangling',
      'dangling/x',
      'in/up/x',
      'twice',
      'twice/newfile',
      'chain',
      'loop',
      'loop/x',
      'ping',
    ]) {
      const refusal = groundIn(root, { activePaths: [path] });
      await expect(refusal, path).rejects.toMatchObject({ name: 'GroundingError', code: 'path_escape' });
      await expect(refusal).rejects.toThrow(JSON.stringify(path));
      await expect(refusal).rejects.toThrow(root);
    }
  });

  it('that leave the root are shown escaped, so that a refusal stays one line', async () => {
    const refusal = groundIn(repository({ a: 'a' }), { activePaths: ['../x\ny\u001b[31m'] });
    await expect(refusal).rejects.toThrow('"../x\\ny\\u001b[31m"');
    await expect(refusal).rejects.not.toThrow(/[\n\u001b]/);
  });

  it('may run through links that stay inside, present or not', async () => {
    const root = repository({ 'src/a.ts': 'a' });
    symlinkSync('src', join(root, 'link'));
    symlinkSync('src/later.ts', join(root, 'dangling'));
    expect(await resolveActivePaths(root, root, ['link/a.ts', 'link', 'dangling'])).toEqual([
      { path: 'link/a.ts', kind: 'file' },
      { path: 'link', kind: 'directory' },
      { path: 'dangling', kind: 'missing' },
    ]);
  });

  it.each([
    [['']],
    [['a\0b']],
    [['a\\b']],
    [['\ud800']],
    [['a'.repeat(4097)]],
    [Array.from({ length: 257 }, (_, n) => `f${n}`)],
  ])('that name nothing are an input error: %j', async (activePaths) => {
    await expect(groundIn(repository({ a: 'a' }), { activePaths })).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
  });

  it('reach ignored files and are pinned with 1,050,000 points', async () => {
    const root = repository({ '.gitignore': 'ignored.txt\n' });
    write(root, { 'ignored.txt': 'text' });
    const { wire } = await groundIn(root, { activePaths: ['ignored.txt'] });
    expect(wire.selected_sources[0]).toMatchObject({ path: 'ignored.txt', score: 1_050_000, pinned: true });
    expect(wire.pinned_refs).toEqual(['repo://ignored.txt']);
    expect(pathsOf(await groundIn(root))).toEqual(['.gitignore']);
  });

  it('that are directories pin nothing and raise their contents by 10,000', async () => {
    const root = repository({ 'src/a.ts': 'a', 'other/b.ts': 'b' });
    const { wire } = await groundIn(root, { activePaths: ['src'] });
    expect(wire.selected_sources.map(({ path, score, pinned }) => [path, score, pinned])).toEqual([
      ['src/a.ts', 10_000, false],
      ['other/b.ts', 0, false],
    ]);
    expect(wire.excluded_candidates).toEqual([]);
  });

  it('that are missing are a hint and counted as unreadable', async () => {
    const grounding = await groundIn(repository({ a: 'a' }), { activePaths: ['src/new.ts'] });
    expect(countsOf(grounding)).toEqual({ unreadable_file: 1 });
  });
});
