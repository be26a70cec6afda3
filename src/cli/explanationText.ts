import type { ExcludedPath, ExplainedFile, Explanation } from '../grounding/explain.ts';
import { exclusionLines } from './exclusionLines.ts';
import { wrapLine } from './wrapLine.ts';

/** What `ground --explain` prints for people: the ranking first, then what was left out, in a few lines a rule. */

/** More of them would bury the ranking; `--json` has all. */
const mostPathsOfRule = 3;
const mostMissingNamed = 8;

export interface Surroundings {
  /** Real path of what was grounded. */
  readonly root: string;
  /** What to make of active paths that are missing: a sentence. */
  readonly aboutMissing: string;
  /** How to ground a submodule that was left out; null where there is none. */
  readonly submodule: string | null;
  /** Of the terminal; nothing where the output is piped. */
  readonly columns: number | undefined;
}

/** What a terminal would act upon instead of showing it: control characters, line breaks, marks of direction. */
const visible = (text: string): string =>
  text.replaceAll(/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** Line breaks and control characters in a name stay visible. */
const shownPath = (path: string): string => {
  const json = visible(JSON.stringify(path));
  return json.slice(1, -1) === path ? path : json;
};

const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

const missingLines = (paths: readonly string[], about: string): readonly string[] => {
  if (paths.length === 0) return [];
  const more = paths.length - mostMissingNamed;
  return [
    ...paths.slice(0, mostMissingNamed).map((path) => `There is no file or directory: ${shownPath(path)}`),
    ...(more > 0 ? [`… and ${more} more`] : []),
    about,
    '',
  ];
};

const rankingLines = (ranked: readonly ExplainedFile[]): readonly string[] => {
  if (ranked.length === 0) return [];
  return [
    '',
    `The first ${ranked.length} of the ranking:`,
    ...ranked.flatMap(({ path, score, points, reason, decision }, index) => [
      `${String(index + 1).padStart(4)}. ${shownPath(path)}  ${score}${decision === 'selected' ? '' : `  not selected: ${decision}`}`,
      ...(score === 0
        ? []
        : [
            `      ${Object.entries(points)
              .map(([name, value]) => `${name} ${value}`)
              .join(', ')}`,
          ]),
      `      ${visible(reason)}`,
    ]),
  ];
};

/** The best of the ranking first, then what never came so far. */
const byRank = (left: ExcludedPath, right: ExcludedPath): number =>
  (left.rank ?? Number.MAX_SAFE_INTEGER) - (right.rank ?? Number.MAX_SAFE_INTEGER);

const excludedLine = ({ path, rule, duplicateOf }: ExcludedPath): string => {
  const about = rule ?? (duplicateOf === undefined ? null : `the same as ${shownPath(duplicateOf)}`);
  return `    ${shownPath(path)}${about === null ? '' : ` (${about})`}`;
};

const excludedLines = ({ excluded, excludedCounts }: Explanation): readonly string[] => {
  if (excludedCounts.length === 0) return [];
  const rules = excludedCounts.flatMap(({ reason, count }) => {
    const { what, remedy } = exclusionLines[reason];
    const paths = excluded.filter((entry) => entry.reason === reason).sort(byRank);
    const shown = paths.slice(0, mostPathsOfRule);
    const more = count - shown.length;
    return [
      `  ${reason} ${count}: ${what}; ${remedy}`,
      ...shown.map(excludedLine),
      ...(shown.length > 0 && more > 0
        ? [`    … and ${more} more; --json lists ${paths.length === count ? 'all' : paths.length}`]
        : []),
    ];
  });
  return ['', 'Not selected, by rule:', ...rules];
};

/** The warnings of a manifest that say too much, or too little, to somebody who has no run: their text there is fixed. */
const inOtherWords: readonly (readonly [RegExp, string])[] = [
  // Nothing is stored, so that nothing is compared later.
  [/^The fingerprint was taken without Git: .*$/, ''],
  [
    /^The status of the work tree is unavailable \((.*)\): .*$/,
    'Git could not say which files have changed ($1), so that the ranking does not know it.',
  ],
  [/name active paths to reach them\.$/, 'name paths behind the request to reach them.'],
  [/(max_inventory_files is \d+)\.$/, '$1; --max-inventory-files takes more.'],
];

const warningLines = ({ warnings }: Explanation, submodule: string | null): readonly string[] => {
  const told = warnings.flatMap((warning) => {
    const text = inOtherWords.reduce((said, [pattern, words]) => said.replace(pattern, words), warning);
    return text === '' ? [] : [`  ${visible(text)}`];
  });
  const hint = submodule === null ? [] : [`  Ground a repository inside this one by itself: ${visible(submodule)}`];
  return told.length + hint.length === 0 ? [] : ['', 'Warnings:', ...told, ...hint];
};

const headLine = (explanation: Explanation, root: string): string => {
  const { candidateFiles, selectedFiles, selectedBytes, inventorySource } = explanation;
  if (candidateFiles === 0 && explanation.excludedCounts.length === 0)
    return `There is nothing to ground in ${shownPath(root)}: it holds no files, or ignore rules hide all of them. Name another folder with --repo PATH, or an ignored file behind the request.`;
  const found = `${selectedFiles} of ${files(candidateFiles)} would be selected (${selectedBytes} bytes; listed by ${inventorySource}).`;
  return selectedFiles > 0
    ? found
    : `${found} There is nothing to ground in ${shownPath(root)}: every file is left out.`;
};

/** The whole text, each line ended. */
export const explanationText = (explanation: Explanation, surroundings: Surroundings): string => {
  const { root, aboutMissing, submodule, columns } = surroundings;
  const lines = [
    ...missingLines(explanation.missingPaths, aboutMissing),
    headLine(explanation, root),
    ...rankingLines(explanation.ranked),
    ...excludedLines(explanation),
    ...warningLines(explanation, submodule),
  ];
  return `${lines.map((line) => wrapLine(line, columns)).join('\n')}\n`;
};
