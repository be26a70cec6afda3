/** What a cursor and the note about it may add. */
const slack = 280;

/** How many rows must go to win so many characters, from the end of the list. */
const rowsToDrop = (rows: readonly unknown[], excess: number): number => {
  let won = 0;
  let dropped = 0;
  for (const row of rows.toReversed()) {
    if (won >= excess) break;
    won += JSON.stringify(row).length + 1;
    dropped += 1;
  }
  return dropped;
};

/** The first rows of a list that is too long by so much, at least so many of them. */
export const dropping = (rows: readonly unknown[], excess: number, least: number): readonly unknown[] =>
  rows.slice(0, Math.max(least, rows.length - rowsToDrop(rows, excess + slack)));
