import type { HelpConfiguration } from 'commander';

/** Below this, a description beside its term would have no room. */
const narrow = 72;
const termIndent = 2;
const textIndent = 6;

/**
 * How help is laid out on a narrow terminal: each description below its term, wrapped. Nothing is changed on one that
 * is wide enough.
 *
 * @param columns of the terminal
 */
export const narrowHelp = (columns: number): HelpConfiguration =>
  columns >= narrow
    ? {}
    : {
        minWidthToWrap: 12,
        formatItem: (term, _, description, helper) => {
          const blanks = ' '.repeat(textIndent);
          const text = helper.boxWrap(description, columns - textIndent).replaceAll('\n', `\n${blanks}`);
          const shown = `${' '.repeat(termIndent)}${term}`;
          return description === '' ? shown : `${shown}\n${blanks}${text}`;
        },
      };
