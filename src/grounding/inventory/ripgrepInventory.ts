import { type Environment, findProgram, programDirectories, runCommand } from '../git/command.ts';
import { commandMilliseconds } from '../git/git.ts';
import { splitAtNul } from '../git/splitAtNul.ts';
import { excludedDirectoryNames } from './exclusions.ts';
import type { Collector } from './inventoryCollector.ts';

/**
 * Lists by ripgrep, with the ignore rules that stand inside the root and none that stand elsewhere. Status 1 means that
 * there is no file. Rule: grounding section 3, where the reference switched ignore rules off.
 */
export async function collectRipgrep(
  input: { readonly root: string; readonly env: Environment; readonly signal?: AbortSignal | undefined },
  collector: Collector,
): Promise<'listed' | 'missing' | 'failed'> {
  const directories = programDirectories(input.env, input.root);
  const program = findProgram('rg', directories, input.root);
  if (program === null) return 'missing';
  const end = await runCommand({
    program,
    args: [
      '--no-config',
      '--files',
      '--hidden',
      '--null',
      '--no-require-git',
      '--no-ignore-parent',
      '--no-ignore-global',
      '--no-messages',
      ...excludedDirectoryNames.flatMap((name) => ['--iglob', `!${name}`]),
    ],
    cwd: input.root,
    env: { PATH: directories.join(':'), LC_ALL: 'C', RIPGREP_CONFIG_PATH: '/dev/null' },
    milliseconds: commandMilliseconds,
    signal: input.signal,
    onOutput: splitAtNul((name) => collector.offer(name, false)),
  });
  return end.kind === 'exited' && (end.status === 0 || end.status === 1) ? 'listed' : 'failed';
}
