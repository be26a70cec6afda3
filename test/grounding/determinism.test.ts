import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExclusionReason } from '../../schemas/artifacts/controller.ts';
import { budgetDefaults } from '../../src/grounding/budget.ts';
import { takeFingerprint } from '../../src/grounding/git/fingerprint.ts';
import { bindGit } from '../../src/grounding/git/git.ts';
import type { GroundingInput, GroundingOptions } from '../../src/grounding/ground.ts';
import { createCollector } from '../../src/grounding/inventory/inventoryCollector.ts';
import { buildGrounding } from '../../src/grounding/manifest.ts';
import { rankRepository } from '../../src/grounding/ranking/rankRepository.ts';
import { selectFiles } from '../../src/grounding/selection.ts';
import { type Files, git, groundIn, repository, temporary, write } from './repository.ts';

/** Nothing is dropped for a machine that is loaded. */
const clock = (): number => 0;

// A capital I, one without a dot, and letters with marks: what locales lower and sort each in its own way.
const directories = ['', 'src/', 'IO/INNER/', 'ui/', 'gen/', 'DIST/', 'p/a/', 'CREDENTIALS/'];
const names = ['INDEX.ts', 'ıx.md', 'Info.md', 'ä.ts', 'z.ts', 'ITEM.md', 'AGENTS.md', 'package.json', 'GEMFILE'];
const others = ['PIPFILE.LOCK', 'INIT.MIN.JS', 'hidden.ts', 'ID_RSA', 'HISTORY.MD', '.ENV.DIST'];
const path = fc
  .tuple(fc.constantFrom(...directories), fc.constantFrom(...names, ...others))
  .map((parts) => parts.join(''));
const words = ['LIMIT IS HIT', 'initItem', 'InitItem ', 'inner i ', 'INVALID Index\n', 'TITLE', 'ä', 'other words\n'];
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.constantFrom('same', `PASSWORD = "${'hunter2'}hunter2"`, 'b\0n', '') },
);
const files = fc.dictionary(path, text, { minKeys: 3, maxKeys: 12 });
const request = fc.constantFrom(
  'Why does "LIMIT IS HIT" come from InitItem in INDEX?',
  'Look around',
  'TITLE at /ci/IO/INNER/ITEM.md:3:1 and UI/INDEX.ts',
  'IndexError: INVALID Index in src/INDEX.ts:10:2, for İtem and ITEM_ID',
);
const changed = fc.subarray(['INDEX.ts', 'ui/ITEM.md', 'src/initItem.ts', 'z.ts'], { minLength: 1 });
const activePaths = fc.shuffledSubarray(['src', 'ui/ITEM.md', 'IO/INNER/Info.md', 'missing/x.ts'], { maxLength: 2 });
const budget = fc.record(
  { max_files: fc.integer({ min: 1, max: 12 }), max_total_bytes: fc.integer({ min: 1, max: 400 }) },
  { requiredKeys: [] },
);

/** In each repository: what rules of Git hide, what its attributes say, and names that a locale could change. */
const always: Files = {
  '.gitignore': 'hidden*\n',
  '.gitattributes': 'gen/** linguist-generated\nui/*.ts linguist-vendored\n',
  'src/initItem.ts': 'export const initItem = "LIMIT IS HIT";\n',
  'src/ä.ts': 'INVALID Index\n',
  'src/z.ts': 'INVALID index\n',
  'INDEX.ts': 'initItem();\n',
  'z.ts': 'other\n',
  'gen/TITLE.ts': 'TITLE initItem\n',
  'DIST/INDEX.ts': 'left out\n',
  'CREDENTIALS/INDEX.ts': 'left out\n',
  'lib/PIPFILE.LOCK': 'initItem LIMIT IS HIT\n',
};

const home = temporary();
const empty = repository({});

interface Made {
  readonly tracked: Files;
  readonly untracked: Files;
  readonly changed: readonly string[];
}
const made = fc.record({ tracked: files, untracked: files, changed });

