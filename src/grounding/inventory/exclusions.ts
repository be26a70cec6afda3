import { secretLikeName } from '../../../machines/secrets/names.ts';
import type { ExclusionReason } from '../../../schemas/artifacts/controller.ts';

/** Never read, whatever tracks or names them: Git's own files, and our own. */
const ownDirectories = new Set(['.git', '.telic']);
/** Made by tools; a tracked file in one is reached by naming it exactly. */
const generatedDirectories = new Set(['build', 'coverage', 'dist', 'node_modules']);
/** Made by tools more often than not: excluded only where nothing tracks them. */
const untrackedDirectories = new Set([
  '.venv',
  'venv',
  '__pycache__',
  'target',
  '.next',
  '.nuxt',
  '.turbo',
  '.cache',
  '.gradle',
  'out',
]);

/** All names that a walk never enters: in a walk nothing is known to be tracked. */
export const excludedDirectoryNames: readonly string[] = [
  ...ownDirectories,
  ...generatedDirectories,
  ...untrackedDirectories,
];

/**
 * Whether a path is left out by its name alone, and why. Takes a normal path, whether Git tracks it, and whether the
 * caller named exactly this file. Case does not matter. Rules: grounding sections 4 and 7.
 */
export function excludedByName(
  path: string,
  { tracked, named }: { readonly tracked: boolean; readonly named: boolean },
): Extract<ExclusionReason, 'excluded_directory' | 'secret_like_file'> | null {
  const segments = path.toLowerCase().split('/');
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index] ?? '';
    if (ownDirectories.has(segment)) return 'excluded_directory';
    if (generatedDirectories.has(segment) && !(tracked && named)) return 'excluded_directory';
    if (tracked || named) continue;
    if (untrackedDirectories.has(segment)) return 'excluded_directory';
    if (segment === 'vendor' && segments[index + 1] === 'bundle') return 'excluded_directory';
  }
  return secretLikeName(path) ? 'secret_like_file' : null;
}

/**
 * As `excludedByName`, for a long list in which neighbours share their directory: what that says is found out once.
 */
export function createNameExclusion(): typeof excludedByName {
  let known = '';
  let knownTracked = false;
  let ofDirectory: ReturnType<typeof excludedByName> = null;
  return (path, { tracked, named }) => {
    const slash = path.lastIndexOf('/');
    const base = path.slice(slash + 1);
    // These two names are judged together with the directories before them.
    if (named || slash < 0 || /^(?:bundle|config\.json)$/i.test(base)) return excludedByName(path, { tracked, named });
    const directory = path.slice(0, slash);
    if (directory !== known || tracked !== knownTracked) {
      known = directory;
      knownTracked = tracked;
      ofDirectory = excludedByName(`${directory}/a`, { tracked, named });
    }
    if (ofDirectory === 'excluded_directory') return ofDirectory;
    const ofBase = excludedByName(base, { tracked, named });
    return ofBase === 'excluded_directory' ? ofBase : (ofDirectory ?? ofBase);
  };
}
