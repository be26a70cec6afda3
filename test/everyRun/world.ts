import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Connection, connectStdio } from '../../src/sdk/index.ts';
import { bundlePath } from '../support/bundle.ts';
import { commitInto } from '../support/committed.ts';

/** A Git repository and a place for its state, both gone when the test is over. */
export interface World {
  /** Real path. */
  readonly root: string;
  readonly state: string;
}

const files: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n\nA parser and its notes.\n',
  'src/parser.ts': 'export const parse = (text: string): string[] => text.split(",");\n',
};

/** One repository with one commit, and an empty state directory. */
export const newWorld = (): World => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telic-every-run-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'sample');
  commitInto(root, {
    files,
    message: 'Add the sample',
    settings: ['-c', 'user.name=T', '-c', 'user.email=t@example.org'],
    branch: 'main',
  });
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
