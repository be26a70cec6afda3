import { shorten } from '../../../machines/sentence.ts';
import packageFile from '../../../package.json' with { type: 'json' };
import { captureCommand, findProgram, programDirectories } from '../../grounding/git/command.ts';
import { bindGit } from '../../grounding/git/git.ts';
import { findPlace } from '../../grounding/git/place.ts';
import { withSafeDirectories } from '../../grounding/git/safeDirectories.ts';
import { openDatabase } from '../../ledger/sqlite/driver.ts';
import { quoted } from '../shellWord.ts';
import type { Terminal } from '../terminal.ts';
import { type Check, hintOf, verdict } from './verdict.ts';

/** What runs Telic, and the programs that it starts. */

declare const TELIC_VERSION: string;

/** Longer than a program takes that is only asked for its version, shorter than a person waits. */
const versionMilliseconds = 5000;

type Versioned<V = string> = Check & Readonly<{ version: V }>;
export type NodeCheck = Versioned & Readonly<{ required: string }>;
export type ProgramCheck = Versioned<string | null> & Readonly<{ optional: true }>;

/** The `engines` of the package. */
export const requiredNode: string = packageFile.engines.node;

const numbersOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);

/** @param version as `process.versions.node` gives it */
export const nodeCheck = (version: string): NodeCheck => {
  const [major = 0, minor = 0] = numbersOf(version);
  const [needed = 0, least = 0] = numbersOf(requiredNode);
  const enough = major > needed || (major === needed && minor >= least);
  return {
    ...verdict(enough ? null : `Install Node ${requiredNode} and run npm ci again.`),
    version,
    required: requiredNode,
  };
};

/** The product itself. */
export const productCheck = (): Versioned => ({ ...verdict(null), version: TELIC_VERSION });

/** The MCP SDK that the executable was built with: the package names one version, not a range. */
export const sdkCheck = (): Versioned => ({
  ...verdict(null),
  version: packageFile.dependencies['@modelcontextprotocol/sdk'],
});

/** Whether the native module can be loaded. */
export const sqliteCheck = (): Versioned<string | null> => {
  try {
    const db = openDatabase(':memory:', { readOnly: false, busyMilliseconds: 0 });
    try {
      return { ...verdict(null), version: String(db.prepare('SELECT sqlite_version()').pluck().get()) };
    } finally {
      db.close();
    }
  } catch (error) {
    return { ...verdict(hintOf(error)), version: null };
  }
};

/**
 * Asks a program for its version; one that the repository brings along is not started.
 *
 * @param root real path of the repository
 * @param without what to do when there is none
 */
export const programCheck = async (
  name: string,
  terminal: Terminal,
  root: string,
  without: string,
): Promise<ProgramCheck> => {
  const directories = programDirectories(terminal.env, root);
  const program = findProgram(name, directories, root);
  if (program === null) {
    // The whole file system is nobody's repository: this finds what was passed over for lying in this one.
    const passedOver = findProgram(name, programDirectories(terminal.env, '/'), '/');
    const hint =
      passedOver === null
        ? without
        : `${passedOver} belongs to the repository ${root}, of which no program is run: have another one on the PATH, or name a smaller repository with --repo.`;
    return { ...verdict(hint), optional: true, version: null };
  }
  const { end, output } = await captureCommand({
    program,
    args: ['--version'],
    cwd: '/',
    env: { PATH: directories.join(':'), LC_ALL: 'C' },
    milliseconds: versionMilliseconds,
  });
  if (end.kind !== 'exited' || end.status !== 0)
    return { ...verdict(`${program} does not run; ${without}`), optional: true, version: null };
  return { ...verdict(null), optional: true, version: shorten(output.toString('utf8').split('\n')[0] ?? '', 120) };
};

/**
 * Git, and whether it answers for the repository: one of another owner it refuses until its user calls it safe.
 *
 * @param root real path of the repository, null when none is known
 */
export const gitCheck = async (terminal: Terminal, root: string | null): Promise<ProgramCheck> => {
  const without = 'Install Git: without it, files are found by a plain search.';
  const found = await programCheck('git', terminal, root ?? '/', without);
  if (root === null || !found.ok || !(await isDistrusted(terminal, root))) return found;
  // The hint is printed as JSON: what that escapes, a shell would read in another way.
  const named = /["'\\\p{Cc}]/u.test(root) ? 'with its path' : quoted(root);
  const hint = `Git does not trust the owner of ${root}, so that files are found by a plain search: make it your own, or run git config --global --add safe.directory ${named} if you trust what is in it.`;
  return { ...found, ...verdict(hint) };
};

const isDistrusted = async ({ env }: Terminal, root: string): Promise<boolean> => {
  const git = bindGit(root, env);
  const place = git && (await findPlace(git, root));
  if (git === null || place === null || place.ok || !place.untrusted) return false;
  const trusting = await withSafeDirectories(git, { root, env });
  return trusting === null || !(await findPlace(trusting, root)).ok;
};
