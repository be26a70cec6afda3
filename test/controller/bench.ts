import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Failure } from '../../schemas/failure.ts';
import type { Controller } from '../../src/controller/api.ts';
import { createController } from '../../src/controller/controller.ts';
import { TelicError } from '../../src/controller/telicError.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { checkStateDirectory, locateStateDirectory } from '../../src/ledger/stateDirectory.ts';

/** A real repository, a real ledger beside it, and controllers on them; everything goes when the test is done. */
export interface Workbench {
  readonly repository: string;
  readonly state: string;
  /**
   * A controller with a ledger connection of its own, as a second process would have.
   * @param root the repository that it serves, where it is not the one of the bench
   */
  open(root?: string): { readonly controller: Controller; readonly ledger: Ledger };
}

const git = (cwd: string, ...args: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
};

/** A repository with two files and one commit. */
export const workbench = (): Workbench => {
  const base = mkdtempSync(join(tmpdir(), 'telic-controller-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const repository = join(base, 'repository');
  const state = join(base, 'state');
  execFileSync('mkdir', ['-p', join(repository, 'src')]);
  writeFileSync(join(repository, 'README.md'), '# Sample\n');
  writeFileSync(join(repository, 'src', 'app.ts'), 'export const answer = 42;\n');
  git(repository, 'init', '-q');
  git(repository, 'add', '-A');
  git(repository, 'commit', '-q', '-m', 'first');
  let tick = 0;
  let id = 0;
  return {
    repository,
    state,
    open: (root = repository) => {
      const directory = locateStateDirectory({ TELIC_STATE_DIR: state }, root);
      checkStateDirectory(directory);
      const ledger = openLedger(directory);
      onTestFinished(() => ledger.close());
      const controller = createController({
        ledger: () => ledger,
        clock: { now: () => new Date(Date.UTC(2026, 0, 1) + 1000 * tick++).toISOString() },
        ids: { uuid: () => `00000000-0000-4000-8000-${String(++id).padStart(12, '0')}` },
        repositoryRoot: directory.repositoryRoot,
        excludedRoots: [directory.path],
        brokerScope: 'envelope',
        close: () => ledger.close(),
      });
      return { controller, ledger };
    },
  };
};

/** The failure that a call ends in. */
export const failureOf = async (call: Promise<unknown>): Promise<Failure> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof TelicError) return error.failure;
    throw error;
  }
  throw new Error('The call was expected to fail.');
};
