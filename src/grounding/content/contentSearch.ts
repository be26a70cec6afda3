import type { Git } from '../git/git.ts';
import { splitAtNul } from '../git/splitAtNul.ts';
import { binaryEndings } from './binaryEndings.ts';

/**
 * Looks through the work tree for files that hold one of the texts, whatever its case: tracked ones and those that no
 * ignore rule hides, binary ones not, nor those that are tracked although a rule hides them. Takes the texts in lower
 * case, each one line, and a time limit in milliseconds; gives normal paths below the root of `git`, `many` where more
 * files hold one than are worth telling, or null when Git could not tell in time. Git opens no link and runs no program
 * for it: what converts contents for a comparison is not asked. Rule: grounding section 13.1.
 */
export async function filesHolding(
  git: Git,
  texts: readonly string[],
  milliseconds: number,
): Promise<ReadonlySet<string> | 'many' | null> {
  const paths = new Set<string>();
  if (texts.length === 0) return paths;
  const enough = new AbortController();
  const take = splitAtNul((path) => {
    if (paths.size < mostHolding) paths.add(path.toString('utf8'));
    else enough.abort();
  });
  const end = await git.stream(
    [...searchArguments, ...texts.flatMap((text) => ['-e', text]), '--', ...searchedPaths],
    take,
    {
      milliseconds,
      enough: enough.signal,
    },
  );
  if (enough.signal.aborted) return 'many';
  // Git ends with 1 when nothing holds any of them.
  if (end.kind !== 'exited' || (end.status !== 0 && end.status !== 1)) return null;
  return paths;
}

/** What more files hold tells too little of any of them, and Git need not read on. */
export const mostHolding = 4000;

/** Each choice that a setting of the repository could make otherwise is made here. */
const searchArguments = [
  'grep',
  '--untracked',
  '--exclude-standard',
  '--no-recurse-submodules',
  '--no-textconv',
  '--no-full-name',
  '--no-color',
  '--files-with-matches',
  '--null',
  '--ignore-case',
  '--fixed-strings',
  '-I',
];

/** Only to see that a file is binary, Git would read all of it into memory. */
const searchedPaths = ['.', ...binaryEndings.map((ending) => `:(exclude,icase)*.${ending}`)];
