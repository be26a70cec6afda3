import { baseName } from './paths.ts';

const lockNames = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'cargo.lock',
  'go.sum',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'pipfile.lock',
  'gemfile.lock',
  'composer.lock',
  'flake.lock',
]);

/**
 * Whether a file is a lock file or minified, by its name: it gets no points for being there, and its content speaks for
 * nothing. Rule: grounding section 13.5.
 */
export function lowValueByName(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return lockNames.has(name) || /[.-]min\.(?:js|mjs|cjs|css)$/.test(name) || /\.(?:js|css|mjs|cjs)\.map$/.test(name);
}
