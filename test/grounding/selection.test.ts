import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetDefaults } from '../../src/grounding/budget.ts';
import { rankFiles } from '../../src/grounding/ranking/ranking.ts';
import { readRequest } from '../../src/grounding/requestTerms.ts';
import { type Selection, selectFiles } from '../../src/grounding/selection.ts';
import { countsOf, type Files, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const hunter = `password = "${'hunter2'}hunter2"`;

describe('the selection', () => {
  it('counts each reason that a still disk can give', async () => {
    const root = repository({
      'dist/x': 'x',
      '.env': 'x',
      [`${'日'.repeat(80)}/${'本'.repeat(80)}/${'語'.repeat(80)}`]: 'x',
      'a-wanted/binary': 'a\0b',
      'a-wanted/copy': 'first',
      'a-wanted/first': 'first',
      'a-wanted/huge': 'h'.repeat(200),
      'a-wanted/latin1': Buffer.from([0xe9]),
      'a-wanted/secret-content': hunter,
      'a-wanted/wide': 'w'.repeat(100),
      'b/gone': 'g',
      'wanted-last': 'l',
      z1: '1',
      z2: '2',
      z3: '3',
      z4: '4',
      z5: '5',
      z6: '6',
      z7: '7',
      z8: '8',
      z9: '9',
    });
    execFileSync('rm', [join(root, 'b/gone')]);
    const outside = temporary();
    write(outside, { 'dir/file': 'outside' });
    symlinkSync(join(outside, 'dir/file'), join(root, 'a-wanted/link'));
    execFileSync('mkfifo', [join(root, 'b/pipe')]);
    const input = { request: 'wanted', activePaths: ['b/gone', 'b/pipe'] };
    const budget = { max_file_bytes: 150, max_total_bytes: 100 };
    expect(countsOf(await groundIn(root, { ...input, budget }))).toEqual({
      binary_file: 1,
      duplicate_content: 1,
      excluded_directory: 1,
      file_too_large: 1,
      invalid_path: 1,
      invalid_utf8: 1,
      low_relevance: 1,
      non_regular_file: 1,
      secret_content: 1,
      secret_like_file: 1,
      symlink_escape: 1,
      total_bytes_budget: 1,
      unreadable_file: 1,
    });
    const few = await groundIn(root, { ...input, budget: { ...budget, max_files: 2, max_inventory_files: 12 } });
    expect(countsOf(few)).toMatchObject({ file_count_budget: 7, inventory_budget: 8 });
    // `path_escape`, the sixteenth, needs a directory that becomes a link: the races of readFile.test.ts show it.
  });

  it('keeps eight files that nothing speaks for, and warns', async () => {
    const root = repository(
      Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`f${String(n).padStart(2, '0')}`, `${n}`])),
    );
    const grounding = await groundIn(root);
    expect(pathsOf(grounding)).toEqual(['f00', 'f01', 'f02', 'f03', 'f04', 'f05', 'f06', 'f07']);
    expect(countsOf(grounding)).toEqual({ low_relevance: 4 });
    expect(grounding.wire.warnings).toHaveLength(1);
    expect(grounding.wire.warnings[0]).toContain('4 files');
  });

  it('goes on behind a file that does not fit: smaller ones may', async () => {
    const root = repository({ a: 'a'.repeat(60), b: 'b'.repeat(60), c: 'c'.repeat(40), empty: '' });
    const grounding = await groundIn(root, { budget: { max_total_bytes: 100 } });
    expect(pathsOf(grounding)).toEqual(['a', 'c', 'empty']);
    expect(grounding.wire.budget).toMatchObject({ selected_bytes: 100, selected_files: 3, estimated_tokens: 25 });
    expect(countsOf(grounding)).toEqual({ total_bytes_budget: 1 });
  });

  it('does not search a whole repository for what fits: behind 2,000 files without room no more are read', async () => {
    const root = temporary();
    const large = Array.from({ length: 2001 }, (_, n) => [`a${String(n).padStart(4, '0')}`, `${n}`.padEnd(60, '.')]);
    write(root, { ...Object.fromEntries(large), b: 'b', 'c.txt': 'hidden\0' });
    const input = { request: 'Look at the end', budget: { max_total_bytes: 100 } };
    const grounding = await groundIn(root, input, { env: { PATH: '' } });
    expect(pathsOf(grounding)).toEqual(['a0000']);
    expect(countsOf(grounding)).toEqual({ total_bytes_budget: 2002 });
    const named = await groundIn(root, { ...input, activePaths: ['b'] }, { env: { PATH: '' } });
    expect(pathsOf(named)).toEqual(['b', 'a0000']);
  });

  it('reads a link at its target, which then counts as a copy', async () => {
    const root = repository({ 'AGENTS.md': 'rules', src: 's' });
    symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
    const grounding = await groundIn(root);
    expect(pathsOf(grounding)).toEqual(['AGENTS.md', 'src']);
    expect(countsOf(grounding)).toEqual({ duplicate_content: 1 });
  });

  it('keeps what only looks like a secret (T32)', async () => {
    const hex = '0123456789abcdef'.repeat(4);
    const base64 = `${'Ab3+/Xy9'.repeat(10)}abcdef==`;
    const root = repository({
      'locks/package-lock.json': JSON.stringify({
        packages: {
          'node_modules/a': { integrity: `sha512-${base64}`, resolved: 'https://example.org/a.tgz' },
          'node_modules/jsonwebtoken': { version: '9.0.2', resolved: `https://example.org/t.tgz#${hex.slice(0, 40)}` },
        },
      }),
      'locks/yarn.lock': `"token-types@^5.0.1":\n  version "5.0.1"\n  resolved "https://example.org/token-types.tgz#${hex.slice(0, 40)}"\n  integrity sha512-${base64}\n`,
      'locks/pnpm-lock.yaml': `  /csrf-token@1.0.0:\n    resolution: {integrity: sha512-${base64}}\n`,
      'locks/Cargo.lock': `[[package]]\nname = "secret"\nversion = "1.0.0"\nchecksum = "${hex}"\n`,
      'locks/go.sum': `example.org/token v1.2.3 h1:${base64.slice(0, 43)}=\nexample.org/token v1.2.3/go.mod h1:${base64.slice(8, 51)}=\n`,
      'locks/poetry.lock': `[metadata.files]\nsecret = [\n    {file = "secret-1.0.whl", hash = "sha256:${hex}"},\n]\n`,
      'locks/uv.lock': `wheels = [{ url = "https://example.org/token-1.whl", hash = "sha256:${hex}", size = 12345678 }]\n`,
      'locks/Gemfile.lock': `GEM\n  specs:\n    password (1.2.3)\n\nCHECKSUMS\n  password (1.2.3) sha256=${hex}\n`,
      'locks/composer.lock': JSON.stringify({ 'content-hash': hex.slice(0, 32), dist: { shasum: hex.slice(0, 40) } }),
      'docs/page.html': `<input type="password" name="token"><script integrity="sha384-${base64.slice(0, 64)}"></script>\n`,
      'docs/Dockerfile': `FROM node:20@sha256:${hex}\n`,
      'docs/uuid.txt': '3f2504e0-4f89-11d3-9a0c-0305e82c3301\n',
      'docs/min.js': '!function(e,t){var n=e.token,r=t.password;n(r)}(window,{token:1,password:a});'.repeat(50),
      'docs/login.ts':
        'export function login(user: string, password: SecretString, token: CancellationToken): void {}\n',
      'docs/login.py':
        'def login(self, password, token):\n    self.password = password\n    self.token = access_token\n',
      'docs/de.json': '{"password": "Password", "token": "Token"}\n',
      'docs/words.md': 'The password and the token are secret: keep them.\n',
    });
    const grounding = await groundIn(root, { request: 'locks docs' });
    expect(pathsOf(grounding)).toHaveLength(17);
    expect(countsOf(grounding)).toEqual({});
  });

  it('shows which rule left out which named file, and never the secret (T32)', async () => {
    const value = `${'hunter2'}hunter2`;
    const root = repository({
      'config/app.ini': hunter,
      'other.ini': `token: ${value}`,
      'AGENTS.md': `api_key = "${value}"`,
      '.env': 'A=1',
    });
    const grounding = await groundIn(root, { activePaths: ['config/app.ini', '.env'] });
    expect(countsOf(grounding)).toEqual({ secret_content: 3, secret_like_file: 1 });
    expect(grounding.wire.warnings).toEqual([
      'Files were left out whole because their content looks like a credential: 3 (assignment 3).',
      'repo://.env was left out: its name says that it holds a secret.',
      'repo://AGENTS.md was left out: its content looks like a credential (assignment).',
      'repo://config/app.ini was left out: its content looks like a credential (assignment).',
    ]);
    expect(JSON.stringify(grounding)).not.toContain(value);
    expect(JSON.stringify(grounding)).not.toContain('other.ini');
  });

  it('is not held up by files made for slow patterns (T31)', async () => {
    const files: Record<string, string> = {};
    for (const [index, unit] of ['A', 'A_', 'a.', '-eyJ', '-----BEGIN ', 'QUJDRA+/', '{', 'token=a.'].entries()) {
      files[`f${index}`] = unit.repeat(1_048_576 / unit.length);
    }
    const grounding = await groundIn(repository(files), {
      budget: { max_file_bytes: 2_097_152, max_total_bytes: 16_777_216 },
    });
    expect(pathsOf(grounding)).toHaveLength(8);
  });
});

