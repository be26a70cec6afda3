/** What a request says about where to look (grounding section 6). */
export interface RequestTerms {
  /** In order of appearance, each once. */
  readonly terms: ReadonlySet<string>;
  /** Words that have other letters than those of terms, in lower case and composed form, in order of appearance. */
  readonly words?: ReadonlySet<string>;
  /** Paths that the request spells out, in lower case, in order of appearance. */
  readonly hints: ReadonlySet<string>;
}

const functionWords =
  'a about above after again all also an and any are as at be because been before being below between both but by can ' +
  'could did do does doing down during each few for from further get had has have having he her here hers him his how ' +
  'if in into is it its just let like make me more most my no nor not now of off on once only or other our out over ' +
  'own please same she should so some such than that the their them then there these they this those through to too ' +
  'under until up us very want was we were what when where which while who whom why will with would you your';

/** Words that say do the task and not where, and what is left of an address. */
const taskWords = 'check code file fix investigate project report review task use com';

const stopWords = new Set(`${functionWords} ${taskWords}`.split(' '));

/**
 * The tokens of a text, in order, repeats included: a break between a small letter or digit and a capital, lower case,
 * runs of letters and digits, one final `s` taken off long tokens.
 */
export function tokensOf(text: string): string[] {
  const broken = text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ').toLowerCase();
  return (broken.match(/[a-z0-9]+/g) ?? []).map((token) =>
    token.length > 4 && token.endsWith('s') && !/(?:ss|is|us)$/.test(token.slice(-2)) ? token.slice(0, -1) : token,
  );
}

/**
 * A word of an alphabet, or a run of one kind of signs where words are not set apart; small Japanese signs are grammar.
 */
const otherWord =
  /(?:\p{Script=Latin}|\p{M})+|(?:\p{Script=Cyrillic}|\p{M})+|(?:\p{Script=Greek}|\p{M})+|\p{Script=Han}+|[\p{Script=Katakana}ー]+|(?:(?!\p{Script=Hiragana}|\p{Script=Latin}|\p{Script=Han}|\p{Script=Katakana})[\p{L}\p{M}])+/gu;
/** Whether a text has more than tokens can tell. */
export const beyondAscii = /[^\0-\x7f]/;

/**
 * Takes the words that have letters beyond ASCII out of a text: what tokens leave of them (`gr` of `größe`) are words
 * of their own. Gives them in lower case and composed form, repeats included, and the text without them.
 */
export function takeOtherWords(text: string): { readonly words: readonly string[]; readonly rest: string } {
  if (!beyondAscii.test(text)) return { words: [], rest: text };
  const words: string[] = [];
  const rest = text.normalize('NFC').replace(otherWord, (found) => {
    if (!beyondAscii.test(found)) return found;
    words.push(found.toLowerCase());
    return ' ';
  });
  return { words, rest };
}

/** What a terminal is told between the words of a pasted log: colours and the like. */
const terminalCodes = /\x1b\[[0-9;:?]*[ -/]*[@-~]/g;

/** A request as its author saw it. */
export function withoutTerminalCodes(request: string): string {
  return request.replace(terminalCodes, '');
}

/** Reads the terms, words and path hints of a request of any length, in linear time. */
export function readRequest(request: string): RequestTerms {
  const { words, rest } = takeOtherWords(request);
  const terms = new Set(tokensOf(rest).filter((token) => token.length >= 2 && !stopWords.has(token)));
  const hints = new Set<string>();
  for (const run of request.match(/[A-Za-z0-9_./-]+/g) ?? []) {
    if (!run.includes('/')) continue;
    const segments = run
      .toLowerCase()
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.');
    const last = withoutFinalDots(segments.at(-1) ?? '');
    const hint = [...segments.slice(0, -1), ...(last === '' ? [] : [last])].join('/');
    if (hint !== '' && (hint.includes('/') || run.endsWith('/'))) hints.add(hint);
  }
  return { terms, words: new Set(words.filter((word) => word.length >= 2)), hints };
}

/** A sentence may end behind a path. */
function withoutFinalDots(segment: string): string {
  let end = segment.length;
  while (end > 0 && segment[end - 1] === '.') end -= 1;
  return segment.slice(0, end);
}