/** Makes the repository, gives it to the function, and takes it away. */
async function within(repositoryOf: Made, use: (root: string) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(join(home, 'root-')));
  try {
    cpSync(join(empty, '.git'), join(root, '.git'), { recursive: true });
    write(root, { ...repositoryOf.tracked, ...always });
    git(root, 'add', '-A', '-f');
    git(root, 'commit', '-q', '-m', 'second');
    write(root, Object.fromEntries(repositoryOf.changed.map((name) => [name, `changed ${name}\n`])));
    const news = Object.entries(repositoryOf.untracked).filter(([name]) => !(name in repositoryOf.tracked));
    write(root, Object.fromEntries(news.filter(([name]) => !(name in always))));
    await use(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

type Sent = readonly [GroundingInput, Pick<GroundingOptions, 'readers' | 'content'>];
/** A process of its own that grounds what it is sent, one after another. */
interface Elsewhere {
  readonly bytesOf: (...sent: Sent) => Promise<string>;
  /** How its locale orders four letters. */
  readonly locale: string;
}

describe('the same repository and request give the same manifest and documents, byte for byte', () => {
  const children: ChildProcess[] = [];
  const elsewhere: Elsewhere[] = [];

  beforeAll(async () => {
    const script = join(temporary(), 'ground.mjs');
    await build({
      stdin: {
        contents: `import { ground } from './src/grounding/ground.ts';
          const locale = ['z', 'ä', 'i', 'ı'].sort((a, b) => a.localeCompare(b)).join('');
          process.on('message', ([input, options]) => {
            ground(input, { ...options, clock: () => 0 }).then(
              (grounding) => process.send(JSON.stringify(grounding)),
              (error) => process.send(String(error)),
            );
          });
          process.send(locale);`,
        resolveDir: process.cwd(),
      },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    for (const [LC_ALL, TZ] of [
      ['tr_TR.UTF-8', 'Pacific/Kiritimati'],
      ['sv_SE.UTF-8', 'America/St_Johns'],
    ]) {
      const env = { PATH: process.env.PATH, LC_ALL, LANG: LC_ALL, TZ, HOME: temporary() };
      const child = fork(script, [], { env, execArgv: [] });
      children.push(child);
      const answer = async (): Promise<string> => String((await once(child, 'message'))[0]);
      const locale = await answer();
      const bytesOf = (...sent: Sent): Promise<string> => {
        const answered = answer();
        child.send(sent);
        return answered;
      };
      elsewhere.push({ bytesOf, locale });
    }
  });
  afterAll(() => {
    for (const child of children) child.kill();
  });

  it('twice, with one reader and with eight, under other locales and time zones, with contents and without', async () => {
    // The two differ in what depends on a locale.
    expect(elsewhere.map(({ locale }) => locale)).toEqual(['äıiz', 'iızä']);
    await fc.assert(
      fc.asyncProperty(made, request, activePaths, budget, async (repositoryOf, asked, active, limits) => {
        await within(repositoryOf, async (root) => {
          const input = { request: asked, activePaths: active, budget: limits };
          const whole = { runId: 'run-1', repositoryRoot: root, excludedRoots: [], ...input };
          for (const content of [true, false]) {
            const here = async (readers: number): Promise<string> =>
              JSON.stringify(await groundIn(root, input, { content, readers, clock }));
            const first = await here(8);
            expect(first).toContain('"inventory_source":"git"');
            if (content) expect(await here(1)).toBe(first);
            for (const [index, { bytesOf }] of elsewhere.entries())
              expect(await bytesOf(whole, { content, readers: index === 0 ? 1 : 8 })).toBe(first);
          }
        });
      }),
      { numRuns: 8 },
    );
  });
});

describe('the order in which anything is listed, read or counted', () => {
  it('changes no byte: through collector, ranking, selection, fingerprint and manifest', async () => {
    const keys = fc.infiniteStream(fc.nat());
    await fc.assert(
      fc.asyncProperty(
        made,
        request,
        budget,
        fc.boolean(),
        keys,
        async (repositoryOf, asked, limits, content, order) => {
          await within(repositoryOf, async (root) => {
            const bound = bindGit(root, process.env);
            const reading = { root, excludedRoots: [], maximumBytes: budgetDefaults.max_file_bytes };
            const listed = git(root, 'ls-files', '-z', '--cached', '--others').split('\0').slice(0, -1);
            const bytes = async (mix: <T>(items: Iterable<T>) => T[], readers: number): Promise<string> => {
              const collector = createCollector({
                maximum: 16,
                active: new Set(mix(['ui/ITEM.md', 'INDEX.ts'])),
                pinned: new Set(mix(['AGENTS.md'])),
                excludedDirectories: ['p'],
              });
              for (const name of mix(listed)) collector.offer(Buffer.from(name), name.length % 2 === 0);
              const inventory = collector.finish();
              const ranking = await rankRepository({
                files: mix(inventory.files),
                request: asked,
                active: new Set(mix(['ui/ITEM.md', 'INDEX.ts'])),
                changed: new Set(mix(repositoryOf.changed)),
                git: bound,
                reading,
                content,
                clock,
                readers,
              });
              const chosen = { ...budgetDefaults, ...limits };
              const selection = await selectFiles({ ranked: ranking.files, budget: chosen, reading, readers });
              const paths = mix(inventory.files).map((file) => file.path);
              return JSON.stringify(
                buildGrounding({
                  runId: 'run-1',
                  fingerprint: takeFingerprint(null, paths, new Map(mix(selection.hashes))),
                  selected: selection.selected,
                  excluded: new Map<ExclusionReason, number>(mix([...inventory.excluded, ...selection.excluded])),
                  candidateFiles: inventory.candidateFiles,
                  source: 'git',
                  warnings: ranking.warnings,
                  budget: chosen,
                }),
              );
            };
            const shuffled = <T>(items: Iterable<T>): T[] =>
              [...items]
                .map((item) => ({ item, key: order.next().value }))
                .sort((left, right) => left.key - right.key)
                .map(({ item }) => item);
            const first = await bytes((items) => [...items], 8);
            expect(await bytes((items) => [...items].reverse(), 1)).toBe(first);
            expect(await bytes(shuffled, 8)).toBe(first);
          });
        },
      ),
      { numRuns: 8 },
    );
  });
});
