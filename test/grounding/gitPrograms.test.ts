import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

/** A program that leaves a mark when it runs, and answers nothing. */
function trap(): { program: string; ran: () => boolean; clear: () => void } {
  const directory = temporary('trap-');
  const mark = join(directory, 'ran');
  const program = join(directory, 'program');
  write(directory, { program: `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n` });
  chmodSync(program, 0o755);
  return { program, ran: () => existsSync(mark), clear: () => rmSync(mark, { force: true }) };
}

/** Makes Git look at the content of a file again. */
function touch(path: string): void {
  utimesSync(path, new Date(1_600_000_000_000), new Date(1_600_000_000_000));
}

describe('programs that repository configuration names (T25)', () => {
  const filters = ['clean', 'smudge', 'process'] as const;

  // Settings that plain Git follows have a test with a control for each (namedPrograms.test.ts).
  it('never run, nor stop a grounding: one where Git wants a number, so that it gives no status', async () => {
    const { program, ran } = trap();
    const root = repository({ a: 'a', b: 'b' });
    git(root, 'config', 'status.submoduleSummary', program);
    const { wire } = await groundIn(root);
    expect(wire.inventory_source).toBe('git');
    expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(wire.warnings.join()).toContain('status of the work tree is unavailable');
    expect(ran()).toBe(false);
    expect(() => git(root, 'status')).toThrow();
  });

  it.each(filters)('never run: a %s filter, whatever its name', async (kind) => {
    for (const name of ['evil', 'with.dots', 'UPPER', 'sp ace', 'a=b', '=', 'new\\nline']) {
      const { program, ran } = trap();
      const root = repository({ '.gitattributes': `* filter="${name}"\na filter=${name}\n`, a: 'a' });
      git(root, 'config', `filter.${name}.${kind}`, program);
      git(root, 'config', `filter.${name}.required`, 'true');
      touch(join(root, 'a'));
      const { wire } = await groundIn(root);
      expect(wire.selected_sources.map(({ path }) => path)).toEqual(['.gitattributes', 'a']);
      expect(ran(), name).toBe(false);
      expect(wire.inventory_source).toBe('git');
      const unavailable = wire.warnings.filter((warning) => warning.includes('status of the work tree is unavailable'));
      expect(unavailable, name).toEqual([]);
    }
  });

  it('never run: a filter whose name no argument can hold', async () => {
    const { program, ran } = trap();
    const root = repository({ a: 'a' });
    write(root, { '.gitattributes': Buffer.from('* filter=e\xffvil\n', 'latin1') });
    appendFileSync(join(root, '.git/config'), Buffer.from(`[filter "e\xffvil"]\n\tclean = ${program}\n`, 'latin1'));
    touch(join(root, 'a'));
    const { wire } = await groundIn(root);
    expect(ran()).toBe(false);
    expect(wire.warnings.join()).toContain('status of the work tree is unavailable');
    git(root, 'status');
    expect(ran()).toBe(true);
  });

  it('never run: filters from an included file', async () => {
    const { program, ran } = trap();
    const root = repository({
      '.gitattributes': '* filter=evil\n',
      a: 'a',
      'more.config': `[filter "evil"]\n\tclean = ${program}\n`,
    });
    git(root, 'config', 'include.path', '../more.config');
    touch(join(root, 'a'));
    await groundIn(root);
    expect(ran()).toBe(false);
  });

  it('never run: filters from the configuration of one work tree', async () => {
    const { program, ran } = trap();
    const root = repository({ '.gitattributes': '* filter=evil\n', a: 'a' });
    git(root, 'config', 'extensions.worktreeConfig', 'true');
    git(root, 'config', '--worktree', 'filter.evil.clean', program);
    touch(join(root, 'a'));
    await groundIn(root);
    expect(ran()).toBe(false);
    git(root, 'status');
    expect(ran()).toBe(true);
  });

  it('never run: drivers that attributes choose', async () => {
    const { program, ran } = trap();
    const root = repository({ '.gitattributes': '* diff=evil merge=evil working-tree-encoding=UTF-8\n', a: 'a' });
    for (const key of ['diff.evil.command', 'diff.evil.textconv', 'merge.evil.driver'])
      git(root, 'config', key, program);
    write(root, { a: 'changed' });
    expect(pathsOf(await groundIn(root)).sort()).toEqual(['.gitattributes', 'a']);
    expect(ran()).toBe(false);
    git(root, 'diff');
    expect(ran()).toBe(true);
  });

  it('never run: hooks', async () => {
    const root = repository({ a: 'a' });
    const mark = join(temporary(), 'ran');
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'pre-auto-gc']) {
      write(root, { [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch '${mark}'\n` });
      chmodSync(join(root, '.git/hooks', hook), 0o755);
    }
    touch(join(root, 'a'));
    await groundIn(root);
    expect(existsSync(mark)).toBe(false);
  });

  it('never run: those of a submodule', async () => {
    const { program, ran, clear } = trap();
    const inner = repository({ '.gitattributes': '* filter=evil\n', i: 'inner' });
    const root = repository({ a: 'a' });
    git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'module');
    git(root, 'commit', '-q', '-m', 'module');
    git(join(root, 'module'), 'config', 'filter.evil.clean', program);
    git(join(root, 'module'), 'config', 'core.fsmonitor', program);
    touch(join(root, 'module/i'));
    await groundIn(root);
    expect(ran()).toBe(false);
    clear();
    git(root, 'status');
    expect(ran()).toBe(true);
  });

  it('never run: the transport of a partial clone that lacks an object', async () => {
    const { program, ran } = trap();
    const source = repository({ a: 'a', b: 'b' });
    git(source, 'config', 'uploadpack.allowFilter', 'true');
    const root = join(temporary(), 'clone');
    git(
      source,
      '-c',
      'protocol.file.allow=always',
      'clone',
      '-q',
      '--filter=blob:none',
      '--no-checkout',
      `file://${source}`,
      root,
    );
    git(root, 'read-tree', 'HEAD');
    write(root, { a: 'changed', b: 'b' });
    for (const [key, value] of [
      ['remote.origin.url', `ssh://host/x`],
      ['core.sshCommand', program],
      ['remote.origin.uploadpack', program],
    ] as const) {
      git(root, 'config', key, value);
    }
    const { wire } = await groundIn(root);
    expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a', 'b']);
    git(root, 'config', 'remote.origin.url', `ext::${program}`);
    await groundIn(root);
    expect(ran()).toBe(false);
  });
});

describe('a partial clone (T25)', () => {
  it('that lacks even its directories fetches nothing, whatever transports its configuration allows', async () => {
    const source = repository({ a: 'a', 'd/b': 'b' });
    git(source, 'config', 'uploadpack.allowFilter', 'true');
    const root = join(temporary(), 'clone');
    const from = ['--filter=tree:0', '--no-checkout', `file://${source}`, root];
    git(source, '-c', 'protocol.file.allow=always', 'clone', '-q', ...from);
    write(root, { a: 'a' });
    for (const transport of ['ext', 'ssh', 'file']) git(root, 'config', `protocol.${transport}.allow`, 'always');
    git(root, 'config', 'protocol.allow', 'always');
    for (const [url, settings] of [
      ['ext::PROGRAM %S', []],
      ['ssh://host/x', ['core.sshCommand']],
      [`file://${source}`, ['remote.origin.uploadpack']],
    ] as const) {
      const { program, ran } = trap();
      // It ends at once: one that reads on would leave Git waiting for an answer.
      writeFileSync(program, readFileSync(program, 'utf8').replace('cat\n', 'exit 1\n'));
      git(root, 'config', 'remote.origin.url', url.replace('PROGRAM', program));
      for (const key of settings) git(root, 'config', key, program);
      const { wire } = await groundIn(root);
      expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a']);
      expect(wire.warnings.join()).toContain('status of the work tree is unavailable');
      expect(ran(), url).toBe(false);
      expect(() => git(root, 'status')).toThrow();
      expect(ran(), url).toBe(true);
    }
  });
});

describe('a repository whose configuration names files of the home directory', () => {
  it.each(['include.path', 'core.hooksPath', 'core.excludesFile', 'core.attributesFile'])(
    'is still listed by Git: %s',
    async (key) => {
      const root = repository({ a: 'a' });
      git(root, 'config', key, '~/.config/work');
      const { wire } = await groundIn(root);
      expect([wire.inventory_source, wire.warnings]).toEqual(['git', []]);
    },
  );
});

describe('a repository that others write to (T24)', () => {
  it('is grounded although a stale lock lies on its index', async () => {
    const root = repository({ a: 'a' });
    write(root, { '.git/index.lock': '' });
    touch(join(root, 'a'));
    const { wire } = await groundIn(root);
    expect(wire.inventory_source).toBe('git');
    expect(wire.warnings).toEqual([]);
    expect(readFileSync(join(root, '.git/index.lock'), 'utf8')).toBe('');
  });

  it('is left byte for byte as it was', async () => {
    const root = repository({ a: 'a', b: 'b' });
    touch(join(root, 'a'));
    write(root, { c: 'untracked' });
    const state = (): string =>
      execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} + | sort'], { cwd: root, encoding: 'utf8' });
    const before = state();
    await groundIn(root);
    expect(state()).toBe(before);
  });

  it('takes commits in a loop while it is grounded in a loop, and neither fails', async () => {
    const root = repository({ a: '0' });
    const script =
      'set -e; for n in $(seq 1 25); do echo $n > a; git -c user.name=T -c user.email=t@example.org commit -q -am $n; done';
    const commits = spawn('sh', ['-c', script], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    commits.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const closed = once(commits, 'close');
    let rounds = 0;
    while (commits.exitCode === null && commits.signalCode === null) {
      const { wire } = await groundIn(root);
      expect(wire.inventory_source).toBe('git');
      expect(wire.warnings).toEqual([]);
      rounds += 1;
    }
    await closed;
    expect([commits.exitCode, stderr]).toEqual([0, '']);
    expect(rounds).toBeGreaterThan(0);
  });
});
