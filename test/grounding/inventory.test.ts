import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContextManifestWire } from '../../schemas/artifacts/manifestWire.ts';
import { findProgram } from '../../src/grounding/git/command.ts';
import { splitAtNul } from '../../src/grounding/git/splitAtNul.ts';
import { countsOf, git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const hasRipgrep = findProgram('rg', (process.env.PATH ?? '').split(':'), '/') !== null;
const noPrograms = { env: { PATH: '' } };

/** Git, but it fails where the arguments hold one of these. */
function gitWithout(...parts: readonly string[]): { env: { PATH: string } } {
  const bin = temporary('bin-');
  const real = findProgram('git', (process.env.PATH ?? '').split(':'), '/');
  const refused = parts.map((part) => `*"${part}"*`).join('|');
  write(bin, { git: `#!/bin/sh\ncase "$*" in ${refused}) exit 129;; esac\nexec ${real} "$@"\n` });
  chmodSync(join(bin, 'git'), 0o755);
  return { env: { PATH: `${bin}:/bin` } };
}

/** A directory of programs with Git and without ripgrep, or the other way round. */
function programs(...names: readonly string[]): { env: { PATH: string } } {
  const directory = temporary('bin-');
  for (const name of names) {
    const program = findProgram(name, (process.env.PATH ?? '').split(':'), '/');
    if (program !== null) symlinkSync(program, join(directory, name));
  }
  return { env: { PATH: directory } };
}

describe('the listing by Git', () => {
  it('holds tracked files and what ignore rules do not hide', async () => {
    const root = repository({ '.gitignore': '*.log\n', tracked: 't', 'kept.log': 'tracked although ignored' });
    write(root, { untracked: 'u', 'hidden.log': 'h', 'deep/er/file': 'f' });
    const grounding = await groundIn(root);
    expect(grounding.wire.inventory_source).toBe('git');
    expect(pathsOf(grounding)).toEqual(['.gitignore', 'deep/er/file', 'kept.log', 'tracked', 'untracked']);
    expect(grounding.wire.warnings).toEqual([]);
  });

  it('keeps every name exact (T21)', async () => {
    const names = [
      'é',
      'e\u0301',
      '日本/ファイル.ts',
      'line\nbreak',
      'tab\there',
      'quote"and\'',
      '-leading',
      ' blank ',
      'per%20cent',
      'a#b?c',
      '\u{1f600}',
      'x'.repeat(255),
      'star*',
      '[glob]',
      ':(top)',
      '\u0001',
    ];
    const root = repository({});
    for (const [index, name] of names.entries()) write(root, { [name]: `content ${index}` });
    for (const options of [{}, noPrograms]) {
      const grounding = await groundIn(
        root,
        { activePaths: [], budget: { max_files: 256 }, request: names.join(' ') },
        options,
      );
      const byPath = new Map(grounding.documents.map((document) => [document.repositoryRef, document.content]));
      const wanted = names.map((name, index) => [
        `repo://${name.split('/').map(encodeURIComponent).join('/')}`,
        `content ${index}`,
      ]);
      const missing = wanted.filter(([ref]) => !byPath.has(ref ?? ''));
      // Names without a term of the request share the eight places of those that nothing speaks for.
      expect(missing.length).toBe(countsOf(grounding).low_relevance ?? 0);
      for (const [ref, content] of wanted) if (byPath.has(ref ?? '')) expect(byPath.get(ref ?? '')).toBe(content);
      const named = await groundIn(root, { activePaths: names }, options);
      expect(pathsOf(named).sort()).toEqual([...names].sort());
      expect(countsOf(named)).toEqual({});
    }
  });

  it('counts names that are not UTF-8 and warns once', async () => {
    const root = repository({ a: 'a', '\ufffd legal': 'b' });
    const raw = (name: number[]): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]);
    writeFileSync(raw([0x66, 0xff]), 'x');
    writeFileSync(raw([0x67, 0xc3]), 'y');
    for (const options of [{}, noPrograms]) {
      const grounding = await groundIn(root, {}, options);
      expect(pathsOf(grounding)).toEqual(['a', '\ufffd legal']);
      expect(countsOf(grounding)).toEqual({ invalid_path: 2 });
      expect(grounding.wire.warnings.filter((warning) => warning.includes('UTF-8'))).toHaveLength(1);
    }
  });

  it('leaves out a path whose reference would be too long', async () => {
    const name = `${'日'.repeat(80)}/${'本'.repeat(80)}/${'語'.repeat(80)}`;
    const grounding = await groundIn(repository({ a: 'a', [name]: 'b' }));
    expect(pathsOf(grounding)).toEqual(['a']);
    expect(countsOf(grounding)).toEqual({ invalid_path: 1 });
  });

  it('holds what is not tracked also where there is no status, and tells each path that is left out once', async () => {
    const root = repository({ tracked: 't', 'dist/x': 'x', '.gitignore': 'hidden\n' });
    write(root, { 'new ': 'n', 'dir/newer': 'm', hidden: 'h', '.env': 'e' });
    mkdirSync(join(root, 'other'));
    git(join(root, 'other'), 'init', '-q');
    write(root, { 'other/o': 'o' });
    const told: string[] = [];
    const observer = { ranked: () => {}, excluded: (path: string) => told.push(path) };
    const withStatus = await groundIn(root, {}, { observer });
    const toldWith = told.splice(0);
    appendFileSync(join(root, '.git/config'), Buffer.from('[filter "\xff"]\n\tclean = false\n', 'latin1'));
    const without = await groundIn(root, {}, { observer });
    expect(without.wire.warnings.join()).toContain('status of the work tree is unavailable');
    expect(pathsOf(without)).toEqual(pathsOf(withStatus));
    expect([...pathsOf(without)].sort()).toEqual(['.gitignore', 'dir/newer', 'new ', 'tracked']);
    expect(countsOf(without)).toEqual(countsOf(withStatus));
    expect([...told].sort()).toEqual([...toldWith].sort());
    expect([...told].sort()).toEqual(['.env', 'dist/x', 'other']);
  });

  it('is none in a directory that the repository above it hides: its files are walked then', async () => {
    const above = repository({ '.gitignore': '*\n' });
    write(above, { 'project/.gitignore': 'hidden\n', 'project/a': 'a', 'project/hidden': 'h' });
    const hidden = await groundIn(join(above, 'project'));
    expect(hidden.wire.inventory_source).not.toBe('git');
    expect([...pathsOf(hidden)].sort()).toEqual(['.gitignore', 'a']);
    expect(hidden.wire.warnings[0]).toContain('lists nothing in this directory');
    expect(hidden.wire.repository_fingerprint.head_commit).toBeNull();
  });

  it('stays inside the bound root when the work tree begins above it', async () => {
    const top = repository({ above: 'a', 'nested/b': 'b', 'nested/c/d': 'd' });
    const grounding = await groundIn(join(top, 'nested'));
    expect(grounding.wire.inventory_source).toBe('git');
    expect(pathsOf(grounding)).toEqual(['b', 'c/d']);
    const warned = ({ wire }: typeof grounding): boolean =>
      wire.warnings.some((text) => text.includes('below the top'));
    expect([warned(grounding), warned(await groundIn(top))]).toEqual([true, false]);
    await expect(groundIn(join(top, 'nested'), { activePaths: ['../above'] })).rejects.toMatchObject({
      code: 'path_escape',
    });
  });

  it('works where the root is a link (T26)', async () => {
    const root = repository({ a: 'a' });
    const link = join(temporary(), 'link');
    symlinkSync(root, link);
    expect(await groundIn(link)).toEqual(await groundIn(root));
  });

  it('lists an unmerged file once', async () => {
    const root = repository({ a: 'base\n' });
    git(root, 'checkout', '-q', '-b', 'other');
    write(root, { a: 'other\n' });
    git(root, 'commit', '-q', '-am', 'other');
    git(root, 'checkout', '-q', 'main');
    write(root, { a: 'main\n' });
    git(root, 'commit', '-q', '-am', 'main');
    expect(() => git(root, 'merge', '-q', 'other')).toThrow();
    const { wire } = await groundIn(root);
    expect(wire.budget.candidate_files).toBe(1);
    expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a']);
  });

  it('counts submodules and sparse checkouts and says so', async () => {
    const inner = repository({ i: 'inner' });
    const root = repository({ 'a/x': 'x', 'b/y': 'y' });
    git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'module');
    git(root, 'commit', '-q', '-m', 'module');
    const grounding = await groundIn(root);
    expect(countsOf(grounding)).toEqual({ non_regular_file: 1 });
    expect(grounding.wire.warnings).toEqual(['Submodules are not entered: 1.']);
    git(root, 'sparse-checkout', 'set', 'a');
    const sparse = await groundIn(root);
    expect(countsOf(sparse)).toEqual({ non_regular_file: 1 });
    expect(sparse.wire.budget.candidate_files).toBe(grounding.wire.budget.candidate_files - 1);
    expect(sparse.wire.warnings).toContain('The sparse checkout leaves tracked files out of the work tree: 1.');
  });

  it('does not enter another repository inside this one', async () => {
    const root = repository({ a: 'a' });
    repository({ b: 'b' }, join(root, 'inner'));
    const grounding = await groundIn(root);
    expect(pathsOf(grounding)).toEqual(['a']);
    expect(countsOf(grounding)).toEqual({ non_regular_file: 1 });
  });

  it('reads 50,000 paths as they come and reports the cut with counts (T23)', async () => {
    const root = repository({});
    const blob = execFileSync('git', ['-C', root, 'hash-object', '-w', '--stdin'], {
      input: '',
      encoding: 'utf8',
    }).trim();
    const long = 'f'.repeat(200);
    const records = Array.from(
      { length: 50_000 },
      (_, n) => `100644 ${blob}\td${'d'.repeat(150)}/${n % 97}/${long}${n}`,
    );
    execFileSync('git', ['-C', root, 'update-index', '--index-info'], { input: `${records.join('\n')}\n` });
    write(root, { 'z/AGENTS.md': 'far behind', 'z/named': 'named' });
    const { wire } = await groundIn(root, { activePaths: ['z/named'], budget: { max_inventory_files: 1000 } });
    expect(wire.inventory_source).toBe('git');
    expect(wire.budget.candidate_files).toBe(50_002);
    expect(wire.selected_sources.map(({ path }) => path)).toEqual(['z/named', 'z/AGENTS.md']);
    expect(wire.excluded_candidates).toContainEqual({ reason: 'inventory_budget', count: 49_002 });
    expect(wire.warnings).toContain('Of 50002 listed files 49002 were not considered: max_inventory_files is 1000.');
  });
});

