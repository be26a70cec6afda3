import type { GateHost } from '../hosts.ts';

/** How a hook starts the gate of this installation. */
export interface GateStart {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of the executable file of this package. */
  readonly entry: string;
  readonly host: GateHost;
  /** The repository, where the hook belongs to one. */
  readonly repo: string | null;
  readonly strict: boolean;
  /** Where the state lies, if it does not lie in the usual place; only of a hook that belongs to one repository. */
  readonly state?: string | null;
}

/** The program and its arguments. */
export const gateWords = ({ node, entry, host, repo, strict, state = null }: GateStart): readonly string[] => [
  node,
  entry,
  'broker-gate',
  '--host',
  host,
  ...(strict ? ['--strict'] : []),
  ...(repo === null || state === null ? [] : ['--state', state]),
  ...(repo === null ? [] : ['--repo', repo]),
];

const quote = (word: string): string =>
  process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;

/** The words as a shell takes them, the paths quoted whatever they hold. */
export const shellWords = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z-]+$/.test(word) ? word : quote(word))).join(' ');

/** Seconds that a hook waits for the gate: far above its own deadline, and below the limits of hosts. */
const patience = 3;

/**
 * Around the words, so that only an answer counts as one: hosts carry on after a crash, silence, rubbish and a hang. The
 * input goes over a descriptor of its own, since a shell gives what it starts in the background nothing to read.
 */
const before = 'o=$(exec 3<&0; ';
const after = ` <&3 & p=$!; (sleep ${patience}; kill -9 $p) >/dev/null 2>&1 & w=$!; wait $p; r=$?; kill $w 2>/dev/null; exit $r) && case $o in "{"*"}") printf '%s\\n' "$o";; *) false;; esac`;

/** The words as a line for a shell that fails unless the gate gave an answer; Windows has no such shell. */
export const answered = (words: readonly string[]): string =>
  process.platform === 'win32' ? shellWords(words) : `${before}${shellWords(words)}${after}`;

const otherwiseRefuse =
  process.platform === 'win32'
    ? ' || exit 2'
    : ' || { echo "Telic refuses this call: the gate gave no answer." >&2; exit 2; }';

/** The line that a host gives to its shell. */
export const gateCommand = (start: GateStart): string => `${answered(gateWords(start))}${otherwiseRefuse}`;

/** Splits words that `shellWords` joined; null when the text is something else. */
const splitWords = (text: string): readonly string[] | null => {
  const words: string[] = [];
  const word = /\s*((?:'[^']*'|"[^"]*"|\\'|[^\s'"\\;&|<>$`])+)/y;
  let at = 0;
  while (at < text.trimEnd().length) {
    word.lastIndex = at;
    const found = word.exec(text);
    if (!found?.[1]) return null;
    words.push(found[1].replace(/'([^']*)'|"([^"]*)"|\\(')/g, '$1$2$3'));
    at = word.lastIndex;
  }
  return words;
};

/** Whether a text starts the gate, in our words or in others. */
export const startsGate = (command: unknown): command is string =>
  typeof command === 'string' && /(?:^|\s)['"]?broker-gate['"]?(?:\s|$)/.test(command);

/** What earlier installs put behind the words. */
const earlier = ' || exit 2';

const withoutEnd = (text: string, end: string): string => (text.endsWith(end) ? text.slice(0, -end.length) : text);

/** The words of a command that we could have written; null for another. */
export const wordsOfCommand = (command: string): readonly string[] | null => {
  const line = withoutEnd(withoutEnd(command, otherwiseRefuse), earlier);
  const bare = line.startsWith(before) ? withoutEnd(line.slice(before.length), after) : line;
  return splitWords(bare);
};
