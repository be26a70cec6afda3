/** A change id or watch cursor: `c` and the sequence number of an event in base 36 (workspace-wire 1.2, D-05). */
export const cursorOf = (sequence: number): string => `c${sequence.toString(36)}`;

/** The sequence number that a cursor names; null when the text is no cursor. */
export const sequenceOf = (cursor: string): number | null => {
  if (!/^c(?:0|[1-9a-z][0-9a-z]{0,10})$/.test(cursor)) return null;
  const sequence = Number.parseInt(cursor.slice(1), 36);
  return Number.isSafeInteger(sequence) ? sequence : null;
};