describe('the records of a listing', () => {
  it('are cut at each NUL, wherever the pieces end, and left out where they go on too long for a name', () => {
    const records: string[] = [];
    const take = splitAtNul((record) => records.push(record.toString('latin1')));
    const long = 'x'.repeat(65_536);
    for (const piece of ['a', 'b\0c\0', '', '\0', long, '\0', long, 'x', long, '\0d', '\0e']) take(Buffer.from(piece));
    expect(records).toEqual(['ab', 'c', '', long, 'd']);
  });
});

describe('what is left out by name', () => {
  it('is every directory of tools, at any depth and in any case, and a file of such a name', async () => {
    const root = repository({
      keep: 'k',
      'dist/a': 'a',
      'x/Node_Modules/b': 'b',
      'COVERAGE/c': 'c',
      build: 'd',
      '.telic/e': 'e',
    });
    const grounding = await groundIn(root, { activePaths: ['x'] });
    expect(pathsOf(grounding)).toEqual(['keep']);
    expect(countsOf(grounding)).toEqual({ excluded_directory: 5 });
    expect(grounding.wire.budget.candidate_files).toBe(6);
  });

  it('is reached by naming a tracked file exactly, and not an untracked one or Git itself', async () => {
    const root = repository({ 'dist/tracked': 't', 'dist/other': 'o' });
    write(root, { 'dist/untracked': 'u' });
    const grounding = await groundIn(root, { activePaths: ['dist/tracked', 'dist/untracked', '.git/config', 'dist'] });
    expect(pathsOf(grounding)).toEqual(['dist/tracked']);
    expect(countsOf(grounding)).toEqual({ excluded_directory: 3 });
  });

  it('leaves what is tracked under a name that is only often generated', async () => {
    const root = repository({ 'out/tracked': 't', 'target/x': 'x' });
    write(root, { 'out/made': 'm', 'venv/lib': 'l', 'vendor/bundle/gem': 'g', 'vendor/own': 'o' });
    const grounding = await groundIn(root);
    expect(pathsOf(grounding)).toEqual(['out/tracked', 'target/x', 'vendor/own']);
    expect(countsOf(grounding)).toEqual({ excluded_directory: 3 });
  });

  it('is whatever lies in an excluded root, which is no candidate', async () => {
    const root = repository({ a: 'a', 'state/x': 'x', 'state/y': 'y', statement: 's' });
    const grounding = await groundIn(root, { excludedRoots: [join(root, 'state'), '/nonexistent/state'] });
    expect(pathsOf(grounding)).toEqual(['a', 'statement']);
    expect(countsOf(grounding)).toEqual({ excluded_directory: 2 });
    expect(grounding.wire.budget.candidate_files).toBe(2);
  });
});

