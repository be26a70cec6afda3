import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { trackActiveSession } from '../../src/controller/activeSession.ts';
import type { Controller } from '../../src/controller/api.ts';
import { createController } from '../../src/controller/controller.ts';
import { systemClock, systemIds } from '../../src/controller/sources.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory, type StateDirectory } from '../../src/ledger/stateDirectory.ts';
import type { Report } from '../../src/mcp/report.ts';

/** A repository and a folder for states; everything lies under `base`. */
export interface Bench {
  readonly base: string;
  readonly root: string;
  /** A new, empty state directory. */
  newState(): StateDirectory;
}

const files: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n\nA parser and its notes.\n',
  'AGENTS.md': 'Keep lines short.\n',
  'package.json': '{ "name": "sample", "type": "module" }\n',
  'src/parser.ts': 'export const parse = (text: string): string[] => text.split(",");\n',
  'src/print.ts':
    "import { parse } from './parser.ts';\n\nexport const print = (text: string): string => parse(text).join(';');\n",
  'test/parser.test.ts': "import { parse } from '../src/parser.ts';\n\nparse('a,b');\n",
};

const git = (root: string, ...args: readonly string[]): void => {
  execFileSync('git', ['-C', root, '-c', 'user.name=B', '-c', 'user.email=b@example.org', ...args], {
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
};

/** A repository of six files with one commit, in a temporary folder. */
export const newBench = (): Bench => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'telic-bench-')));
  const root = join(base, 'sample');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Add the sample');
  let states = 0;
  return {
    base,
    root,
    newState: () => {
      states += 1;
      return locateStateDirectory({ TELIC_STATE_DIR: join(base, `state-${states}`) }, root);
    },
  };
};

export const complain: Report = (line) => {
  process.stderr.write(`telic: ${line}\n`);
};

/** A controller as a server has it, and the ledger under it, which a measurement may fill by hand. */
export const openBoth = (state: StateDirectory): Readonly<{ controller: Controller; ledger: Ledger }> => {
  const ledger = openLedger(state);
  const controller = createController({
    ledger: () => ledger,
    clock: systemClock,
    ids: systemIds,
    repositoryRoot: state.repositoryRoot,
    excludedRoots: [state.path],
    brokerScope: 'envelope',
    onMoved: trackActiveSession(state.session, complain),
    close: () => ledger.close(),
  });
  return { controller, ledger };
};
