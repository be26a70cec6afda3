import { baseName, directoriesAbove, directoryOf } from './paths.ts';

const instructionNames = new Set([
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CODEX.md',
  'GEMINI.md',
  '.clinerules',
  '.cursorrules',
  '.windsurfrules',
  'copilot-instructions.md',
]);

/** Private to a user: an instruction only where the repository tracks it. */
const privateNames = new Set(['CLAUDE.local.md']);

/** By location below the root, compared in lower case. */
const rootLocations = [
  /^\.roo\/rules(-[^/]+)?\/./,
  /^\.agents\/rules\/./,
  /^\.github\/instructions\/./,
  /^\.clinerules\/./,
  /^\.windsurf\/rules\/./,
  /^\.kiro\/steering\/./,
  /^\.junie\/guidelines\.md$/,
];

/** These hold the instruction file of the directory above them. */
const holders = new Set(['.github', '.claude']);

/** Looked up at the root and considered although ignore rules hide them. */
export const rootInstructionPaths = [
  'AGENTS.md',
  'CLAUDE.md',
  'CODEX.md',
  'GEMINI.md',
  '.cursorrules',
  '.windsurfrules',
  '.github/copilot-instructions.md',
] as const;

/**
 * The directory whose files an instruction file speaks to (`.` for the root), or null for any other file. Takes a
 * normal path and whether Git tracks it. Rule: grounding section 5.
 */
export function instructedDirectory(path: string, tracked: boolean): string | null {
  const base = baseName(path);
  if (instructionNames.has(base) || (tracked && privateNames.has(base))) {
    const directory = directoryOf(path);
    return holders.has(baseName(directory)) ? directoryOf(directory) : directory;
  }
  // Every location begins with a dot, at the root or below a directory.
  if (!path.includes('/') || !(path.startsWith('.') || path.includes('/.'))) return null;
  const lower = path.toLowerCase();
  if (rootLocations.some((location) => location.test(lower))) return '.';
  const cursor = lower.startsWith('.cursor/rules/') ? 0 : lower.indexOf('/.cursor/rules/') + 1;
  if (cursor > 0) return path.slice(0, cursor - 1);
  return lower.startsWith('.cursor/rules/') ? '.' : null;
}

/**
 * The directories whose instructions apply: the root, and each directory on the way to an active path or to a path that
 * the request spells out. Takes normal paths that may themselves be directories. Names from a request are compared in
 * lower case, hence all are.
 */
export function instructedChain(paths: Iterable<string>): ReadonlySet<string> {
  const chain = new Set(['.']);
  for (const path of paths) {
    for (const directory of directoriesAbove(path)) chain.add(directory.toLowerCase());
    if (path !== '') chain.add(path.toLowerCase());
  }
  return chain;
}
