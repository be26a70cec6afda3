import { shorten } from '../../machines/sentence.ts';
import { captureCommand, findProgram, programDirectories } from '../grounding/command.ts';
import { LedgerError } from '../ledger/errors.ts';
import { openDatabase } from '../ledger/sqlite/driver.ts';
import { formatOf, migrations } from '../ledger/sqlite/format.ts';
import { checkStateDirectory, locateStateDirectory, type StateDirectory } from '../ledger/stateDirectory.ts';
import { findRepository } from './repository.ts';
import type { Terminal } from './terminal.ts';

/** Says what this machine has and lacks, and what would mend it; changes nothing (mcp-surface section 8). */

/** The `engines` of the package. */
export const requiredNode = '>=20.19';
const leastNode = [20, 19] as const;

const versionMilliseconds = 5000;

interface Check {
  readonly ok: boolean;
  /** What would mend it; null while there is nothing to mend. */
  readonly hint: string | null;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: Readonly<{
    node: Check & Readonly<{ version: string; required: string }>;
    repository: Check & Readonly<{ root: string | null }>;
    git: Check & Readonly<{ optional: true; version: string | null }>;
    ripgrep: Check & Readonly<{ optional: true; version: string | null }>;
    ledger: Check &
      Readonly<{
        exists: boolean;
        stateDirectory: string | null;
        format: number | null;
        newestFormat: number;
      }>;
    sqlite: Check & Readonly<{ version: string | null }>;
  }>;
}

const check = (hint: string | null): Check => ({ ok: hint === null, hint });

/** @param version as `process.versions.node` gives it */
export const nodeCheck = (version: string): Diagnosis['checks']['node'] => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needed, least] = leastNode;
  const enough = major > needed || (major === needed && minor >= least);
  return {
    ...check(enough ? null : `Install Node ${requiredNode} and run npm ci again.`),
    version,
    required: requiredNode,
  };
};

const programCheck = async (
  name: string,
  terminal: Terminal,
  root: string,
  without: string,
): Promise<Diagnosis['checks']['git']> => {
  const directories = programDirectories(terminal.env, root);
  const program = findProgram(name, directories);
  if (program === null) return { ...check(without), optional: true, version: null };
  const { end, output } = await captureCommand({
    program,
    args: ['--version'],
    cwd: '/',
    env: { PATH: directories.join(':'), LC_ALL: 'C' },
    milliseconds: versionMilliseconds,
  });
  if (end.kind !== 'exited' || end.status !== 0)
    return { ...check(`${program} does not run; ${without}`), optional: true, version: null };
  return { ...check(null), optional: true, version: shorten(output.toString('utf8').split('\n')[0] ?? '', 120) };
};

const sqliteCheck = (): Diagnosis['checks']['sqlite'] => {
  try {
    const db = openDatabase(':memory:', { readOnly: false, busyMilliseconds: 0 });
    try {
      return { ...check(null), version: String(db.prepare('SELECT sqlite_version()').pluck().get()) };
    } finally {
      db.close();
    }
  } catch (error) {
    return { ...check(hintOf(error)), version: null };
  }
};

const hintOf = (error: unknown): string => {
  if (error instanceof LedgerError) return shorten([error.message, ...error.nextSteps].join(' '), 800);
  return shorten(error instanceof Error ? error.message : String(error), 800);
};

const ledgerFormat = (state: StateDirectory): number => {
  const db = openDatabase(state.database, { readOnly: true, busyMilliseconds: 1000 });
  try {
    return formatOf(db, state);
  } finally {
    db.close();
  }
};

type LedgerFacts = Omit<Diagnosis['checks']['ledger'], keyof Check>;

const ledgerCheck = (terminal: Terminal, root: string | null): Diagnosis['checks']['ledger'] => {
  const none: LedgerFacts = { exists: false, stateDirectory: null, format: null, newestFormat: migrations.length };
  if (root === null) return { ...check('Name a repository first; its state directory follows from it.'), ...none };
  let known = none;
  try {
    const state = locateStateDirectory(terminal.env, root);
    known = { ...known, stateDirectory: state.path };
    if (!checkStateDirectory(state).hasLedger) return { ...check(null), ...known };
    known = { ...known, exists: true };
    return { ...check(null), ...known, format: ledgerFormat(state) };
  } catch (error) {
    return { ...check(hintOf(error)), ...known };
  }
};

/** @param repo the value of `--repo` */
export const diagnose = async (terminal: Terminal, repo: string | undefined): Promise<Diagnosis> => {
  const found = findRepository(terminal, repo);
  const root = found.ok ? found.root : null;
  const node = nodeCheck(process.versions.node);
  const [git, ripgrep] = await Promise.all([
    programCheck('git', terminal, root ?? '/', 'Install Git: without it, files are found by a plain search.'),
    programCheck(
      'rg',
      terminal,
      root ?? '/',
      'Install ripgrep if you use folders without Git; it is not needed otherwise.',
    ),
  ]);
  return {
    ok: node.ok,
    checks: {
      node,
      repository: { ...check(found.ok ? null : `${found.message} Name one with --repo PATH.`), root },
      git,
      ripgrep,
      ledger: ledgerCheck(terminal, root),
      sqlite: sqliteCheck(),
    },
  };
};
