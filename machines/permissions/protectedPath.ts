import { secretLikeName } from '../secrets/names.ts';

/**
 * Files that switch the hook gate or the host's own rules, or start processes: relative to the root, in lower case.
 * An entry that ends in `/` stands for the folder and all below it.
 */
const controlPaths: readonly string[] = [
  '.cursor/hooks.json',
  '.cursor/hooks/',
  '.cursor/mcp.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks/',
  '.codex/hooks.json',
  '.codex/config.toml',
  '.clinerules/hooks/',
  '.cline/hooks.json',
  '.cline/hooks/',
  '.cline/mcp.json',
  '.roo/hooks.json',
  '.roo/hooks/',
  '.roo/mcp.json',
  '.mcp.json',
  '.kiro/settings/mcp.json',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.opencode/plugin/',
  '.opencode/plugins/',
  '.vscode/settings.json',
  '.vscode/tasks.json',
  '.vscode/mcp.json',
];

/** As a file system that ignores case would compare; compatibility forms fold as some of them do. */
const fold = (segment: string): string => segment.normalize('NFKC').toLowerCase();

/** `.git`, its short-name alias, and a stream of either. */
const gitSegment = /^(?:\.git|git~[0-9])(?::.*)?$/u;

const isControl = (folded: string): boolean =>
  controlPaths.some((entry) => (entry.endsWith('/') ? `${folded}/`.startsWith(entry) : folded === entry));

const holdsControl = (folded: string): boolean => controlPaths.some((entry) => entry.startsWith(`${folded}/`));

/** What may be done with a path of the repository. */
export type PathAction = 'read' | 'write' | 'delete';

/**
 * How far a path is closed to an action: `never` reachable (Git data), `exact` when only a scope of that very name opens
 * it (secret-like names; for a change also gate and host control files, and for a deletion the folders that hold them),
 * `open` otherwise. Takes a path relative to the root; case does not matter. Rule: permissions section 6, protected paths.
 */
export const protection = (path: string, action: PathAction): 'never' | 'exact' | 'open' => {
  const segments = path.split('/').map(fold);
  if (segments.some((segment) => gitSegment.test(segment))) return 'never';
  const folded = segments.join('/');
  if (secretLikeName(path) || secretLikeName(folded)) return 'exact';
  if (action !== 'read' && isControl(folded)) return 'exact';
  return action === 'delete' && holdsControl(folded) ? 'exact' : 'open';
};
