import { fold } from './fold.ts';
import type { IndexedRow } from './rows.ts';

/** A query, folded. */
export interface Query {
  /** In one line, as it was put. */
  readonly text: string;
  /** Each word once. */
  readonly words: readonly string[];
}

const inOneLine = (text: string): string => text.trim().replace(/\s+/gu, ' ');

export const queryOf = (written: string): Query => {
  const text = inOneLine(fold(written));
  return { text, words: text === '' ? [] : [...new Set(text.split(' '))] };
};

/** How well a row meets a query (workspace-wire 4.5): a lower tier is better, within a tier a lower rank. */
export interface Match {
  readonly row: IndexedRow;
  readonly tier: 1 | 2 | 3 | 4 | 5 | 6;
  readonly rank: number;
  /** Nothing of its own meets the query in full: only with the words of its path does it. */
  readonly onlyByPath: boolean;
}

/** The rows whose content holds a word, with how well; asked only of words that some label lacks. */
export type Holding = (word: string) => ReadonlyMap<number, number>;

const letter = /[\p{L}\p{N}]/u;

/** Whether a word of the text begins so. */
const begins = (text: string, word: string): boolean => {
  for (let found = text.indexOf(word); found >= 0; found = text.indexOf(word, found + 1)) {
    const before = [...text.slice(Math.max(0, found - 2), found)].at(-1);
    if (before === undefined || !letter.test(before)) return true;
  }
  return false;
};

/** How a row meets the query; null when some word is nowhere in its label, path or content. */
export const matchOf = (row: IndexedRow, { text, words }: Query, holding: Holding): Match | null => {
  const label = inOneLine(fold(row.label));
  const missing = words.filter((word) => !label.includes(word));
  if (missing.length === 0) {
    const tier = label === text ? 1 : label.startsWith(text) ? 2 : words.every((word) => begins(label, word)) ? 3 : 4;
    return { row, tier, rank: 0, onlyByPath: false };
  }
  const path = fold(row.path);
  const held = (word: string): number | undefined => holding(word).get(row.id);
  const onlyByPath = missing.some((word) => held(word) === undefined);
  if (missing.every((word) => path.includes(word))) return { row, tier: 5, rank: 0, onlyByPath };
  if (missing.some((word) => held(word) === undefined && !path.includes(word))) return null;
  return { row, tier: 6, rank: missing.reduce((sum, word) => sum + (held(word) ?? 0), 0), onlyByPath };
};

/** Those that are told (D-41): what meets the query only through its path is left out when something above it meets it. */
export const told = (matches: readonly Match[]): readonly Match[] => {
  const refs = new Set(matches.map(({ row }) => row.ref));
  const under = (ref: string): boolean => {
    for (let end = ref.lastIndexOf('/'); end >= 0; end = ref.lastIndexOf('/', end - 1))
      if (refs.has(ref.slice(0, end))) return true;
    return false;
  };
  return matches.filter(({ row, onlyByPath }) => !onlyByPath || !under(row.ref));
};

/** A match with what decides between equals. */
export interface Ranked extends Match {
  /** As the answer prints it. */
  readonly path: string;
  /** The sequence of its latest change; 0 when none is kept. */
  readonly changed: number;
}

/** Best first: a total order, for no two hits of one answer have the same path. */
export const byRank = (one: Ranked, other: Ranked): number =>
  one.tier - other.tier ||
  one.rank - other.rank ||
  other.changed - one.changed ||
  Buffer.byteLength(one.path) - Buffer.byteLength(other.path) ||
  Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));
