import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BudgetInput, budgetDefaults } from '../../src/grounding/budget.ts';
import type { GroundingProgress } from '../../src/grounding/ground.ts';
import { GroundingError } from '../../src/grounding/groundingError.ts';
import type { ListedFile } from '../../src/grounding/inventory/inventoryCollector.ts';
import type { Grounding } from '../../src/grounding/manifest.ts';
import { pathInside } from '../../src/grounding/paths.ts';
import { rankRepository } from '../../src/grounding/ranking/rankRepository.ts';
import { selectFiles } from '../../src/grounding/selection.ts';
import { git, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

/**
 * A walk of the directory, without a program, so that hundreds of repositories cost no process; and Git, with a part of
 * the files tracked, for a few.
 */
const ways = [
  { way: 'by the walk', options: { env: { PATH: '' } }, tracked: false, most: 40 },
  { way: 'by Git', options: {}, tracked: true, most: 3 },
] as const;
type Way = (typeof ways)[number];
const hunter = `password = "${'hunter2'}hunter2"`;

/** What may stand at a path of the repository. */
type Entry = { readonly kind: 'file'; readonly content: string } | { readonly kind: 'link'; readonly to: string };

const directories = ['', 'src/', 'src/deep/', 'docs/', 'dist/', 'secrets/', 'pkg/a/'];
const names = ['alpha.ts', 'beta.md', 'gamma', '.env', 'key.pem', 'package.json', 'AGENTS.md', 'zeta.lock'];
const path = fc.tuple(fc.constantFrom(...directories), fc.constantFrom(...names)).map((parts) => parts.join(''));
const content = fc.oneof(
  fc
    .array(fc.constantFrom('alpha ', 'beta ', 'other ', 'words\n', 'é'), { maxLength: 12 })
    .map((words) => words.join('')),
  fc.constantFrom('same', hunter, 'b\0n', 'x'.repeat(300), ''),
);
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 8, arbitrary: content.map((text): Entry => ({ kind: 'file', content: text })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('alpha.ts', '../outside/file', '../../outside/file', '/etc/hostname', '..', 'nowhere', '.', '.env')
      .map((to): Entry => ({ kind: 'link', to })),
  },
);
const tree = fc.dictionary(path, entry, { maxKeys: 14 });
const request = fc.constantFrom(
  'look around',
  'the alpha of beta',
  'src/alpha.ts',
  'beta beta `alpha`',
  'package words',
);
const limits = fc.record(
  {
    max_files: fc.integer({ min: 1, max: 8 }),
    max_total_bytes: fc.integer({ min: 1, max: 700 }),
    max_file_bytes: fc.integer({ min: 1, max: 320 }),
  },
  { requiredKeys: [] },
);

const home = temporary();
write(home, { 'outside/file': 'alpha beta outside' });
const empty = repository({});

