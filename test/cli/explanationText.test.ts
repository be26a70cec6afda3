import { describe, expect, it } from 'vitest';
import { ExclusionReason } from '../../schemas/artifacts/controller.ts';
import { exclusionLines } from '../../src/cli/exclusionLines.ts';
import { explanationText } from '../../src/cli/explanationText.ts';
import { widthOf } from '../../src/cli/terminal.ts';
import type { ExcludedPath, Explanation } from '../../src/grounding/explain.ts';

const nothing: Explanation = {
  request: 'parser',
  inventorySource: 'git',
  missingPaths: [],
  candidateFiles: 0,
  selectedFiles: 0,
  selectedBytes: 0,
  ranked: [],
  excluded: [],
  excludedCounts: [],
  warnings: [],
};

const told = (explanation: Partial<Explanation>, columns?: number): string =>
  explanationText({ ...nothing, ...explanation }, { root: '/srv/a', aboutMissing: '', submodule: null, columns });

const over: readonly ExcludedPath[] = [9, 4, 8, 5, 7].map((rank) => ({
  path: `src/file${rank}.ts`,
  reason: 'file_count_budget',
  rank,
}));

describe('the text of an explanation', () => {
  it('shows of each rule the count and the best three paths', () => {
    const text = told({
      candidateFiles: 11,
      selectedFiles: 3,
      excluded: over,
      excludedCounts: [
        { reason: 'file_count_budget', count: 5 },
        { reason: 'low_relevance', count: 3 },
      ],
    });
    const { file_count_budget: full, low_relevance: rest } = exclusionLines;
    expect(text.split('\n').slice(2)).toEqual([
      'Not selected, by rule:',
      `  file_count_budget 5: ${full.what}; ${full.remedy}`,
      '    src/file4.ts',
      '    src/file5.ts',
      '    src/file7.ts',
      '    … and 2 more; --json lists all',
      `  low_relevance 3: ${rest.what}; ${rest.remedy}`,
      '',
    ]);
  });

  it('hands the terminal nothing that it would act upon, whoever wrote it', () => {
    const hostile = 'a\u009b31m\u202e\u001b]0;x\u0007\u2028\u200f';
    const text = explanationText(
      {
        ...nothing,
        candidateFiles: 1,
        missingPaths: [hostile],
        ranked: [
          { path: hostile, score: 1, points: {}, reason: `For the directory "${hostile}".`, decision: 'selected' },
        ],
        excluded: [{ path: hostile, reason: 'non_regular_file' }],
        excludedCounts: [{ reason: 'non_regular_file', count: 1 }],
        warnings: [hostile],
      },
      { root: hostile, aboutMissing: '', submodule: `--repo "${hostile}"`, columns: undefined },
    );
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text.split('\\u009b31m')).toHaveLength(8);
  });

  it('says plainly that there is nothing to ground, and why that may be', () => {
    expect(told({})).toMatch(
      /^There is nothing to ground in \/srv\/a: it holds no files, or ignore rules hide all of them\. .*--repo PATH.*\n$/,
    );
    const all = told({ candidateFiles: 1, excludedCounts: [{ reason: 'secret_like_file', count: 1 }] });
    expect(all).toContain('There is nothing to ground in /srv/a: every file is left out.');
    expect(all).not.toContain('of the ranking');
  });

  it('puts warnings into words for somebody who has no run', () => {
    const text = told({
      warnings: [
        'The fingerprint was taken without Git: only the files that were read show a change of content.',
        'The status of the work tree is unavailable (Git took too long): only the files that were read show a change of content, and ranking does not know what changed.',
        'Nothing in the request speaks for 3 files beyond the first 8; name active paths to reach them.',
        'Of 9 listed files 4 were not considered: max_inventory_files is 5.',
      ],
    });
    expect(text.split('\n').slice(2)).toEqual([
      'Warnings:',
      '  Git could not say which files have changed (Git took too long), so that the ranking does not know it.',
      '  Nothing in the request speaks for 3 files beyond the first 8; name paths behind the request to reach them.',
      '  Of 9 listed files 4 were not considered: max_inventory_files is 5; --max-inventory-files takes more.',
      '',
    ]);
  });

  it.each([
    [true, 80, 80],
    [true, 0, undefined],
    [false, 80, undefined],
  ])('takes the width of an output that is a terminal (%j) of %d columns for %j', (isTTY, columns, width) => {
    expect(widthOf({ isTTY, columns })).toBe(width);
  });

  it('is wrapped where a terminal says how wide it is, and only there', () => {
    const explanation: Partial<Explanation> = {
      candidateFiles: 20,
      excludedCounts: ExclusionReason.options.map((reason) => ({ reason, count: 1 })),
      excluded: over,
      warnings: ['A warning that is longer than a narrow terminal can show in one line.'],
    };
    const lines = told(explanation, 40).split('\n');
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    const piped = told(explanation);
    expect(piped).toContain('  A warning that is longer than a narrow terminal can show in one line.\n');
    const words = (text: string): readonly string[] => text.split(/\s+/);
    expect(words(lines.join('\n'))).toEqual(words(piped));
  });
});
