import { baseName, byCodeUnit } from '../paths.ts';

/** A place that the request names as tools print it. */
interface Trace {
  /** In lower case, slashes forward. */
  readonly segments: readonly string[];
  /** Whether a line number follows. */
  readonly line: boolean;
  /** An installed copy of this very project: all segments must be there, not only the last. */
  readonly whole: boolean;
}

/** What stands behind these is a library, or this project as others installed it. */
const installed = new Set(['node_modules', 'site-packages', 'dist-packages']);
/** Frames of libraries: their last names would raise files of the repository that only share them. */
const foreign = new Set(['.cargo', 'gems', 'node:internal']);
/** Sources of a Python project lie at the root or in one of these, and are installed without it. */
const sourceDirectories = ['', 'src/', 'lib/'];
/** A request that pastes a whole log names the places that matter first. */
const mostTraces = 256;
/** A name that more files share says nothing about any of them. */
const mostShared = 4;
const mostSegments = 16;

/** Letters of every script; brackets as in `[slug]`. */
const run = /[\p{L}\p{M}\p{N}_@.+~%$[\]/\\-]+/gu;
/** `Makefile`, `LICENSE`: a name without an extension is one where a capital sets it off. */
const capitalName = /(?<![\w./\\-])[A-Z][A-Za-z]{2,}(?!\.?\w|[/\\-])/g;
/** `:12`, `(12)`, `", line 12`, ` on line 12`, `:line 12`. */
const lineBehind = /^(?::|\()\d|^(?:"?,| on|:)? ?line \d/;
const goVersion = /@v\d[^/]*$/;

/**
 * The files that a pasted stack trace or message of a tool names: `src/a.ts:10:5`, `(/home/me/app/src/a.ts:10)`, `File
 * "a.py", line 3`, `Bar.java:42`, `C:\app\a.ts`. Takes normal paths, the request and the names under which others
 * install the project; gives the paths it names, by the longest end of the named path that ends a path of the
 * repository: the directory that the trace was made in need not be this one. Of a single name (`setup.ts`, `Makefile`)
 * the whole base name must be it, unless a line number follows. Linear in both. Rule: grounding section 13.4.
 */
export function tracedPaths(
  paths: readonly string[],
  request: string,
  ownNames: readonly string[] = [],
): ReadonlySet<string> {
  const composed = request.normalize('NFC');
  const traces = readTraces(composed, ownNames);
  const capitals = new Map((request.match(capitalName) ?? []).map((name): [string, string[]] => [name, []]));
  if (traces.length === 0 && capitals.size === 0) return new Set();
  const wanted = new Map<string, string[]>();
  for (const { segments, whole } of traces)
    for (let from = 0; from < (whole ? 1 : segments.length); from += 1) wanted.set(segments.slice(from).join('/'), []);
  for (const path of paths) {
    capitals.get(baseName(path))?.push(path);
    // Some systems take the signs above letters apart in names.
    const lower = path.toLowerCase().normalize('NFC');
    for (let at = 0; at >= 0; at = nextTail(lower, at)) {
      const found = wanted.get(lower.slice(at));
      if (found !== undefined) found.push(path);
    }
  }
  const named = new Set<string>();
  for (const trace of traces) for (const path of filesOf(trace, wanted)) named.add(path);
  for (const found of capitals.values()) if (found.length <= mostShared) for (const path of found) named.add(path);
  return named;
}

/** Whether a request may name files of an installed copy of the project: only then its names are needed. */
export function namesInstalled(request: string): boolean {
  return /node_modules|@v\d/.test(request);
}

function filesOf({ segments, line, whole }: Trace, wanted: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (whole) {
    const tail = segments.join('/');
    const exact = sourceDirectories.map((directory) => `${directory}${tail}`);
    return (wanted.get(tail) ?? []).filter((path) => exact.includes(path.toLowerCase()));
  }
  for (let from = 0; from < segments.length; from += 1) {
    const tail = segments.slice(from).join('/');
    const found = wanted.get(tail) ?? [];
    if (found.length === 0) continue;
    // One name at the end of a longer path says little, but for a file at the root.
    const single = from === segments.length - 1;
    const said = single && from > 0 ? found.filter((path) => line && !path.includes('/')) : found;
    return said.length <= mostShared ? [...said].sort(byCodeUnit) : [];
  }
  return [];
}

function nextTail(path: string, at: number): number {
  const slash = path.indexOf('/', at);
  return slash < 0 ? -1 : slash + 1;
}

function readTraces(request: string, ownNames: readonly string[]): Trace[] {
  const own = ownNames.map((name) => `${name.toLowerCase()}/`);
  const traces = new Map<string, Trace>();
  for (const match of request.matchAll(run)) {
    if (traces.size >= mostTraces) break;
    const segments = withoutOpenBracket(match[0])
      .toLowerCase()
      .split(/[/\\]+/)
      .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
    const last = segments.at(-1) ?? '';
    const after = request.slice(match.index + match[0].length, match.index + match[0].length + 24);
    const line = lineBehind.test(after);
    // A file has an extension here; a word with a number behind it is none.
    if (!/[^.]\.[a-z][a-z0-9]*$/.test(last) || segments.some((segment) => foreign.has(segment))) continue;
    const inProject = projectSegments(segments, own);
    if (inProject === null) continue;
    const whole = inProject !== segments;
    const key = `${whole}:${inProject.join('/')}`;
    traces.set(key, {
      segments: whole ? inProject : inProject.slice(-mostSegments),
      line: line || traces.get(key)?.line === true,
      whole,
    });
  }
  return [...traces.values()];
}

/** All of them where nothing is installed; those inside of the project where it is; null for a library. */
function projectSegments(segments: readonly string[], own: readonly string[]): readonly string[] | null {
  const at = segments.findLastIndex((segment) => installed.has(segment));
  const version = segments.findIndex((segment) => goVersion.test(segment));
  if (at < 0 && version < 0) return segments;
  if (at >= 0 && segments[at] !== 'node_modules') return segments.slice(at + 1);
  const rest = version < 0 ? segments.slice(at + 1).join('/') : segments.join('/').replace(/@v\d[^/]*/, '');
  for (const name of own) {
    if (version < 0 && rest.startsWith(name)) return rest.slice(name.length).split('/');
    const inside = version < 0 ? -1 : `/${rest}`.indexOf(`/${name}`);
    if (inside >= 0) return rest.slice(inside + name.length).split('/');
  }
  return null;
}

/** As logs put it before a path; `[slug]` has both. */
function withoutOpenBracket(text: string): string {
  const open = text.lastIndexOf('[');
  return open >= 0 && !text.includes(']', open) ? text.slice(open + 1) : text;
}
