import type { TokenRow } from '../store/store.ts';

/** Rows as text: columns that line up, two spaces between them. */
export const columns = (rows: readonly (readonly string[])[]): string => {
  const widths = rows.reduce<readonly number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};

const day = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

const stateOf = ({ expires_ms, revoked_ms }: TokenRow, now: number): string => {
  if (revoked_ms !== null) return `revoked ${day(revoked_ms)}`;
  if (expires_ms === null) return 'valid';
  return expires_ms <= now ? `expired ${day(expires_ms)}` : `until ${day(expires_ms)}`;
};

/** One token as a line: id, label, what it opens, how far it reaches, whether it still does. */
export const tokenCells = (row: TokenRow, now: number): readonly string[] => [
  row.id,
  row.label,
  row.workspace ?? 'every workspace',
  row.max,
  stateOf(row, now),
  row.last_used_ms === null ? 'never used' : `last used ${day(row.last_used_ms)}`,
];
