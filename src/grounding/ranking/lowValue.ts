import { baseName } from '../paths.ts';

const lockNames = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'deno.lock',
  'cargo.lock',
  'go.sum',
  'go.work.sum',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'pipfile.lock',
  'gemfile.lock',
  'composer.lock',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'podfile.lock',
  'package.resolved',
  'packages.lock.json',
  'gradle.lockfile',
]);

/**
 * Whether a file is a lock file, minified or a source map, by its name: it gets no points for being there, and its
 * content speaks for nothing. Rule: grounding section 13.5.
 */
export function lowValueByName(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return lockNames.has(name) || /[.-]min\.(?:js|mjs|cjs|css)$/.test(name) || /\.(?:js|css|mjs|cjs)\.map$/.test(name);
}

const history =
  /^(?:changelog|changes|history|news|release-?notes?|licen[cs]e|copying|notice|authors|contributors)(?:-[^.]*)?(?:\.(?:md|markdown|rst|txt|adoc|html?))?$/;

/** Documents of earlier versions, which are kept beside those of the current one and repeat them. */
const versioned = /(?:^|\/)(?:versioned_docs|v?\d+\.\d+(?:\.[\dx]+)?)\//;
const document = /\.(?:md|mdx|rst|txt|adoc|html?|ya?ml)$/;

/**
 * Whether a file tells of everything that ever was, or repeats what others say: histories, licences, documents of
 * earlier versions, snapshots of tests, translations, drawings. Words of any request are found there; hardly one is
 * about it.
 */
export function speaksOfEverything(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return (
    history.test(name) ||
    (document.test(name) && versioned.test(path.toLowerCase())) ||
    /\.(?:snap|po|pot|xlf|xliff|svg)$/.test(name)
  );
}

/**
 * What is read first where not everything is, among files that a request speaks for alike: 0 for what is written by
 * hand, 1 for tests, 2 for what is made, translated or only data.
 */
export function readingOrder(path: string): number {
  if (speaksOfEverything(path) || /\.(?:csv|tsv|json|jsonl|xml|lock|geojson|ya?ml|sql|txt|html?)$/i.test(path))
    return 2;
  return /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures|examples?)\//i.test(path) ? 1 : 0;
}
