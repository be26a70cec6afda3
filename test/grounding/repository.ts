import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type GroundingInput, type GroundingOptions, ground } from '../../src/grounding/ground.ts';
import type { Grounding } from '../../src/grounding/manifest.ts';

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A fresh directory (real path) that goes away after the tests of the file. */
export function temporary(prefix = 'ground-'): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  made.push(directory);
  return directory;
}

/** Runs real Git, apart from the configuration of whoever runs the tests. */
export function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 256 * 1024 * 1024,
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C',
      HOME: '/nonexistent',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z',
    },
  });
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function write(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** A repository with these files committed. */
export function repository(files: Files, parent?: string): string {
  const root = parent ?? temporary();
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'main');
  write(root, files);
  git(root, 'add', '-A', '-f');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
  return root;
}

/** Grounds with everything given that a test does not care for. */
export async function groundIn(
  repositoryRoot: string,
  input: Partial<GroundingInput> = {},
  options: GroundingOptions = {},
): Promise<Grounding> {
  return ground(
    { runId: 'run-1', request: 'Look around', repositoryRoot, activePaths: [], excludedRoots: [], ...input },
    options,
  );
}

export const pathsOf = ({ wire }: Grounding): string[] => wire.selected_sources.map(({ path }) => path);

export const countsOf = ({ wire }: Grounding): Record<string, number> =>
  Object.fromEntries(wire.excluded_candidates.map(({ reason, count }) => [reason, count]));
