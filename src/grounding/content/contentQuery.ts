import { findSecret } from '../../../machines/secrets/content.ts';
import { withoutSecrets } from '../../../machines/secrets/removal.ts';
import { beyondAscii, readRequest, takeOtherWords, tokensOf } from '../requestTerms.ts';
import { formsOf } from './wordForms.ts';

/** What is looked for in the contents of files: wholes first, and their parts among the terms. */
export interface ContentQuery {
  /** Quoted strings, error messages and identifiers, in lower case, in order of appearance. */
  readonly phrases: readonly string[];
  /** As in the ranking of paths, in order of appearance. */
  readonly terms: readonly string[];
  /** Terms that follow one another in the request, by their positions in `terms`. */
  readonly pairs?: readonly (readonly [first: number, second: number])[];
  /** Words that have other letters than those of tokens, in lower case. */
  readonly words?: readonly string[];
  /** Other forms of terms: the position in `terms` of each. */
  readonly forms?: ReadonlyMap<string, number>;
}

/** Each is searched for in each file by itself. */
const mostPhrases = 24;
const mostTerms = 256;
const mostWords = 16;
const mostPairs = 256;
const shortestPhrase = 4;
const longestPhrase = 200;
const longestWord = 40;

/** Double quotes, backticks, typographic quotes; a single quote counts where it is no apostrophe. */
const quotes = [
  /"([^"\n]{4,400})"/g,
  /`([^`\n]{4,400})`/g,
  /[“„]([^“”\n]{4,400})[”“]/g,
  /«([^«»\n]{4,400})»/g,
  /「([^「」\n]{2,400})」/g,
  /『([^『』\n]{2,400})』/g,
  /(?<![A-Za-z0-9])'([^'\n]{4,400})'(?![A-Za-z0-9])/g,
  // As loud messages are written.
  /(?<![A-Za-z])([A-Z]{2,20}(?: [A-Z]{2,20}){2,15})(?![A-Za-z])/g,
];
/** A message as programs print it: what stands behind the kind of error, and behind where it happened. */
const message = /\b[A-Za-z]*(?:error|exception|warning|panic|fatal)(?: ?[([][^\n()[\]]{1,80}[)\]])?: ?([^\n]{4,400})/gi;
const word = /[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\.|::|->|#)[A-Za-z_$][A-Za-z0-9_$]*)*/g;

/**
 * Words of other languages that requests are written in: in contents they speak for nothing but translations. Those
 * that mean something in code or in English are not among them.
 */
const otherFunctionWords = new Set(
  (
    'aber alle als am auch auf aus bei beim bis bitte damit dann das dass dem den der dies diese dieser dieses doch ' +
    'durch ein eine einem einen einer eines er etwas gibt haben hat ich ihr ihre im jede jeder kann kein keine ' +
    'mehr mein muss nach nicht noch nur ob oder ohne sehr sein sich sie sind soll sollte sowie statt um und uns unter ' +
    'vom von vor wann warum weil wenn wer werden wie wieder wir wird wo wurde zu zum zur ' +
    'alors au avec ce ces cette dans elle il ils je la le les leur lors lorsque mais mes mon nous ou pas ' +
    'pour quand que qui ses sont sur tout une vous ' +
    'como cuando desde donde el ella esta este esto hay las los muy pero porque si sobre sus ' +
    'ao aos das ela ele essa esse isso na nos pela pelo quando seu sua uma ' +
    'che cui dal della gli ma nel nella questo sono'
  ).split(' '),
);

/** Reads from a request of any length what its author may have seen in the contents. Linear, bounded in its result. */
export function readContentQuery(given: string): ContentQuery {
  // What looks like a credential is not searched for, nor named.
  const request = withoutSecrets(given);
  const phrases = new Set<string>();
  const add = (text: string, shortest = shortestPhrase): void => {
    const phrase = text.trim().toLowerCase();
    if (phrases.size >= mostPhrases || phrase.length < shortest || phrase.length > longestPhrase) return;
    // One word of small letters is a term already.
    if (/^[a-z0-9]+$/.test(phrase) && text.trim() === phrase) return;
    if (/[a-z0-9]/.test(phrase) || /\p{L}/u.test(phrase)) phrases.add(phrase);
  };
  const quoted = [...quotes, message].flatMap((pattern) =>
    [...request.matchAll(pattern)].map((match) => ({ at: match.index, text: match[1] ?? '' })),
  );
  for (const { text } of quoted.sort((left, right) => left.at - right.at)) {
    // Cut out of its line, a text may look like a credential that did not before.
    if (findSecret(text) !== null) continue;
    add(text, beyondAscii.test(text) ? 2 : shortestPhrase);
    for (const piece of constantPieces(text)) add(piece);
  }
  for (const [text] of request.matchAll(word)) {
    if (!isIdentifier(text) || findSecret(text) !== null) continue;
    add(text);
    const parts = text.split(/\.|::|->|#/);
    if (parts.length > 1) for (const part of parts) if (isIdentifier(part)) add(part);
  }
  return { phrases: [...phrases], ...readWords(request, phrases) };
}

/** The single words, their forms, and which follow one another. */
function readWords(request: string, phrases: ReadonlySet<string>): Omit<ContentQuery, 'phrases'> {
  const { words: found, rest: plain } = takeOtherWords(request);
  const told = found.filter((word) => word.length >= 2 && word.length <= longestWord && !phrases.has(word));
  const words = [...new Set(told)].slice(0, mostWords);
  const terms = [...readRequest(plain).terms].filter((term) => !otherFunctionWords.has(term)).slice(0, mostTerms);
  const positions = new Map(terms.map((term, index) => [term, index]));

  const pairs = new Map<number, readonly [number, number]>();
  for (const clause of plain.split(/\n|[.!?;](?=\s)/)) {
    let first: number | undefined;
    for (const token of tokensOf(clause)) {
      const second = positions.get(token);
      if (first !== undefined && second !== undefined && pairs.size < mostPairs)
        pairs.set(first * mostTerms + second, [first, second]);
      first = second;
    }
  }
  const forms = new Map<string, number>();
  for (const [index, term] of terms.entries())
    for (const form of formsOf(term)) if (!positions.has(form) && !forms.has(form)) forms.set(form, index);
  return { terms, words, pairs: [...pairs.values()], forms };
}

/** A message is printed with values in it; the source has the words between them. Pieces of one word say too little. */
function constantPieces(text: string): string[] {
  // A name with a digit or a dot inside is a value as a whole.
  const words = text.replace(/\S*(?:\d|[_./\\][A-Za-z])\S*/g, '\n');
  return words.split(/[^A-Za-z ,-]+/).filter((piece) => tokensOf(piece).length >= 2);
}

function isIdentifier(text: string): boolean {
  return /[a-z0-9][A-Z]/.test(text) || /[A-Za-z0-9](?:_+|\.|::|->|#)[A-Za-z]/.test(text);
}
