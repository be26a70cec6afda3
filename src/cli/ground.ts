import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { budgetLimits } from '../grounding/budget.ts';
import type { Explanation } from '../grounding/explain.ts';
import { explainGrounding } from '../grounding/explain.ts';
import { GroundingError } from '../grounding/groundingError.ts';
import { pathInside } from '../grounding/paths.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Options, Outcome } from './command.ts';
import { explanationText } from './explanationText.ts';
import { readText } from './readText.ts';
import { repositoryOf, stateOf } from './repository.ts';
import { quoted } from './shellWord.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** `telic ground --explain`: what a request would be grounded in, and why, without a run (grounding section 13.11). */

const defaultHead = 20;
const mostHead = 1000;
const looksLikeOption = /^--[a-z][a-z-]*$/;

const wholeOf = (option: string, value: string, most: number): number => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= most) return number;
  throw new CommandError(`${option} takes a whole number from 1 to ${most}, not ${JSON.stringify(value)}.`);
};

const budgetOf = ({ maxFiles, maxFileBytes, maxTotalBytes, maxInventoryFiles }: Options) => {
  const limit = (field: keyof typeof budgetLimits, value: string | undefined): number | undefined =>
    value === undefined ? undefined : wholeOf(`--${field.replaceAll('_', '-')}`, value, budgetLimits[field]);
  return {
    max_files: limit('max_files', maxFiles),
    max_file_bytes: limit('max_file_bytes', maxFileBytes),
    max_total_bytes: limit('max_total_bytes', maxTotalBytes),
    max_inventory_files: limit('max_inventory_files', maxInventoryFiles),
  };
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

const example = 'as in telic ground --explain "Where is it read?"';

const requestOf = async (terminal: Terminal, given: string | undefined): Promise<string> => {
  if (given === undefined) throw new CommandError(`ground only explains: give the request, ${example}.`);
  // What stands behind an option is its value, whatever it looks like.
  if (looksLikeOption.test(given))
    throw new CommandError(`--explain is followed by ${given}: give the request first, ${example}.`);
  const read = given === '-' ? await readText('-', terminal) : ({ ok: true, text: given } as const);
  if (!read.ok) throw new CommandError(`Standard input cannot be read: ${read.why}.`);
  // The line break is that of the program that wrote it.
  const request = given === '-' ? read.text.replace(/\r?\n$/, '') : read.text;
  if (request.trim() === '') throw new CommandError(`The request is blank: say what to look for, ${example}.`);
  return request;
};

const behind = 'What stands behind the request is a path.';

/** A request of one word with words behind it that are no paths: most likely its quotes were forgotten. */
const aboutMissing = (given: string, paths: readonly string[], { missingPaths }: Explanation): string => {
  if (/\s/.test(given)) return `${behind} One that is missing is only a hint: see how it is spelled.`;
  const words = [given, ...paths].join(' ');
  // Within double quotes a shell reads nothing into these.
  return paths.length === missingPaths.length && /^[\p{L}\p{N} .,:;?'()/_-]+$/u.test(words)
    ? `${behind} Put the whole request in quotes: telic ground --explain "${words}"`
    : `${behind} Put the whole request in quotes if this is part of it.`;
};

/** What a terminal acts upon or does not show: a command that holds it cannot be copied. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** How to ground the first of the repositories inside this one that were left out. */
const submoduleHint = ({ excluded }: Explanation, root: string, { cwd }: Terminal): string | null => {
  const inner = excluded.find(
    ({ path, reason }) => reason === 'non_regular_file' && existsSync(join(root, path, '.git')),
  );
  if (inner === undefined) return null;
  const path = join(root, inner.path);
  const way = pathInside(cwd, path) ?? path;
  if (unseen.test(way)) return null;
  // A name that begins as an option does would be taken for one.
  const named = way === '' || way.startsWith('-') ? `./${way}` : way;
  return `--repo ${quoted(named)}`;
};

/** The sentence of a refusal with its ways out. */
const saying = async <T>(grounding: Promise<T>): Promise<T> => {
  try {
    return await grounding;
  } catch (error) {
    if (!(error instanceof GroundingError)) throw error;
    // Its way out is that of a server.
    const waysOut =
      error.code === 'repository_not_configured' ? ['Name a work tree with --repo PATH.'] : error.nextSteps;
    throw new CommandError([error.message, ...waysOut].join(' '));
  }
};

/**
 * @param activePaths as a host would give them to `telic_ground_context`
 * @throws CommandError without a request, for a number that is no limit, or when the request, a path or the repository
 *   cannot be grounded
 */
export const explainCommand = async (
  terminal: Terminal,
  options: Options,
  activePaths: readonly string[],
): Promise<Outcome> => {
  const { repo, explain, limit } = options;
  const request = await requestOf(terminal, explain);
  const head = limit === undefined ? defaultHead : wholeOf('--limit', limit, mostHead);
  const root = repositoryOf(terminal, repo);
  const explanation = await saying(
    explainGrounding(
      {
        request,
        repositoryRoot: root,
        activePaths,
        budget: budgetOf(options),
        excludedRoots: stateRoots(terminal, repo),
      },
      head,
      { env: terminal.env },
    ),
  );
  const text = explanationText(explanation, {
    root,
    aboutMissing: aboutMissing(request, activePaths, explanation),
    submodule: submoduleHint(explanation, root, terminal),
    columns: terminal.columns,
  });
  return { print: explanation, text, exit: 0 };
};
