import { baseName, byCodeUnit, directoryOf } from '../paths.ts';

/** Each stands for a package of its own where it lies, in a workspace or by itself. */
const manifestNames = new Set([
  'package.json',
  'pyproject.toml',
  'cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'gemfile',
  'mix.exs',
]);

/** Whether a file says what the directory that holds it is: the manifest of a package, or a README. */
export function describesDirectory(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return manifestNames.has(name) || name === 'readme' || name.startsWith('readme.');
}

/**
 * Orders files that nothing speaks for: one of each package, then the second of each, and so on; of a package its
 * manifest and README first. With one package the order stays by code unit. Takes the whole inventory, to know the
 * packages, and the files to order. Rule: grounding section 13.6.
 */
export function spreadOverPackages<T extends { readonly path: string }>(
  inventory: readonly { readonly path: string }[],
  files: readonly T[],
): T[] {
  const packages = new Set<string>();
  for (const { path } of inventory)
    if (manifestNames.has(baseName(path).toLowerCase())) packages.add(directoryOf(path));
  const sorted = [...files].sort((left, right) => byCodeUnit(left.path, right.path));
  packages.add('.');
  if (packages.size < 2) return sorted;

  const known = new Map<string, string>();
  const packageOf = (directory: string): string => {
    const found = known.get(directory);
    if (found !== undefined) return found;
    const result = packages.has(directory) ? directory : packageOf(directoryOf(directory));
    known.set(directory, result);
    return result;
  };
  const byPackage = new Map<string, T[]>();
  for (const file of sorted) {
    const name = packageOf(directoryOf(file.path));
    const members = byPackage.get(name) ?? [];
    members.push(file);
    byPackage.set(name, members);
  }
  const placed: { readonly file: T; readonly round: number }[] = [];
  for (const [name, members] of byPackage) {
    const first = members.filter(({ path }) => directoryOf(path) === name && describesDirectory(path));
    const firstSet = new Set(first);
    const rest = members.filter((file) => !firstSet.has(file));
    for (const [round, file] of [...first, ...rest].entries()) placed.push({ file, round });
  }
  return placed
    .sort((left, right) => left.round - right.round || byCodeUnit(left.file.path, right.file.path))
    .map(({ file }) => file);
}
