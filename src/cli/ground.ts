import type { Explanation } from '../grounding/explain.ts';
import { explainGrounding } from '../grounding/explain.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Options, Outcome } from './command.ts';
import { repositoryOf, stateOf } from './repository.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** `telic ground --explain`: what a request would be grounded in, and why, without a run (grounding section 13.11). */

const defaultHead = 20;
const mostHead = 1000;
/** The text shows so many excluded paths; `--json` has all of them. */
const mostExcludedShown = 100;

const headOf = (limit: string | undefined): number => {
  if (limit === undefined) return defaultHead;
  const head = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (head >= 1 && head <= mostHead) return head;
  throw new CommandError(`--limit takes a whole number from 1 to ${mostHead}, not ${JSON.stringify(limit)}.`);
};

/** The state directory is never grounded; where no variable says where it is, there is none. */
const stateRoots = (terminal: Terminal, repo: string | undefined): string[] => {
  try {
    return [stateOf(terminal, repo).path];
  } catch (error) {
    if (error instanceof LedgerError) return [];
    throw error;
  }
};

/** Line breaks and control characters in a name stay visible. */
const shownPath = (path: string): string => {
  const json = JSON.stringify(path).replaceAll(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return json.slice(1, -1) === path ? path : json;
};

const textOf = (explanation: Explanation): string => {
  const { ranked, excluded, excludedCounts, warnings } = explanation;
  const lines = [
    `${explanation.selectedFiles} of ${explanation.candidateFiles} files would be selected (${explanation.selectedBytes} bytes; listed by ${explanation.inventorySource}).`,
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
      `      ${reason}`,
    ]),
    '',
    'Not selected, by rule:',
    ...excludedCounts.map(({ reason, count }) => `  ${reason} ${count}`),
  ];
  if (excluded.length > 0) {
    lines.push('', 'Excluded paths:');
    for (const { path, reason, rule } of excluded.slice(0, mostExcludedShown))
      lines.push(`  ${shownPath(path)}  ${reason}${rule === undefined ? '' : ` (${rule})`}`);
    const more = excluded.length - mostExcludedShown;
    if (more > 0) lines.push(`  and ${more} more; --json shows all of them`);
  }
  if (warnings.length > 0) lines.push('', 'Warnings:', ...warnings.map((warning) => `  ${warning}`));
  return `${lines.join('\n')}\n`;
};

/**
 * @param activePaths as a host would give them to `telic_ground_context`
 * @throws CommandError without a request, or for a wrong limit
 * @throws GroundingError when the request, a path or the repository cannot be grounded
 */
export const explainCommand = async (
  terminal: Terminal,
  { repo, explain, limit }: Options,
  activePaths: readonly string[],
): Promise<Outcome> => {
  if (explain === undefined || explain === '')
    throw new CommandError('ground only explains: give the request, as in telic ground --explain "Where is it read?".');
  const head = headOf(limit);
  const explanation = await explainGrounding(
    {
      request: explain,
      repositoryRoot: repositoryOf(terminal, repo),
      activePaths,
      excludedRoots: stateRoots(terminal, repo),
    },
    head,
    { env: terminal.env },
  );
  return { print: explanation, text: textOf(explanation), exit: 0 };
};
