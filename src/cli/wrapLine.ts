import { Help } from 'commander';

/** Narrower columns of text than this are harder to read than lines that the terminal breaks. */
const leastWidth = 12;
const hanging = 2;

/**
 * Wraps a line at its blanks, what follows hanging a little below its indent; a word that is too long stays whole.
 *
 * @param columns how wide it may be; nothing where no terminal says so, and then the line stays as it is
 */
export const wrapLine = (line: string, columns: number | undefined): string => {
  if (columns === undefined || line.length <= columns) return line;
  const indent = /^ */.exec(line)?.[0] ?? '';
  const help = new Help();
  help.minWidthToWrap = leastWidth;
  const below = `${indent}${' '.repeat(hanging)}`;
  return `${indent}${help.boxWrap(line.trimStart(), columns - below.length).replaceAll('\n', `\n${below}`)}`;
};
