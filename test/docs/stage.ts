import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createController } from '../../src/controller/controller.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { checkStateDirectory, locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { callTool } from '../../src/mcp/callTool.ts';
import { failureOf } from '../../src/mcp/failures.ts';
import { type Answer, presentFailure } from '../../src/mcp/present.ts';
import { isToolName } from '../../src/mcp/tools.ts';

/** Calls a tool as a host would and gives what the host gets, failures included. */
export type Call = (tool: string, args: unknown) => Promise<Answer>;

/** The ids that the examples show, in the order in which they are made; a page must not need more. */
const idsShown = '123456789'.split('').map((digit) => '8-4-4-4-12'.replaceAll(/\d+/g, (n) => digit.repeat(Number(n))));

/**
 * The tools on a real repository and a real ledger, with a clock that moves a second at each reading and ids that a
 * reader can tell apart. Everything goes when the test is over.
 */
export const stage = (): Readonly<{ root: string; call: Call }> => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'telic-docs-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'sample');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'README.md'), '# Sample\n');
  writeFileSync(join(root, 'src', 'app.ts'), 'export const answer = 42;\n');
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Add the sample');
  const directory = locateStateDirectory({ TELIC_STATE_DIR: join(base, 'state') }, root);
  checkStateDirectory(directory);
  const ledger = openLedger(directory);
  onTestFinished(() => ledger.close());
  const ids = idsShown.values();
  let seconds = 0;
  const controller = createController({
    ledger: () => ledger,
    clock: {
      now: () => {
        seconds += 1;
        return new Date(Date.UTC(2026, 0, 1, 12) + 1000 * (seconds - 1)).toISOString();
      },
    },
    ids: {
      uuid: () => {
        const next = ids.next();
        if (next.done) throw new Error('The examples make more ids than there are names for.');
        return next.value;
      },
    },
    repositoryRoot: directory.repositoryRoot,
    excludedRoots: [directory.path],
    brokerScope: 'envelope',
    close: () => ledger.close(),
  });
  return {
    root,
    call: async (tool, args) => {
      if (!isToolName(tool)) throw new Error(`There is no tool ${tool}.`);
      try {
        return (await callTool(tool, args, async () => controller, {})).answer;
      } catch (error) {
        return presentFailure(
          failureOf(error, (why) => {
            throw new Error(why);
          }),
        );
      }
    },
  };
};
