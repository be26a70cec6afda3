import { resolveRepositoryRoot } from '../grounding/root.ts';
import { locateStateDirectory, type StateDirectory } from '../ledger/stateDirectory.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Often a variable of a shell that is not set: the working directory was not meant. */
const emptyOption: ReturnType<typeof resolveRepositoryRoot> = {
  ok: false,
  code: 'repository_not_configured',
  message: '--repo is empty: give it a directory, or leave it out for the working directory.',
  nextSteps: [],
};

/** `--repo`, else `TELIC_REPOSITORY_ROOT` as the server reads it, else the working directory. */
export const findRepository = (
  terminal: Terminal,
  repo: string | undefined,
): ReturnType<typeof resolveRepositoryRoot> =>
  repo === ''
    ? emptyOption
    : resolveRepositoryRoot(
        { ...terminal.env, ...(repo !== undefined && { TELIC_REPOSITORY_ROOT: repo }) },
        terminal.cwd,
      );

/** The sentence of a repository that was not found, in the words of the command line. */
export const whyNoRepository = (message: string, repo: string | undefined): string =>
  repo === undefined ? `${message} Name it with --repo PATH.` : message.replace('TELIC_REPOSITORY_ROOT', '--repo');

/**
 * The repository that a command is about: its real path.
 *
 * @throws CommandError when there is none
 */
export const repositoryOf = (terminal: Terminal, repo: string | undefined): string => {
  const found = findRepository(terminal, repo);
  if (!found.ok) throw new CommandError(whyNoRepository(found.message, repo));
  return found.root;
};

/** Where the state of that repository lies. @throws LedgerError when no variable says so */
export const stateOf = (terminal: Terminal, repo: string | undefined): StateDirectory =>
  locateStateDirectory(terminal.env, repositoryOf(terminal, repo));
