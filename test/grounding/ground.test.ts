import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextManifest } from '../../schemas/artifacts/controller.ts';
import { ContextDocument } from '../../schemas/artifacts/ledgerOnly.ts';
import { ContextManifestWire, toCanonicalManifest } from '../../schemas/artifacts/manifestWire.ts';
import type { GroundingProgress } from '../../src/grounding/ground.ts';
import { type Grounding, reportOnlyManifest } from '../../src/grounding/manifest.ts';
import { countsOf, type Files, git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const sample = {
  'AGENTS.md': 'Run the tests.\n',
  'package.json': '{}\n',
  'src/args.ts': 'export const timeout = 1;\n',
  'src/bom.ts': '\ufeffexport const b = 1;\n',
  'src/copy.ts': '{}\n',
  'docs/é 日本.md': 'text\n',
  'dist/out.js': 'out\n',
  '.env': 'A=1\n',
  'binary.bin': 'a\0b',
  empty: '',
};

/** A directory with these files, without Git. */
function directoryOf(files: Files): string {
  const root = temporary();
  write(root, files);
  return root;
}

function expectSound({ wire, documents }: Grounding): void {
  expect(ContextManifestWire.safeParse(wire).error).toBeUndefined();
  expect(ContextManifest.safeParse(toCanonicalManifest(wire)).error).toBeUndefined();
  for (const document of documents) expect(ContextDocument.safeParse(document).error).toBeUndefined();
  expect(wire.derived_refs).toEqual(documents.map(({ id }) => `artifact://${wire.run_id}/${id}`));
  expect(wire.selected_sources.map(({ ref, content_hash }) => [ref, content_hash])).toEqual(
    documents.map(({ repositoryRef, contentHash }) => [repositoryRef, contentHash]),
  );
}

describe('a grounding', () => {
  it('fits the schemas: wire form, canonical form and every document', async () => {
    const grounding = await groundIn(repository(sample), { activePaths: ['src'] });
    expectSound(grounding);
    expect(pathsOf(grounding)).toEqual([
      'AGENTS.md',
      'src/args.ts',
      'src/bom.ts',
      'src/copy.ts',
      'docs/é 日本.md',
      'empty',
    ]);
    expect(countsOf(grounding)).toEqual({
      binary_file: 1,
      duplicate_content: 1,
      excluded_directory: 1,
      secret_like_file: 1,
    });
    expect(grounding.wire.excluded_candidates.map(({ reason }) => reason)).toEqual(
      Object.keys(countsOf(grounding)).sort(),
    );
    expect(grounding.wire.budget).toMatchObject({ candidate_files: 10, selected_files: 6 });
  });

  it('has the ids that its content makes', async () => {
    const root = repository(sample);
    const { wire, documents } = await groundIn(root, { budget: { max_files: 2 } });
    const identity = {
      run_id: 'run-1',
      repository_fingerprint: wire.repository_fingerprint,
      selected_sources: wire.selected_sources.map(({ ref, content_hash }) => ({ ref, content_hash })),
      budget: { max_files: 2, max_file_bytes: 131_072, max_total_bytes: 524_288, max_inventory_files: 20_000 },
    };
    expect(wire.id).toBe(`context-${sha256(JSON.stringify(identity)).slice(0, 16)}`);
    expect(documents.map(({ id }) => id)).toEqual([
      `${wire.id}-source-001-${sha256(sample['AGENTS.md']).slice(0, 13)}`,
      `${wire.id}-source-002-${sha256(sample['package.json']).slice(0, 13)}`,
    ]);
  });

  it('stores the exact text of each file', async () => {
    const root = repository(sample);
    const { documents } = await groundIn(root, { activePaths: ['src/bom.ts', 'docs/é 日本.md'] });
    for (const { repositoryRef, content, contentHash, sizeBytes } of documents) {
      const bytes = readFileSync(join(root, decodeURIComponent(repositoryRef.slice('repo://'.length))));
      expect([contentHash, sizeBytes]).toEqual([`sha256:${sha256(bytes)}`, bytes.length]);
      expect(Buffer.from(content).equals(bytes)).toBe(true);
    }
  });

  it.each([
    ['', 0],
    ['1234', 1],
    ['12345', 2],
    ['日本', 2],
  ])('estimates a token for each four bytes begun: %j has %i', async (content, tokens) => {
    const { wire } = await groundIn(directoryOf({ a: content }), {}, { env: { PATH: '' } });
    expect(wire.budget.estimated_tokens).toBe(tokens);
  });

  it('writes nothing into the repository', async () => {
    const root = repository(sample);
    const before = readdirSync(root, { recursive: true }).sort();
    await groundIn(root);
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
  });

  it('names no file that it left out', async () => {
    const root = repository({
      ...sample,
      'hidden-one/dist/a': 'a',
      'hidden-two.pem': 'k',
      'hidden-three.bin': '\0',
      'hidden-four.txt': 'x'.repeat(900),
    });
    const errors: string[] = [];
    const grounding = await groundIn(root, { budget: { max_file_bytes: 500 } });
    errors.push(JSON.stringify(grounding));
    await groundIn(root, { activePaths: ['../x'] }).catch((error: Error) => errors.push(error.message));
    expect(errors).toHaveLength(2);
    for (const text of errors)
      for (const word of ['hidden', 'dist', '.env', 'binary.bin', 'copy.ts']) expect(text).not.toContain(word);
  });

  it('takes a request of 32,768 characters, however many bytes', async () => {
    const root = repository({ a: 'a' });
    const { wire } = await groundIn(root, { request: '日'.repeat(32_768) });
    expect(wire.budget.selected_files).toBe(1);
    await expect(groundIn(root, { request: 'x'.repeat(32_769) })).rejects.toMatchObject({ code: 'invalid_arguments' });
    await expect(groundIn(root, { request: '' })).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it.each([
    [{ runId: '' }],
    [{ runId: 'a/b' }],
    [{ runId: '-a' }],
    [{ runId: 'a'.repeat(129) }],
    [{ repositoryRoot: '' }],
    [{ repositoryRoot: '/nonexistent/repository' }],
    [{ repositoryRoot: `/${'a'.repeat(4096)}` }],
    [{ budget: { max_files: 0 } }],
    [{ budget: { max_files: 257 } }],
    [{ budget: { max_file_bytes: 2_097_153 } }],
    [{ budget: { max_total_bytes: 16_777_217 } }],
    [{ budget: { max_inventory_files: 100_001 } }],
    [{ budget: { max_files: 1.5 } }],
    [{ budget: { max_files: Number.NaN } }],
    [{ budget: JSON.parse('{"max_bytes":1}') }],
    [{ excludedRoots: ['relative'] }],
    [{ excludedRoots: Array.from({ length: 17 }, (_, n) => `/x${n}`) }],
  ])('refuses %j as an input error that says what would work', async (input) => {
    const root = repository({ a: 'a' });
    await expect(groundIn(root, input)).rejects.toMatchObject({ name: 'GroundingError', code: 'invalid_arguments' });
    await expect(groundIn(root, input)).rejects.toHaveProperty('nextSteps.0');
  });

  it('takes every limit at its edges', async () => {
    const root = repository(sample);
    const one = { max_files: 1, max_file_bytes: 1, max_total_bytes: 1, max_inventory_files: 1 };
    expectSound(await groundIn(root, { budget: one }));
    const most = {
      max_files: 256,
      max_file_bytes: 2_097_152,
      max_total_bytes: 16_777_216,
      max_inventory_files: 100_000,
    };
    expectSound(await groundIn(root, { budget: most, runId: `a${'.:_-'.repeat(31)}xyz` }));
  });

  it.each(['inventory', 'ranking', 'reading'] as const)('of a root that goes away is refused (%s)', async (stage) => {
    const root = repository({ a: 'a' });
    const onProgress = (progress: { readonly stage: string }): void => {
      if (progress.stage === stage) rmSync(root, { recursive: true, force: true });
    };
    await expect(groundIn(root, {}, { onProgress })).rejects.toMatchObject({
      name: 'GroundingError',
      code: 'invalid_arguments',
      message: expect.stringContaining('is not a directory'),
    });
  });

  it('reports its progress stage by stage', async () => {
    const seen: GroundingProgress[] = [];
    await groundIn(repository(sample), {}, { onProgress: (progress) => seen.push(progress) });
    expect([...new Set(seen.map(({ stage }) => stage))]).toEqual(['inventory', 'ranking', 'reading', 'storing']);
    for (const { done, total } of seen) expect(total === 0 || done <= total).toBe(true);
    expect(seen.at(-1)).toEqual({ stage: 'storing', done: 0, total: 6 });
  });

  it('pins at most 256 files and refers to as many documents', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `f${n}`);
    const root = repository({ 'AGENTS.md': 'a', ...Object.fromEntries(names.map((name) => [name, name])) });
    const grounding = await groundIn(root, { activePaths: names.slice(0, 256), budget: { max_files: 256 } });
    expectSound(grounding);
    expect(grounding.wire.pinned_refs).toHaveLength(256);
    expect(countsOf(grounding)).toEqual({ file_count_budget: 45 });
  });
});

describe('the same repository gives the same bytes', () => {
  const bytes = async (...args: Parameters<typeof groundIn>): Promise<string> =>
    JSON.stringify(await groundIn(...args));

  it('twice, with one reader and with many', async () => {
    const root = repository(sample);
    const first = await bytes(root);
    expect(await bytes(root)).toBe(first);
    for (const readers of [1, 2, 32]) expect(await bytes(root, {}, { readers })).toBe(first);
  });

  it('in a copy with other inodes, times and order on disk', async () => {
    const root = repository(sample);
    const copy = join(temporary(), 'copy');
    cpSync(root, copy, { recursive: true, filter: (source) => !source.endsWith('/AGENTS.md') });
    cpSync(join(root, 'AGENTS.md'), join(copy, 'AGENTS.md'));
    utimesSync(join(copy, 'AGENTS.md'), 1, 1);
    expect(await bytes(copy)).toBe(await bytes(root));
    expect(await bytes(copy, {}, { env: { PATH: '' } })).toBe(await bytes(root, {}, { env: { PATH: '' } }));
  });

  it('whatever the order of the active paths', async () => {
    const root = repository(sample);
    const paths = ['src/args.ts', 'docs', 'package.json', 'missing', 'empty'];
    const first = await bytes(root, { activePaths: paths });
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(paths, { minLength: paths.length }), async (activePaths) => {
        expect(await bytes(root, { activePaths })).toBe(first);
      }),
      { numRuns: 8 },
    );
  });

  it('in another work tree of the same commit', async () => {
    const root = repository(sample);
    const tree = join(temporary(), 'tree');
    git(root, 'worktree', 'add', '-q', '--detach', tree);
    expect(await bytes(tree)).toBe(await bytes(root));
  });

  it('and another run, request or budget gives another id', async () => {
    const root = repository(sample);
    const ids = await Promise.all([
      groundIn(root),
      groundIn(root, { runId: 'run-2' }),
      groundIn(root, { request: 'docs' }),
      groundIn(root, { budget: { max_files: 47 } }),
    ]);
    expect(new Set(ids.map(({ wire }) => wire.id)).size).toBe(4);
  });
});

