import { findSecret } from '../../machines/secrets/content.ts';
import { readRequest, tokensOf } from './requestTerms.ts';

/** What is looked for in the contents of files: wholes first, and their parts among the terms. */
export interface ContentQuery {
  /** Quoted strings, error messages and identifiers, in lower case, in order of appearance. */
  readonly phrases: readonly string[];
  /** As in the ranking of paths, in order of appearance. */
  readonly terms: readonly string[];
}

/** Each is searched for in each file by itself. */
const mostPhrases = 24;
const mostTerms = 256;
const shortestPhrase = 4;
const longestPhrase = 200;

/** Double quotes, backticks and typographic quotes; a single quote counts where it is no apostrophe. */
const quotes = [
  /"([^"\n]{4,400})"/g,
  /`([^`\n]{4,400})`/g,
  /“([^”\n]{4,400})”/g,
  /(?<![A-Za-z0-9])'([^'\n]{4,400})'(?![A-Za-z0-9])/g,
];
/** A message as programs print it: what stands behind the kind of error. */
const message = /\b[A-Za-z]*(?:error|exception|warning|panic|fatal): ?([^\n]{4,400})/gi;
const word = /[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\.|::|->|#)[A-Za-z_$][A-Za-z0-9_$]*)*/g;

/** Reads from a request of any length what its author may have seen in the contents. Linear, bounded in its result. */
export function readContentQuery(request: string): ContentQuery {
  const phrases = new Set<string>();
  const add = (text: string): void => {
    const phrase = text.trim().toLowerCase();
    if (phrases.size >= mostPhrases || phrase.length < shortestPhrase || phrase.length > longestPhrase) return;
    // One word of small letters is a term already.
    if (/^[a-z0-9]+$/.test(phrase) && text.trim() === phrase) return;
    if (/[a-z0-9]/.test(phrase)) phrases.add(phrase);
  };
  const quoted = [...quotes, message].flatMap((pattern) =>
    [...request.matchAll(pattern)].map((match) => ({ at: match.index, text: match[1] ?? '' })),
  );
  for (const { text } of quoted.sort((left, right) => left.at - right.at)) {
    // What looks like a credential is not searched for, nor named.
    if (findSecret(text) !== null) continue;
    add(text);
    for (const piece of constantPieces(text)) add(piece);
  }
  for (const [text] of request.matchAll(word)) if (isIdentifier(text) && findSecret(text) === null) add(text);
  return { phrases: [...phrases], terms: [...readRequest(request).terms].slice(0, mostTerms) };
}

/** A message is printed with values in it; the source has the words between them. Pieces of one word say too little. */
function constantPieces(text: string): string[] {
  return text.split(/[^A-Za-z ,-]+/).filter((piece) => tokensOf(piece).length >= 2);
}

function isIdentifier(text: string): boolean {
  return /[a-z0-9][A-Z]/.test(text) || /[A-Za-z0-9](?:_+|\.|::|->|#)[A-Za-z]/.test(text);
}
