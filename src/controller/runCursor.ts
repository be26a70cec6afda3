/**
 * Where the next page of runs begins, as text that a caller hands back and does not read. A run that moves meanwhile goes
 * to the front of the list, so what follows a cursor is neither told twice nor lost.
 */

const form = /^runs-([1-9]\d{0,15})$/;

/** The cursor behind the run whose `changed` this is. */
export const cursorAfter = (changed: number): string => `runs-${changed}`;

/** What `cursorAfter` was made from; undefined for a text that is no cursor of ours. */
export const readCursor = (cursor: string): number | undefined => {
  const changed = Number(form.exec(cursor)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(changed) ? changed : undefined;
};
