import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Connection, connectStdio } from '../../src/sdk/index.ts';
import { bundlePath } from '../support/bundle.ts';

/** A Git repository and a place for its state, both gone when the test is over. */
export interface World {
  /** Real path. */
  readonly root: string;
  readonly state: string;
}

/** A memory file system keeps the many durable commits of some hundred runs quick. */
const base = (): string => {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
};

const files: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n\nA parser and its notes.\n',
  'src/parser.ts': 'export const parse = (text: string): string[] => text.split(",");\n',
};

/** One repository with one commit, and an empty state directory. */
export const newWorld = (): World => {
  const folder = realpathSync(mkdtempSync(join(base(), 'telic-every-run-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'sample');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-C', root, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      stdio: 'ignore',
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Add the sample');
  return { root, state: join(folder, 'state') };
};

/** A server process of the world, spoken to over its standard input and output; ended when the test is over. */
export const serve = async ({ root, state }: World): Promise<Connection> => {
  const connection = await connectStdio({
    command: process.execPath,
    args: [bundlePath, 'mcp'],
    cwd: root,
    env: { PATH: process.env.PATH, TELIC_STATE_DIR: state, TELIC_REPOSITORY_ROOT: root },
    onStderr: () => {},
  });
  onTestFinished(() => connection.close());
  return connection;
};
