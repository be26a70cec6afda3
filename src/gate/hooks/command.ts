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
}

/** The program and its arguments. */
export const gateWords = ({ node, entry, host, repo, strict }: GateStart): readonly string[] => [
  node,
  entry,
  'broker-gate',
  '--host',
  host,
  ...(strict ? ['--strict'] : []),
  ...(repo === null ? [] : ['--repo', repo]),
];

const quote = (word: string): string =>
  process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;

/** The words as a shell takes them, the paths quoted whatever they hold. */
export const shellWords = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z-]+$/.test(word) ? word : quote(word))).join(' ');

/** Whatever keeps the gate from answering (no Node, no file, a crash) refuses, since hosts carry on after other codes. */
const otherwiseRefuse = ' || exit 2';

/** The line that a host gives to its shell. */
export const gateCommand = (start: GateStart): string => `${shellWords(gateWords(start))}${otherwiseRefuse}`;

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

/** The words of a command that we could have written; null for another. */
export const wordsOfCommand = (command: string): readonly string[] | null =>
  splitWords(command.endsWith(otherwiseRefuse) ? command.slice(0, -otherwiseRefuse.length) : command);
