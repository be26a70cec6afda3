import { byCodeUnit } from './paths.ts';

/** A place that the request names as tools print it. */
interface Trace {
  /** In lower case, slashes forward. */
  readonly segments: readonly string[];
  /** Whether a line number follows. */
  readonly line: boolean;
}

/** Frames of libraries: their last names would raise files of the repository that only share them. */
const foreign = new Set(['node_modules', 'site-packages', 'dist-packages', '.cargo', 'gems', 'node:internal']);
/** A request that pastes a whole log names the places that matter first. */
const mostTraces = 256;
/** A name that more files share says nothing about any of them. */
const mostShared = 4;

/**
 * The files that a pasted stack trace or message of a tool names: `src/a.ts:10:5`, `(/home/me/app/src/a.ts:10)`,
 * `File "a.py", line 3`, `Bar.java:42`, `C:\app\a.ts`. Takes normal paths and the request; gives the paths it names, by
 * the longest end of the named path that ends a path of the repository: the directory that the trace was made in need
 * not be this one. A single name counts with a line number only. Linear in both. Rule: grounding section 13.4.
 */
export function tracedPaths(paths: readonly string[], request: string): ReadonlySet<string> {
  const traces = readTraces(request);
  if (traces.length === 0) return new Set();
  const wanted = new Map<string, string[]>();
  for (const { segments } of traces)
    for (let from = 0; from < segments.length; from += 1) wanted.set(segments.slice(from).join('/'), []);
  for (const path of paths) {
    const lower = path.toLowerCase();
    for (let at = 0; at >= 0; at = nextTail(lower, at)) {
      const found = wanted.get(lower.slice(at));
      if (found !== undefined) found.push(path);
    }
  }
  const named = new Set<string>();
  for (const trace of traces) for (const path of filesOf(trace, wanted)) named.add(path);
  return named;
}

function filesOf({ segments, line }: Trace, wanted: ReadonlyMap<string, readonly string[]>): readonly string[] {
  for (let from = 0; from < segments.length; from += 1) {
    const tail = segments.slice(from).join('/');
    const found = wanted.get(tail) ?? [];
    if (found.length === 0) continue;
    // One name at the end of a longer path says little, but for a file at the root.
    const single = from === segments.length - 1;
    const said = single && (from > 0 || !line) ? found.filter((path) => line && !path.includes('/')) : found;
    return said.length <= mostShared ? [...said].sort(byCodeUnit) : [];
  }
  return [];
}

function nextTail(path: string, at: number): number {
  const slash = path.indexOf('/', at);
  return slash < 0 ? -1 : slash + 1;
}

function readTraces(request: string): Trace[] {
  const traces = new Map<string, Trace>();
  for (const match of request.matchAll(/[A-Za-z0-9_@.+~%$/\\-]+/g)) {
    if (traces.size >= mostTraces) break;
    const segments = match[0]
      .toLowerCase()
      .split(/[/\\]+/)
      .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
    const last = segments.at(-1) ?? '';
    const after = request.slice(match.index + match[0].length, match.index + match[0].length + 24);
    const line = /^(?::|\()\d|^"?, line \d/.test(after);
    // A file has an extension here; a word with a number behind it is none.
    if (!/[^.]\.[a-z][a-z0-9]*$/.test(last) || segments.some((segment) => foreign.has(segment))) continue;
    if (segments.length === 1 && !line) continue;
    const key = segments.join('/');
    traces.set(key, { segments: segments.slice(-16), line: line || traces.get(key)?.line === true });
  }
  return [...traces.values()];
}
