/**
 * Ignore rules as Git reads them, for the walk that serves where neither Git nor ripgrep does. Names and patterns are
 * given with one character a byte (`latin1`), for Git compares bytes. Rule: grounding section 3, which wants no
 * fallback to list what the user excluded.
 */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** What the path must begin with, where Git compares that apart from the rest: `a` of `a**\/b`. */
  readonly literal: string;
  /** Of the whole path below the file of rules, or, for a pattern without a slash, of the last name alone. */
  readonly segments: readonly Segment[];
  readonly anchored: boolean;
}

/** The rules of one directory, and those of the directories above it. */
export interface IgnoreScope {
  /** How many characters of a path lead to the directory: its own, and a slash. */
  readonly prefix: number;
  readonly rules: readonly IgnoreRule[];
  readonly above: IgnoreScope | null;
}

/** `**` between slashes: any number of names. Else what one name must be. */
type Segment = 'any names' | readonly Token[];
type Token = string | 'any character' | 'any run' | ((character: string) => boolean);

/** Reads a file of rules; a line that Git would not understand matches nothing. Linear in the text. */
export function parseIgnoreRules(text: string): IgnoreRule[] {
  const withoutMark = text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text;
  return withoutMark.split('\n').flatMap((line) => parseLine(line) ?? []);
}

/**
 * Whether a path is ignored: the last rule that matches decides, the nearest directory first. Takes a path relative to
 * the root; of a directory above it that is ignored the caller must not ask further.
 */
export function isIgnored(path: string, directory: boolean, scope: IgnoreScope | null): boolean {
  for (let at = scope; at !== null; at = at.above) {
    const below = path.slice(at.prefix);
    const names = below.split('/');
    const last = names.slice(-1);
    for (let index = at.rules.length - 1; index >= 0; index -= 1) {
      const rule = at.rules[index];
      if (rule === undefined || (rule.directoryOnly && !directory)) continue;
      if (!below.startsWith(rule.literal)) continue;
      const rest = rule.literal === '' ? names : below.slice(rule.literal.length).split('/');
      if (matchesNames(rule.segments, rule.anchored ? rest : last)) return !rule.negated;
    }
  }
  return false;
}

