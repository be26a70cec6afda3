import type { WireTool } from '../../schemas/wire/vocabulary.ts';

/** What a text answer names, read back from its lines alone. */
export interface Named {
  readonly paths: readonly string[];
  readonly ids: readonly string[];
  readonly codes: readonly string[];
  readonly cursors: readonly string[];
  readonly sentences: readonly string[];
}

interface Reader {
  paths: string[];
  ids: string[];
  codes: string[];
  cursors: string[];
  sentences: string[];
}

const quoted = /^"(?:[^"\\]|\\.)*"/;

/** The words of a line: bare ones end at a space, quoted ones at their quote. */
const wordsOf = (line: string): readonly string[] => {
  const words: string[] = [];
  let rest = line;
  while (rest !== '') {
    const string = quoted.exec(rest)?.[0];
    const word = string ?? /^\S+/.exec(rest)?.[0] ?? '';
    words.push(string === undefined ? word : String(JSON.parse(string)));
    rest = rest.slice(Math.max(word.length, 1)).replace(/^ /, '');
  }
  return words;
};

const take = (line: string, start: string): string | null => (line.startsWith(start) ? line.slice(start.length) : null);

const push = (list: string[], ...items: readonly (string | undefined)[]): void => {
  for (const item of items) if (item !== undefined) list.push(item);
};

/** The message, and the `next: …` lines that follow it. */
const readFailure = (named: Reader, lines: readonly string[]): void => {
  push(named.sentences, lines[1]);
  for (const line of lines.slice(2)) {
    const next = take(line, 'next: ');
    if (next === null) return;
    named.sentences.push(next);
  }
};

const readDone = (named: Reader, lines: readonly string[], first: string): void => {
  const [status, path, id, code] = wordsOf(first);
  push(named.paths, path);
  push(named.ids, id);
  if (status === 'failed') {
    push(named.codes, code);
    readFailure(named, lines);
  }
  for (const line of lines.slice(1)) {
    const touched = take(line, 'touched: ');
    if (touched !== null) push(named.paths, ...wordsOf(touched));
  }
};

/** A batch is split where a line begins with the index of the next step. */
const readBatch = (named: Reader, lines: readonly string[]): void => {
  const starts = lines.flatMap((line, at) => (/^\d+ (?:ok|failed|pending) /.test(line) ? [at] : []));
  starts.forEach((at, step) => {
    const part = lines.slice(at, starts[step + 1] ?? lines.length);
    readDone(named, part, (part[0] ?? '').replace(/^\d+ /, ''));
  });
};

const readRows = (named: Reader, lines: readonly string[], pathAt: number): void => {
  push(named.paths, wordsOf(lines[0] ?? '')[0]);
  for (const line of lines.slice(1)) {
    const row = take(line, '- ');
    if (row !== null) push(named.paths, wordsOf(row)[pathAt]);
    const more = take(line, 'more: cursor ');
    if (more !== null) push(named.cursors, wordsOf(more)[0]);
  }
};

const readEvents = (named: Reader, lines: readonly string[]): void => {
  for (const line of lines) {
    const [what, one, two, three] = wordsOf(line);
    if (what === 'run') {
      push(named.paths, two);
      push(named.ids, three);
    } else if (what === 'change') {
      push(named.cursors, one);
      push(named.paths, two);
    } else if (what === 'cursor') push(named.cursors, one);
  }
};

/** Reads a text answer back; it knows the format of section 4 and nothing of the typed answer. */
export const readBack = (tool: WireTool, text: string): Named => {
  const named: Reader = { paths: [], ids: [], codes: [], cursors: [], sentences: [] };
  const lines = text.split('\n');
  const first = lines[0] ?? '';
  // The outcome of one action has its path and id in this line, too.
  const code = /^failed (?:"(?:[^"\\]|\\.)*"|[^" ]+)$/.test(first) ? wordsOf(first)[1] : undefined;
  if (code !== undefined) {
    push(named.codes, code);
    readFailure(named, lines);
  } else if (tool === 'tilo_ls') readRows(named, lines, 0);
  else if (tool === 'tilo_read') readRows(named, lines, 2);
  else if (tool === 'tilo_find') {
    for (const line of lines.slice(1)) push(named.paths, wordsOf(line)[1]);
  } else if (tool === 'tilo_watch') readEvents(named, lines);
  else if (tool !== 'tilo') {
    if (/^(?:ok|(?:failed|pending) at step \d+(?:; .*)?)$/.test(first)) readBatch(named, lines);
    else readDone(named, lines, first);
  }
  return named;
};
