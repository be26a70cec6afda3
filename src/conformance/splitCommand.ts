/** A command line that ends inside a quotation. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

type Pending = { word: string | null; quote: '"' | "'" | null };

/**
 * The words of a command as a person writes it: parted by blanks, quotes keep blanks together, a backslash keeps the
 * next character (inside single quotes nothing is special). No shell reads it, so nothing is expanded or chained.
 *
 * @returns at least one word
 * @throws CommandLineError when a quote is left open, or there is no word
 */
export const splitCommand = (line: string): readonly [program: string, ...args: string[]] => {
  const words: string[] = [];
  const open: Pending = { word: null, quote: null };
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    const escapes = character === '\\' && open.quote !== "'" && at + 1 < line.length;
    if (escapes) {
      at += 1;
      open.word = (open.word ?? '') + (line[at] ?? '');
    } else if (open.quote !== null) {
      if (character === open.quote) open.quote = null;
      else open.word = (open.word ?? '') + character;
    } else if (character === '"' || character === "'") {
      open.quote = character;
      open.word ??= '';
    } else if (/\s/.test(character)) {
      if (open.word !== null) words.push(open.word);
      open.word = null;
    } else open.word = (open.word ?? '') + character;
  }
  if (open.quote !== null)
    throw new CommandLineError(`The command ends inside a quotation: ${open.quote} is left open.`);
  if (open.word !== null) words.push(open.word);
  const [program, ...args] = words;
  if (program === undefined || program === '') throw new CommandLineError('The command names no program.');
  return [program, ...args];
};
