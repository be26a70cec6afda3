import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a repository of the tests begins as: its files by relative path, and how Git records them. */
export interface Commit {
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
  /** What Git is told before each command, `-c` and all. */
  readonly settings: readonly string[];
  readonly branch?: string;
}

/** One finished repository for each kind that this worker has made; they go with the folder of all the tests. */
const made = new Map<string, string>();

const make = ({ files, message, settings, branch }: Commit): string => {
  const root = mkdtempSync(join(tmpdir(), 'telic-committed-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-C', root, ...settings, ...args], { stdio: 'ignore' });
  };
  git('init', '-q', ...(branch === undefined ? [] : ['-b', branch]));
  git('add', '-A');
  git('commit', '-q', '-m', message);
  // The samples that Git lays into each repository are most of its files, and never run.
  rmSync(join(root, '.git', 'hooks'), { recursive: true, force: true });
  return root;
};

/**
 * Fills a folder with a repository of one commit: made by Git once a worker, then copied, for starting Git three times
 * costs a test more than most of what it asks.
 *
 * @param root a folder that is empty or not there
 */
export const commitInto = (root: string, commit: Commit): void => {
  const key = JSON.stringify(commit);
  const template = made.get(key) ?? make(commit);
  made.set(key, template);
  cpSync(template, root, { recursive: true, preserveTimestamps: true });
};