describe('properties of the selection', () => {
  const name = fc.constantFrom(
    'alpha',
    'beta.ts',
    'src/alpha.ts',
    'src/beta/gamma.md',
    'docs/gamma.md',
    'README.md',
    'AGENTS.md',
    'zeta',
    'x/y/z',
    'one',
    'two',
    'three',
  );
  const content = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('same', hunter, 'b\0n', 'x'.repeat(300)));
  const files = fc.dictionary(name, content, { maxKeys: 12 });
  const request = fc.constantFrom('look', 'the alpha of gamma', 'src/alpha.ts', 'beta beta');

  const select = async (
    root: string,
    paths: readonly string[],
    text: string,
    budget: Partial<typeof budgetDefaults>,
    readers = 8,
  ): Promise<Selection> =>
    selectFiles({
      ranked: rankFiles({
        files: paths.map((path) => ({ path, tracked: true })),
        request: readRequest(text),
        active: new Set(),
      }),
      budget: { ...budgetDefaults, ...budget },
      reading: { root, excludedRoots: [], maximumBytes: budget.max_file_bytes ?? 131_072 },
      readers,
    });

  const withFiles = async <T>(tree: Files, run: (root: string) => Promise<T>): Promise<T> => {
    const root = temporary();
    write(root, tree);
    return run(root);
  };

  it('is the same with one reader and with many', async () => {
    await fc.assert(
      fc.asyncProperty(files, request, fc.integer({ min: 1, max: 6 }), async (tree, text, max_files) => {
        await withFiles(tree, async (root) => {
          const paths = Object.keys(tree);
          const one = await select(root, paths, text, { max_files, max_total_bytes: 400 }, 1);
          expect(await select(root, paths, text, { max_files, max_total_bytes: 400 }, 16)).toEqual(one);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('stays within every budget, and every listed file is selected or counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        request,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 500 }),
        async (tree, text, max_files, max_total_bytes) => {
          await withFiles(tree, async (root) => {
            const { selected, excluded } = await select(root, Object.keys(tree), text, {
              max_files,
              max_total_bytes,
              max_file_bytes: 200,
            });
            expect(selected.length).toBeLessThanOrEqual(max_files);
            expect(selected.reduce((sum, file) => sum + file.sizeBytes, 0)).toBeLessThanOrEqual(max_total_bytes);
            for (const file of selected) expect(file.sizeBytes).toBeLessThanOrEqual(200);
            expect(selected.length + [...excluded.values()].reduce((sum, count) => sum + count, 0)).toBe(
              Object.keys(tree).length,
            );
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never loses a file that something speaks for to one that nothing speaks for', async () => {
    await fc.assert(
      fc.asyncProperty(files, request, fc.integer({ min: 1, max: 6 }), async (tree, text, max_files) => {
        await withFiles({ ...tree, irrelevant: 'nothing' }, async (root) => {
          const paths = Object.keys(tree);
          const before = await select(root, paths, text, { max_files, max_total_bytes: 400 });
          const after = await select(root, [...paths, 'irrelevant'], text, { max_files, max_total_bytes: 400 });
          const kept = new Set(after.selected.map(({ path }) => path));
          for (const file of before.selected) if (file.score > 0) expect(kept).toContain(file.path);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every selected file when the number of files may grow', async () => {
    await fc.assert(
      fc.asyncProperty(files, request, fc.integer({ min: 1, max: 6 }), async (tree, text, max_files) => {
        await withFiles(tree, async (root) => {
          const small = await select(root, Object.keys(tree), text, { max_files });
          const large = await select(root, Object.keys(tree), text, { max_files: max_files + 3 });
          const kept = new Set(large.selected.map(({ path }) => path));
          for (const { path } of small.selected) expect(kept).toContain(path);
        });
      }),
      { numRuns: 60 },
    );
  });
});