function parseLine(given: string): IgnoreRule | null {
  const [whole = ''] = (given.endsWith('\r') ? given.slice(0, -1) : given).split('\0', 1);
  let line = withoutTrailingSpaces(whole);
  if (line === '' || line.startsWith('#')) return null;
  const negated = line.startsWith('!');
  if (negated) line = line.slice(1);
  const directoryOnly = line.endsWith('/');
  if (directoryOnly) line = line.slice(0, -1);
  const anchored = line.includes('/');
  if (line.startsWith('/')) line = line.slice(1);
  // Git compares what stands before the first wildcard apart, so that two stars right behind it are as if first.
  const [, literal = ''] = (anchored && /^([^*?[\\]*[^*?[\\/])\*\*+(?:\\?\/|$)/.exec(line)) || [];
  const segments = line === '' ? null : parseSegments(line.slice(literal.length));
  return segments === null ? null : { negated, directoryOnly, literal, segments, anchored };
}

/** Spaces at the end count only behind a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 && end < line.length ? end + 1 : end);
}

function parseSegments(pattern: string): Segment[] | null {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  const close = (): void => {
    segments.push(areStars(tokens) ? 'any names' : tokens);
    tokens = [];
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === '\\' && pattern[at + 1] === '/') {
      // Before an escaped slash two stars stand for one name at least.
      if (areStars(tokens)) segments.push([runToken]);
      continue;
    }
    if (character === '/') close();
    else if (character === '*') tokens.push(runToken);
    else if (character === '?') tokens.push(anyToken);
    else if (character === '[') {
      const found = parseClass(pattern, at + 1);
      if (found === null) return null;
      tokens.push(found.has);
      at = found.end;
    } else if (character === '\\') {
      at += 1;
      if (at === pattern.length) return null;
      tokens.push(pattern.charAt(at));
    } else tokens.push(character);
  }
  close();
  return segments;
}

function areStars(tokens: readonly Token[]): boolean {
  return tokens.length > 1 && tokens.every((token) => token === runToken);
}

// More than one character long, so that no literal is taken for one of them.
const runToken = 'any run';
const anyToken = 'any character';

const namedClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};

type CharacterClass = { readonly has: (character: string) => boolean; readonly end: number };

/** From behind the opening bracket to the closing one; null where there is none. */
function parseClass(pattern: string, start: number): CharacterClass | null {
  const inverted = pattern[start] === '!' || pattern[start] === '^';
  const parts: ((character: string) => boolean)[] = [];
  let previous: string | null = null;
  for (let at = inverted ? start + 1 : start, first = true; at < pattern.length; at += 1, first = false) {
    let character = pattern.charAt(at);
    if (character === ']' && !first) {
      return { has: (wanted) => parts.some((part) => part(wanted)) !== inverted, end: at };
    }
    if (character === '[' && pattern[at + 1] === ':') {
      const end = pattern.indexOf(']', at + 2);
      if (end < 0) return null;
      if (pattern[end - 1] === ':' && end - 1 >= at + 2) {
        const named = namedClasses[pattern.slice(at + 2, end - 1)];
        if (named === undefined) return null;
        parts.push((wanted) => named.test(wanted));
        previous = null;
        at = end;
        continue;
      }
    }
    const next = pattern[at + 1];
    if (character === '-' && previous !== null && next !== undefined && next !== ']') {
      at += 1;
      if (next === '\\') at += 1;
      const from = previous;
      const to = pattern.charAt(at);
      if (to === '') return null;
      parts.push((wanted) => wanted >= from && wanted <= to);
      previous = null;
      continue;
    }
    if (character === '\\') {
      at += 1;
      character = pattern.charAt(at);
      if (character === '') return null;
    }
    const literal = character;
    parts.push((wanted) => wanted === literal);
    previous = literal;
  }
  return null;
}

/** Goes back to the last `**` only, so that no pattern takes more than names times segments. */
function matchesNames(segments: readonly Segment[], names: readonly string[]): boolean {
  return matchesSequence(
    segments,
    names,
    (segment) => segment === 'any names',
    (segment, name) => segment !== 'any names' && matchesName(segment, name),
    // At the end `**` stands for what is inside, not for the directory itself.
    segments.at(-1) === 'any names' ? 1 : 0,
  );
}

function matchesName(tokens: readonly Token[], name: string): boolean {
  return matchesSequence(
    tokens,
    name,
    (token) => token === runToken,
    (token, character) => (typeof token === 'function' ? token(character) : token === anyToken || token === character),
    0,
  );
}

/** The usual match with one place to go back to: the last wildcard. `least` is what a wildcard at the end must take. */
function matchesSequence<P, T>(
  pattern: readonly P[],
  text: ArrayLike<T>,
  isWild: (part: P) => boolean,
  fits: (part: P, item: T) => boolean,
  least: number,
): boolean {
  let wildAt = -1;
  let resume = 0;
  let at = 0;
  let part = 0;
  while (at < text.length) {
    const wanted = pattern[part];
    const item = text[at];
    if (wanted !== undefined && isWild(wanted)) {
      if (part === pattern.length - 1) return text.length - at >= least;
      wildAt = part;
      resume = at;
      part += 1;
    } else if (wanted !== undefined && item !== undefined && fits(wanted, item)) {
      part += 1;
      at += 1;
    } else if (wildAt >= 0) {
      resume += 1;
      at = resume;
      part = wildAt + 1;
    } else return false;
  }
  while (least === 0 && part < pattern.length) {
    const wanted = pattern[part];
    if (wanted === undefined || !isWild(wanted)) return false;
    part += 1;
  }
  return part === pattern.length;
}
