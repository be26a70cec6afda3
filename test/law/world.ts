import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Controller } from '../../src/controller/api.ts';
import { createController } from '../../src/controller/controller.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { checkStateDirectory, locateStateDirectory, type StateDirectory } from '../../src/ledger/stateDirectory.ts';

/** Every row of one run as the ledger's file holds it, bodies included, and how many rows there are of other runs. */
export interface Image {
  readonly run: unknown;
  readonly events: readonly unknown[];
  readonly artifacts: readonly unknown[];
  readonly trace: readonly unknown[];
  readonly elsewhere: unknown;
}

/** A repository, a ledger beside it on disk, and controllers with connections of their own. */
export interface World {
  readonly root: string;
  readonly state: StateDirectory;
  open(): Readonly<{ controller: Controller; ledger: Ledger }>;
  /** Read through a connection of its own, so that only what was committed is seen. */
  imageOf(runId: string): Image;
  close(): void;
}

const git = (root: string, ...args: readonly string[]): void => {
  execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], {
    stdio: 'ignore',
  });
};

/** A world of two files. Times and ids are counted, so that the same calls leave the same ledger. */
export const newWorld = (as: 'folder' | 'git' = 'folder'): World => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telic-law-')));
  const root = join(folder, 'sample');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'README.md'), '# Sample\n\nA parser and its notes.\n');
  writeFileSync(join(root, 'src', 'parser.ts'), 'export const parse = (text: string): string[] => text.split(",");\n');
  if (as === 'git') {
    git(root, 'init', '-q');
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'first');
  }
  const state = locateStateDirectory({ TELIC_STATE_DIR: join(folder, 'state') }, root);
  checkStateDirectory(state);
  let tick = 0;
  let id = 0;
  const ledgers: Ledger[] = [];
  let eye: Sqlite.Database | undefined;

  return {
    root,
    state,
    open: () => {
      const ledger = openLedger(state);
      ledgers.push(ledger);
      const controller = createController({
        ledger: () => ledger,
        clock: { now: () => new Date(Date.UTC(2026, 0, 1) + 1000 * tick++).toISOString() },
        ids: { uuid: () => `00000000-0000-4000-8000-${String(++id).padStart(12, '0')}` },
        repositoryRoot: state.repositoryRoot,
        excludedRoots: [state.path],
        brokerScope: 'envelope',
        close: () => ledger.close(),
      });
      return { controller, ledger };
    },
    imageOf: (runId) => {
      eye ??= new Sqlite(state.database, { readonly: true });
      const all = (sql: string): unknown[] => (eye ? eye.prepare(sql).all(runId) : []);
      return {
        run: all('SELECT * FROM runs WHERE run_id = ?')[0],
        events: all('SELECT * FROM events WHERE run_id = ? ORDER BY sequence'),
        artifacts: all(
          'SELECT artifacts.*, bodies.body FROM artifacts LEFT JOIN bodies USING (sha256) WHERE run_id = ? ORDER BY position',
        ),
        trace: all('SELECT * FROM trace WHERE run_id = ? ORDER BY sequence'),
        elsewhere: all(
          `SELECT (SELECT count(*) FROM bodies) AS bodies, (SELECT count(*) FROM artifacts) AS artifacts,
            (SELECT count(*) FROM events WHERE run_id <> ?) AS events, (SELECT count(*) FROM runs) AS runs`,
        )[0],
      };
    },
    close: () => {
      eye?.close();
      for (const ledger of ledgers) ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
