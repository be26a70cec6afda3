/**
 * What can be read from a request's text and its authority before a run has begun. All patterns ignore case; lengths
 * are UTF-16 units of the trimmed text (run-machine section 6.1).
 */

import type { ActionCapability, IntentMode } from '../../schemas/vocabulary.ts';

export const forensicSignals = [
  'ANALYZE_AND_FIX',
  'COMPLEXITY_KEYWORD',
  'ELEVATED_CAPABILITY',
  'LONG_REQUEST',
  'NETWORK_READ',
  'SHELL_EXECUTE_ALLOWLIST',
] as const;
export type ForensicSignal = (typeof forensicSignals)[number];

/** What the classification looks at. */
export interface Classified {
  /** The request as it was sent. */
  readonly request: string;
  readonly mode: IntentMode;
  /** The grant after the host intersection. */
  readonly granted: readonly ActionCapability[];
  /** What of it is effective in this mode once the denials are taken out. */
  readonly effective: readonly ActionCapability[];
  readonly commands: readonly string[];
  readonly hosts: readonly string[];
}

const elevated: readonly ActionCapability[] = [
  'repository.write',
  'repository.delete',
  'shell.execute',
  'runtime.restart',
  'browser.mutate',
  'external.write',
  'subagent.spawn',
];

const complexity = /\b(?:refactor|migrate|architecture|security\s+audit|across\s+(?:the\s+)?codebase|multi-?file)\b/i;
const divergence = /\b(?:either|or\s+both|unclear|not\s+sure|choose\s+between)\b/i;

/**
 * Lazy, so that `a.ts/b.ts` counts as two; what follows must not carry the name on (`app.js.map`, `app.tsv`). Quadratic
 * in the longest word, so it is only asked about short texts.
 */
const filePath = /[^\s"'`,;|<>]+?\.(?:tsx?|jsx?|md|json|css|html|py|rs|go)(?![A-Za-z0-9_-]|\.[A-Za-z0-9])/gi;
const openers = /^(?:[([]+|\*\*(?=\w))+/;
const pattern = /[*?{}]/;

const shortText = 200;

const linesOf = (text: string): number => text.split('\n').length;

/**
 * The distinct file paths that a text names, in order, or null when one of them is a pattern and so names nobody knows
 * how many files (D8).
 */
export const pathsIn = (text: string): readonly string[] | null => {
  const found = new Set<string>();
  for (const [raw] of text.matchAll(filePath)) {
    const path = raw.replace(openers, '').replace(/^\.\//, '');
    if (pattern.test(path)) return null;
    // A bare extension in brackets, "(.ts)", names no file.
    if (/[^./([]/.test(path.slice(0, path.lastIndexOf('.')))) found.add(path);
  }
  return [...found];
};

/** The forensic signals that hold, sorted by name. */
export const signalsOf = (start: Classified): readonly ForensicSignal[] => {
  const text = start.request.trim();
  const holds: Readonly<Record<ForensicSignal, boolean>> = {
    ANALYZE_AND_FIX: start.mode === 'analyze_and_fix',
    COMPLEXITY_KEYWORD: complexity.test(text),
    ELEVATED_CAPABILITY: start.granted.some((capability) => elevated.includes(capability)),
    LONG_REQUEST: text.length > 512 || linesOf(text) > 12,
    NETWORK_READ: start.hosts.length > 0,
    SHELL_EXECUTE_ALLOWLIST: start.commands.length > 0,
  };
  return forensicSignals.filter((signal) => holds[signal]);
};

/** One condition of a gate that does not hold, as a phrase. */
type Miss = string;

const shortMisses = (text: string): Miss[] => {
  const misses: Miss[] = [];
  if (text.length > shortText) misses.push(`the request has ${text.length} characters, more than ${shortText}`);
  if (linesOf(text) > 5) misses.push(`the request has ${linesOf(text)} lines, more than 5`);
  const word = divergence.exec(text)?.[0];
  if (word !== undefined) misses.push(`the request says "${word}"`);
  return misses;
};

const others = (list: readonly ActionCapability[], allowed: readonly ActionCapability[]): readonly ActionCapability[] =>
  list.filter((capability) => !allowed.includes(capability));

/** Why a start is no micro report; empty when the gate passes. */
export const reportGateMisses = ({ request, mode, granted }: Classified): readonly Miss[] => {
  if (mode !== 'report_only') return [`the mode is ${mode}`];
  const misses = shortMisses(request.trim());
  for (const capability of others(granted, ['repository.read'])) misses.push(`${capability} is granted`);
  return misses;
};

const fixGrant: readonly ActionCapability[] = ['repository.read', 'repository.write'];

/** Why a start is no micro fix; empty when the gate passes. Grant and effective authority are both exactly read and write (D5). */
export const fixGateMisses = ({ request, mode, granted, effective }: Classified): readonly Miss[] => {
  if (mode !== 'fix_only') return [`the mode is ${mode}`];
  const text = request.trim();
  const misses = shortMisses(text);
  const word = complexity.exec(text)?.[0];
  if (word !== undefined) misses.push(`the request says "${word}"`);
  for (const capability of others(granted, fixGrant)) misses.push(`${capability} is granted`);
  for (const capability of others(fixGrant, effective)) misses.push(`${capability} is not effective`);
  if (text.length > shortText) return misses;
  const paths = pathsIn(text);
  if (paths === null) misses.push('the request names files by a pattern');
  else if (paths.length !== 1) misses.push(`the request names ${paths.length} files, not one`);
  return misses;
};