describe('the manifest of report_only', () => {
  it('is empty, with all limits 1 and one warning', () => {
    const manifest = reportOnlyManifest('run-timeout-01-and-more');
    expect(ContextManifest.safeParse(manifest).error).toBeUndefined();
    expect(manifest).toMatchObject({
      id: 'context-report-only-run-timeout-',
      runId: 'run-timeout-01-and-more',
      repositoryFingerprint: { headCommit: null, dirtyWorktreeHash: `sha256:${sha256('')}` },
      candidates: [],
      inventorySource: 'filesystem',
    });
    expect(manifest.warnings).toHaveLength(1);
    expect(Object.values(manifest.budget)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  });
});

describe('a large repository', () => {
  it('of names that JSON must escape still has a manifest of less than 2 MiB', async () => {
    const odd = '\u0001'.repeat(160);
    const names = Array.from({ length: 256 }, (_, n) => `${odd}/${odd}/${odd}/${odd}${n}`);
    const root = temporary();
    write(root, Object.fromEntries(names.map((name, n) => [name, `${n}`])));
    const grounding = await groundIn(root, { activePaths: names, budget: { max_files: 256 } });
    expectSound(grounding);
    expect(JSON.stringify(toCanonicalManifest(grounding.wire)).length).toBeLessThan(2_097_152);
    const { selected_files } = grounding.wire.budget;
    expect(selected_files).toBeGreaterThan(100);
    expect(countsOf(grounding)).toEqual({ file_count_budget: 256 - selected_files });
  });

  it('of any names is grounded into a manifest that fits', async () => {
    const names = fc.uniqueArray(
      fc.stringMatching(/^[a-zA-Z0-9é日 ._%\n"'-]{1,12}(\/[a-zA-Z0-9é日 ._%\n"'-]{1,12}){0,3}$/),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(names, async (paths) => {
        const root = temporary();
        git(root, 'init', '-q');
        for (const path of paths) {
          try {
            write(root, { [path]: path });
          } catch {
            // A name that is a directory already, `.` or `..`: the disk refuses it, which is not what is tested.
          }
        }
        expectSound(await groundIn(root, { request: paths.join(' ') }));
        expectSound(await groundIn(root, {}, { env: { PATH: '' } }));
      }),
      { numRuns: 25 },
    );
  });
});