describe('the environment of the caller', () => {
  it('does not redirect the listing', async () => {
    const root = repository({ a: 'a' });
    const other = repository({ elsewhere: 'e', hiding: 'unknown\n' });
    write(root, { unknown: 'not tracked, and hidden by no rule of the repository' });
    const plain = await groundIn(root);
    expect(pathsOf(plain)).toEqual(['a', 'unknown']);
    const env = {
      PATH: process.env.PATH,
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.excludesFile',
      GIT_CONFIG_VALUE_0: join(other, 'hiding'),
      GIT_EXTERNAL_DIFF: '/nonexistent',
      HOME: other,
      LC_ALL: 'tr_TR.UTF-8',
    };
    expect(await groundIn(root, {}, { env })).toEqual(plain);
  });

  it('brings in no settings of a user', async () => {
    const root = repository({ a: 'a' });
    write(root, { unknown: 'not tracked' });
    const home = temporary();
    const settings = `[core]\n\texcludesFile = ${join(home, 'hiding')}\n`;
    write(home, { hiding: 'unknown\n', '.gitconfig': settings, 'git/config': settings, 'git/ignore': 'unknown\n' });
    const ways = [{ HOME: home }, { XDG_CONFIG_HOME: home }, { GIT_CONFIG_GLOBAL: join(home, '.gitconfig') }];
    for (const way of ways) {
      const env = { PATH: process.env.PATH, ...way };
      // Git itself goes by them.
      const hidden = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: root, env });
      expect(hidden).toHaveLength(0);
      expect(pathsOf(await groundIn(root, {}, { env }))).toEqual(['a', 'unknown']);
    }
  });

  it('does not let the repository or a relative path supply the programs', async () => {
    const root = repository({ a: 'a' });
    const marker = join(temporary(), 'ran');
    for (const name of ['git', 'rg']) {
      write(root, { [`bin/${name}`]: `#!/bin/sh\n: > '${marker}'\n` });
      chmodSync(join(root, 'bin', name), 0o755);
    }
    const grounding = await groundIn(root, {}, { env: { PATH: `${join(root, 'bin')}:bin:.:` } });
    expect(grounding.wire.inventory_source).toBe('filesystem');
    expect(existsSync(marker)).toBe(false);
  });
});

