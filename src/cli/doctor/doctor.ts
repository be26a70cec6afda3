import { systemClock } from '../../controller/sources.ts';
import { isGitOwnDirectory } from '../../grounding/root.ts';
import { findRepository, whyNoRepository } from '../repository.ts';
import type { Terminal } from '../terminal.ts';
import { type GateCheck, gateCheck } from './gate.ts';
import {
  gitCheck,
  type NodeCheck,
  nodeCheck,
  type ProgramCheck,
  productCheck,
  programCheck,
  sdkCheck,
  sqliteCheck,
} from './machine.ts';
import { type StateChecks, stateChecks } from './state.ts';
import { type Check, verdict } from './verdict.ts';

/** Says what this machine has and lacks, and what would mend it; changes nothing (mcp-surface section 8). */

export interface Diagnosis {
  /** Whether a run could be made here: Node, SQLite and the repository. The exit code tells of Node alone. */
  readonly ok: boolean;
  readonly checks: Readonly<{
    product: Check & Readonly<{ version: string }>;
    node: NodeCheck;
    sdk: Check & Readonly<{ version: string }>;
    sqlite: Check & Readonly<{ version: string | null }>;
    repository: Check & Readonly<{ root: string | null }>;
    git: ProgramCheck;
    ripgrep: ProgramCheck;
    gate: GateCheck;
  }> &
    StateChecks;
}

/** A directory that a server can be bound to, but in which no run can be grounded. */
const whyNoWorkTree = (root: string): string | null =>
  isGitOwnDirectory(root)
    ? `${root} belongs to Git itself (a bare repository, or inside one): name a work tree, a clone or what "git worktree add" made.`
    : null;

/**
 * Looks at everything; a check that fails says what would mend it and keeps no other from being made.
 *
 * @param repo the value of `--repo`
 */
export const diagnose = async (terminal: Terminal, repo: string | undefined): Promise<Diagnosis> => {
  const found = findRepository(terminal, repo);
  const root = found.ok ? found.root : null;
  const node = nodeCheck(process.versions.node);
  const [git, ripgrep] = await Promise.all([
    gitCheck(terminal, root),
    programCheck(
      'rg',
      terminal,
      root ?? '/',
      'Install ripgrep if you use folders without Git; it is not needed otherwise.',
    ),
  ]);
  const sqlite = sqliteCheck();
  const repository = verdict(found.ok ? whyNoWorkTree(found.root) : whyNoRepository(found.message, repo));
  return {
    ok: node.ok && sqlite.ok && repository.ok,
    checks: {
      product: productCheck(),
      node,
      sdk: sdkCheck(),
      sqlite,
      repository: { ...repository, root },
      git,
      ripgrep,
      gate: await gateCheck(terminal, root),
      ...stateChecks(terminal, root, systemClock.now()),
    },
  };
};