/** Makes a repository of the entries, of which Git tracks the first and then every second, and takes it away after use. */
async function within<T>(
  entries: Readonly<Record<string, Entry>>,
  { tracked }: Pick<Way, 'tracked'>,
  use: (root: string) => Promise<T>,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(home, 'root-')));
  try {
    for (const [name, made] of Object.entries(entries)) {
      if (made.kind === 'file') write(root, { [name]: made.content });
      else {
        mkdirSync(join(root, name, '..'), { recursive: true });
        symlinkSync(made.to, join(root, name));
      }
    }
    if (tracked) {
      cpSync(join(empty, '.git'), join(root, '.git'), { recursive: true });
      git(root, 'add', '-f', '--', ...Object.keys(entries).filter((_, index) => index % 2 === 0));
      git(root, 'commit', '-q', '--allow-empty', '-m', 'second');
    }
    return await use(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const scoreOf = ({ wire }: Grounding): ReadonlyMap<string, number> =>
  new Map(wire.selected_sources.map(({ path: selected, score }) => [selected, score]));

describe.each(ways)('whatever the repository, the request and the budget ($way)', (way) => {
  const { options, most } = way;

  it('each selected file lies inside the root, and their sizes add up to no more than the budget', async () => {
    await fc.assert(
      fc.asyncProperty(tree, request, limits, async (entries, text, budget) => {
        await within(entries, way, async (root) => {
          const { wire } = await groundIn(root, { request: text, budget }, options);
          let bytes = 0;
          for (const { path: selected, size_bytes } of wire.selected_sources) {
            expect(pathInside(root, realpathSync(join(root, selected)))).not.toBeNull();
            expect(readFileSync(join(root, selected))).toHaveLength(size_bytes);
            bytes += size_bytes;
          }
          expect(wire.budget.selected_bytes).toBe(bytes);
          expect(bytes).toBeLessThanOrEqual(budget.max_total_bytes ?? 524_288);
        });
      }),
      { numRuns: most },
    );
  });

  it('no path of a file that was left out occurs in what grounding gives, whoever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(tree, request, limits, async (entries, text, budget) => {
        // A word before each name that nothing else has, so that finding it means that the path was told.
        const marked = Object.fromEntries(
          Object.entries(entries).map(([name, made], index) => [`m${index}q/${name}`, made]),
        );
        await within(marked, way, async (root) => {
          const events: GroundingProgress[] = [];
          const onProgress = (progress: GroundingProgress): number => events.push(progress);
          const grounding = await groundIn(root, { request: text, budget }, { ...options, onProgress });
          const selected = new Set(pathsOf(grounding));
          const told = JSON.stringify(grounding);
          const wordOf = (name: string): string => name.slice(0, name.indexOf('/') + 1);
          for (const name of Object.keys(marked)) expect(told.includes(wordOf(name))).toBe(selected.has(name));
          // What is refused tells of the one path or limit that it was given, and of none that lies here.
          let refusals = 0;
          const links = Object.keys(marked).filter((name) => marked[name]?.kind === 'link');
          for (const input of [
            ...['../outside/file', `${root}/../x`, 'a\0b', 'a\\b', ...links].map((active) => ({
              activePaths: [active],
            })),
            ...[{ max_files: 0 }, { max_total_bytes: 1.5 }].map((refused) => ({ budget: refused })),
          ]) {
            const given = JSON.stringify(input);
            const refusal = await groundIn(root, { request: text, ...input }, { ...options, onProgress }).catch(
              (error: unknown) => error,
            );
            // A link may also lead to a file here.
            if (!(refusal instanceof GroundingError)) continue;
            refusals += 1;
            const sentences = JSON.stringify([refusal.message, refusal.nextSteps, refusal.stack, refusal.cause]);
            const others = Object.keys(marked).map((name) => name.slice(0, name.indexOf('/')));
            for (const word of others) if (!given.includes(word)) expect(sentences).not.toContain(word);
          }
          expect(refusals).toBeGreaterThanOrEqual(6);
          expect(JSON.stringify(events)).not.toMatch(/m\d+q/);
        });
      }),
      { numRuns: most },
    );
  });

  // Its name and its text share no word with any request above: `src` is one.
  it('a file that nothing speaks for takes no place of one that something speaks for', async () => {
    await fc.assert(
      fc.asyncProperty(tree, request, limits, fc.constantFrom('0irrelevant', '0none/nil'), async (...given) => {
        const [entries, text, budget, added] = given;
        const before = await within(entries, way, (root) => groundIn(root, { request: text, budget }, options));
        const irrelevant: Entry = { kind: 'file', content: 'nothing of it' };
        const after = await within({ ...entries, [added]: irrelevant }, way, (root) =>
          groundIn(root, { request: text, budget }, options),
        );
        const kept = scoreOf(after);
        for (const [selected, score] of scoreOf(before)) if (score > 0) expect(kept.get(selected)).toBe(score);
      }),
      { numRuns: most },
    );
  });

  it('more files, or bytes where all had fitted, take no selected file away', async () => {
    await fc.assert(
      fc.asyncProperty(tree, request, limits, fc.integer({ min: 1, max: 400 }), async (...given) => {
        const [entries, text, budget, more] = given;
        await within(entries, way, async (root) => {
          const small = await groundIn(root, { request: text, budget }, options);
          const full = small.wire.excluded_candidates.some(({ reason }) => reason === 'total_bytes_budget');
          const raised: BudgetInput = {
            ...budget,
            max_files: (budget.max_files ?? 48) + 1,
            ...(full ? {} : { max_total_bytes: (budget.max_total_bytes ?? 524_288) + more }),
          };
          const large = new Set(pathsOf(await groundIn(root, { request: text, budget: raised }, options)));
          for (const selected of pathsOf(small)) expect(large).toContain(selected);
        });
      }),
      { numRuns: most },
    );
  });

  it('a raised limit of bytes takes a file away only for one that ranks before it', async () => {
    await fc.assert(
      fc.asyncProperty(tree, request, limits, fc.integer({ min: 1, max: 300 }), async (...given) => {
        const [entries, text, budget, more] = given;
        await within(entries, way, async (root) => {
          const paths = async (raised: BudgetInput): Promise<string[]> =>
            pathsOf(await groundIn(root, { request: text, budget: raised }, options));
          const small = await paths(budget);
          for (const field of ['max_total_bytes', 'max_file_bytes'] as const) {
            const limit = budget[field];
            if (limit === undefined) continue;
            const large = await paths({ ...budget, [field]: limit + more });
            const first = small.findIndex((selected, index) => large[index] !== selected);
            // Selection order is the order of rank: where the two part, the larger one took what it could now take.
            if (first >= 0) expect(small).not.toContain(large[first]);
            expect(first < 0 || large[first] !== undefined).toBe(true);
          }
        });
      }),
      { numRuns: most },
    );
  });

  it('two groundings, with one reader and with eight, give the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(tree, request, limits, async (entries, text, budget) => {
        await within(entries, way, async (root) => {
          const bytes = async (readers: number): Promise<string> =>
            JSON.stringify(await groundIn(root, { request: text, budget }, { ...options, readers }));
          const one = await bytes(1);
          expect(await bytes(8)).toBe(one);
          expect(await bytes(1)).toBe(one);
        });
      }),
      { numRuns: most },
    );
  });
});

describe('whatever the repository and the request', () => {
  it('the order in which the files were listed changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(tree, request, fc.infiniteStream(fc.nat()), async (entries, text, keys) => {
        await within(entries, { tracked: false }, async (root) => {
          const reading = { root, excludedRoots: [], maximumBytes: budgetDefaults.max_file_bytes };
          const selectionOf = async (files: readonly ListedFile[], readers: number): Promise<string> => {
            const rules = { git: null, content: true, clock: () => 0, changed: new Set<string>(), reading, readers };
            const ranking = await rankRepository({ ...rules, files, request: text, active: new Set(['src']) });
            const selection = await selectFiles({ ranked: ranking.files, budget: budgetDefaults, reading, readers });
            const counts = [selection.excluded, selection.hashes, selection.secretRules].map((map) => [...map]);
            return JSON.stringify([selection, counts]);
          };
          const listed = Object.keys(entries).map((listedPath) => ({ path: listedPath, tracked: true }));
          const shuffled = listed
            .map((file) => ({ file, key: keys.next().value }))
            .sort((left, right) => left.key - right.key)
            .map(({ file }) => file);
          expect(await selectionOf(shuffled, 8)).toBe(await selectionOf(listed, 1));
        });
      }),
      { numRuns: 30 },
    );
  });
});