describe('the fallbacks', () => {
  it('name a missing Git, and walk without a repository (T22)', async () => {
    const root = repository({ '.gitignore': 'hidden\n', a: 'a', 'node_modules/x': 'x' });
    write(root, { hidden: 'h' });
    const grounding = await groundIn(root, {}, noPrograms);
    expect(grounding.wire.inventory_source).toBe('filesystem');
    expect(pathsOf(grounding)).toEqual(['.gitignore', 'a']);
    expect(grounding.wire.warnings[0]).toContain('no Git was found outside of the repository');
    expect(grounding.wire.warnings).toHaveLength(2);
    expect(grounding.wire.repository_fingerprint.head_commit).toBeNull();
    expect(ContextManifestWire.safeParse(grounding.wire).error).toBeUndefined();
  });

  it('name a directory that is no repository', async () => {
    const root = temporary();
    write(root, { b: 'b', 'a/c': 'c' });
    const { wire } = await groundIn(root, {}, programs('git'));
    expect(wire.inventory_source).toBe('filesystem');
    expect(wire.warnings[0]).toContain('this is not a Git repository');
    expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a/c', 'b']);
  });

  it.runIf(process.getuid?.() === 0)(
    'name a repository of another owner and leave every configuration alone',
    async () => {
      const root = repository({ a: 'a' });
      const config = readFileSync(join(root, '.git/config'), 'utf8');
      for (const path of [root, join(root, '.git')]) chownSync(path, 12_345, 12_345);
      const { wire } = await groundIn(root, {}, { env: { ...programs('git').env, HOME: temporary() } });
      expect(wire.inventory_source).toBe('filesystem');
      expect(wire.warnings[0]).toContain('does not trust the owner');
      expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe(config);
    },
  );

  it.runIf(process.getuid?.() === 0)(
    'are not needed in a repository of another owner that the settings of the user call safe',
    async () => {
      const home = temporary();
      const root = repository({ a: 'a' }, join(home, 'project'));
      write(root, { b: 'b' });
      for (const path of [root, join(root, '.git')]) chownSync(path, 12_345, 12_345);
      const ground = async (settings: string) => {
        write(home, { '.gitconfig': settings });
        return (await groundIn(root, {}, { env: { ...programs('git').env, HOME: home } })).wire;
      };
      const head = git(root, '-c', `safe.directory=${root}`, 'rev-parse', 'HEAD').trim();
      const excludes = '[core]\n\texcludesFile = ~/excludes\n';
      write(home, { excludes: 'b\n' });
      for (const safe of [root, '*', '~/project']) {
        const wire = await ground(`[safe]\n\tdirectory = "${safe}"\n${excludes}`);
        expect(wire).toMatchObject({ inventory_source: 'git', warnings: [] });
        expect(wire.repository_fingerprint.head_commit).toBe(head);
        // Nothing else of the settings counts.
        expect(wire.selected_sources.map(({ path }) => path)).toEqual(['a', 'b']);
      }
      // Where Git looks, too: what the settings include, and both files of settings.
      write(home, { included: `[safe]\n\tdirectory = ${root}\n` });
      expect(await ground('[include]\n\tpath = included\n')).toMatchObject({ inventory_source: 'git', warnings: [] });
      write(home, { '.config/git/config': `[safe]\n\tdirectory = ${root}\n` });
      expect(await ground('[user]\n\tname = Test\n')).toMatchObject({ inventory_source: 'git', warnings: [] });
      rmSync(join(home, '.config'), { recursive: true });
      for (const settings of [`[safe]\n\tdirectory = ${home}\n`, '[safe]\n\tdirectory = *\n\tdirectory = \n']) {
        const wire = await ground(settings);
        expect(wire.inventory_source).toBe('filesystem');
        expect(wire.warnings[0]).toContain('does not trust the owner');
      }
    },
  );

  it('never write a global configuration', async () => {
    const home = temporary();
    await groundIn(repository({ a: 'a' }), {}, { env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home } });
    expect(readdirSync(home)).toEqual([]);
  });

  it('survive a Git that fails or does not end', async () => {
    const root = repository({ a: 'a' });
    // A short time only for those that do not end: on a loaded machine it may be over before a script has begun.
    for (const [script, why, commandMilliseconds] of [
      ['#!/bin/sh\nexit 3\n', 'Git ended with status 3', undefined],
      ['#!/bin/sh\nexec sleep 60\n', 'Git did not answer in time', 200],
      ['#!/bin/sh\nsleep 6\nexit 0\n', 'Git did not answer in time', 200],
      ['#!/nonexistent/interpreter\n', 'Git could not be started', undefined],
    ] as const) {
      const bin = temporary('bin-');
      write(bin, { git: script });
      chmodSync(join(bin, 'git'), 0o755);
      const env = { PATH: `${bin}:/usr/bin:/bin` };
      const { wire } = await groundIn(root, {}, { env, commandMilliseconds });
      expect(wire.inventory_source).toBe('filesystem');
      expect(wire.warnings[0]).toContain(why);
    }
  });

  it('serve where Git tells the state of the work tree and cannot list it', async () => {
    const root = repository({ a: 'a' });
    write(root, { b: 'b' });
    const grounding = await groundIn(root, {}, gitWithout('ls-files'));
    expect(grounding.wire.inventory_source).toBe('filesystem');
    expect(grounding.wire.warnings[0]).toContain('Git ended with status 129');
    expect(pathsOf(grounding)).toEqual(['a', 'b']);
  });

  it('are not taken where Git lists at least what is tracked', async () => {
    const root = repository({ a: 'a' });
    write(root, { b: 'b' });
    const grounding = await groundIn(root, {}, gitWithout(' status --', '--others'));
    expect(grounding.wire.inventory_source).toBe('git');
    expect(grounding.wire.warnings[0]).toContain('incomplete');
    expect(pathsOf(grounding)).toEqual(['a']);
  });

  it('stop when the time is over and say so', async () => {
    const root = temporary();
    write(root, { a: 'a' });
    const { wire } = await groundIn(root, {}, { ...noPrograms, commandMilliseconds: -1 });
    expect(wire.warnings.join('\n')).toContain('The walk stopped after 0 files (the time was over)');
  });

  it('are not taken where Git fails to tell the attributes alone, which is said', async () => {
    const root = repository({ 'gen/login.ts': 'a', 'z.ts': 'b', '.gitattributes': 'gen/** linguist-generated\n' });
    const input = { request: 'login' };
    const told = await groundIn(root, input);
    const untold = await groundIn(root, input, gitWithout('check-attr'));
    expect(untold.wire.inventory_source).toBe('git');
    expect(untold.wire.warnings).toEqual([...told.wire.warnings, expect.stringContaining('generated or vendored')]);
    const score = ({ wire }: typeof told) => wire.selected_sources.find(({ path }) => path === 'gen/login.ts')?.score;
    expect(score(untold)).toBeGreaterThan(score(told) ?? 0);
  });

  it('stop the walk at one file more than the budget and say that it stopped', async () => {
    const root = temporary();
    for (let n = 0; n < 9; n += 1) write(root, { [`d${n % 3}/f${n}`]: `${n}` });
    const { wire } = await groundIn(root, { budget: { max_inventory_files: 5 } }, noPrograms);
    expect(wire.budget.candidate_files).toBe(6);
    expect(wire.excluded_candidates).toEqual([{ reason: 'inventory_budget', count: 1 }]);
    expect(wire.warnings.join('\n')).toContain('The walk stopped after 6 files');
    const all = await groundIn(root, { budget: { max_inventory_files: 9 } }, noPrograms);
    expect(all.wire.budget.candidate_files).toBe(9);
    expect(all.wire.warnings.join('\n')).not.toContain('stopped');
  });

  it('walk in the order of names, whatever the order on disk, so that the cut takes the last', async () => {
    const root = temporary();
    for (let n = 39; n >= 0; n -= 1) write(root, { [`f${n}`]: `${n}` });
    const grounding = await groundIn(root, { budget: { max_inventory_files: 5 } }, noPrograms);
    expect(pathsOf(grounding)).toEqual(['f0', 'f1', 'f10', 'f11', 'f12']);
  });

  it('walk past links, pipes and closed directories', async () => {
    const root = temporary();
    write(root, { 'a/x': 'x' });
    mkdirSync(join(root, 'empty'));
    symlinkSync('a', join(root, 'link'));
    symlinkSync('/etc', join(root, 'outside'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const grounding = await groundIn(root, {}, noPrograms);
    expect(pathsOf(grounding)).toEqual(['a/x']);
    expect(countsOf(grounding)).toEqual({ non_regular_file: 2, symlink_escape: 1 });
  });

  it.runIf(hasRipgrep)('list by ripgrep with the ignore rules of the repository (skipped without rg)', async () => {
    const root = repository({ '.gitignore': 'hidden\n', a: 'a', '.dot': 'd', 'node_modules/x': 'x' });
    write(root, { hidden: 'h' });
    rmSync(join(root, '.git'), { recursive: true });
    const grounding = await groundIn(root, {}, programs('rg'));
    expect(grounding.wire.inventory_source).toBe('ripgrep');
    expect(pathsOf(grounding)).toEqual(['.dot', '.gitignore', 'a']);
  });

  it('ask ripgrep for names ended by NUL, hidden ones included, and never to skip ignore rules', async () => {
    const root = temporary();
    write(root, { a: 'a', 'b\nc': 'b', unlisted: 'u' });
    const bin = temporary('bin-');
    const asked = join(bin, 'asked');
    // Not ripgrep: it stands for a listing program, to see what is asked and how the answer is read.
    write(bin, { rg: `#!/bin/sh\nprintf '%s\\n' "$@" > '${asked}'\nprintf 'b\\nc\\0a\\0'\n` });
    chmodSync(join(bin, 'rg'), 0o755);
    const grounding = await groundIn(root, {}, { env: { PATH: bin } });
    expect(grounding.wire.inventory_source).toBe('ripgrep');
    expect(pathsOf(grounding)).toEqual(['a', 'b\nc']);
    const args = readFileSync(asked, 'utf8').split('\n');
    const files = ['--files', '--hidden', '--null', '--no-require-git', '--no-config'];
    // Rules of the directories above, and of the user, hide nothing here.
    for (const flag of [...files, '--no-ignore-parent', '--no-ignore-global']) expect(args).toContain(flag);
    expect(args).toContain('!node_modules');
    expect(args).not.toContain('--no-ignore');
    expect(grounding.wire.warnings[0]).toContain('ripgrep listed them');
  });
});

describe('an aborted grounding', () => {
  it('ends with the reason of the signal, before and in the middle', async () => {
    const root = repository({ a: 'a' });
    const reason = new Error('the host went away');
    await expect(groundIn(root, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    for (const stage of ['inventory', 'ranking', 'reading'] as const) {
      const controller = new AbortController();
      const onProgress = (progress: { stage: string }): void => {
        if (progress.stage === stage) controller.abort(reason);
      };
      await expect(groundIn(root, {}, { signal: controller.signal, onProgress })).rejects.toBe(reason);
    }
  });
});
