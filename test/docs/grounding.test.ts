import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentsOf, type Grounded } from '../../docs/examples/grounding.ts';
import { ExclusionReason } from '../../schemas/artifacts/controller.ts';
import { exclusionLines } from '../../src/cli/exclusionLines.ts';
import { budgetDefaults, budgetLimits } from '../../src/grounding/budget.ts';
import { excludedDirectoryNames } from '../../src/grounding/inventory/exclusions.ts';
import { type Feature, rankFiles } from '../../src/grounding/ranking/ranking.ts';
import { followRun } from '../../src/sdk/index.ts';
import { callOf, controllerOf, newWorld } from '../sdk/world.ts';
import { root, textOf } from './pages.ts';

const page = textOf('docs/grounding.md');

/** The cells of the row that begins with a name. */
const rowOf = (name: string): readonly string[] => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` | `)) ?? '';
  return row.split(' | ').slice(1);
};

const grouped = (number: number): string => number.toLocaleString('en-US');

describe('the page about grounding', () => {
  it.each(['max_files', 'max_file_bytes', 'max_total_bytes', 'max_inventory_files'] as const)(
    'tells the default and the limit of %s',
    (field) => {
      expect(rowOf(field).slice(0, 2)).toEqual([grouped(budgetDefaults[field]), grouped(budgetLimits[field])]);
    },
  );

  it.each(ExclusionReason.options)('tells what %s means and what to do, as --explain does', (reason) => {
    const { what, remedy } = exclusionLines[reason];
    expect(page).toContain(`| \`${reason}\` | ${what} | ${remedy} |\n`);
  });

  it.each(excludedDirectoryNames)('names the directory %s that is not entered', (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  it('tells the points that the ranking gives', () => {
    const tracked = true;
    const paths = [
      'AGENTS.md',
      'b/AGENTS.md',
      'README.md',
      'a/on/parser.ts',
      'a/on/z.ts',
      'parser/x.ts',
      'a/README.md',
      'c/y.ts',
      'z.go',
    ];
    const ranked = rankFiles({
      files: paths.map((path) => ({ path, tracked })),
      request: { terms: new Set(['parser']), hints: new Set(['c/y.ts']) },
      active: new Set(['a/on', 'a/on/parser.ts']),
      traced: new Set(['z.go']),
      changed: new Set(['z.go']),
    });
    const given = new Map<string, number>();
    for (const { points = {} } of ranked) for (const [name, value] of Object.entries(points)) given.set(name, value);
    const byContent: readonly Feature[] = ['content', 'demoted'];
    for (const [feature, value] of given) expect([feature, rowOf(feature)[0]]).toEqual([feature, grouped(value)]);
    const told = [...page.matchAll(/^\| `([a-zA-Z]+)` \| (?:[\d,]+|1 to 400|minus 9 of 10) \|/gm)].map(
      ([, name]) => name,
    );
    expect(told.toSorted()).toEqual([...given.keys(), ...byContent].toSorted());
  });

  it('shows the program that is compiled, and it gives the text of each candidate', async () => {
    expect(page).toContain(`\`\`\`ts\n${readFileSync(join(root, 'docs', 'examples', 'grounding.ts'), 'utf8')}\`\`\``);
    const files = { 'AGENTS.md': 'Be brief.\n', 'a.ts': 'the parser\n', 'parser.ts': 'export const parser = 1;\n' };
    const world = newWorld(files, 'folder');
    const found: Grounded[] = [];
    const followed = followRun({
      call: callOf(controllerOf(world)),
      start: { originalRequest: 'Where is the parser?', mode: 'analyze_only', hostCapabilities: ['repository.read'] },
      author: {
        ProblemFrame: async ({ action, reader }) => {
          for await (const document of documentsOf(reader, action.contextManifestRef ?? '')) found.push(document);
          throw new Error('Everything was read.');
        },
      },
    });
    await expect(followed).rejects.toThrow('Everything was read.');
    expect(found.map(({ path }) => path)).toEqual(['AGENTS.md', 'parser.ts', 'a.ts']);
    expect(Object.fromEntries(found.map(({ path, content }) => [path, content]))).toEqual(files);
    expect(found[0]).toMatchObject({ instructionScope: '.' });
  });
});
