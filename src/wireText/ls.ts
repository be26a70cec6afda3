import type { Listing, ListRow } from '../../schemas/wire/answers.ts';
import { actionText, describedParams } from './action.ts';
import { label, word } from './words.ts';

const rowLines = (row: ListRow): readonly string[] => {
  const words = [word(row.path), word(row.kind)];
  if (row.state !== undefined) words.push(word(row.state));
  if (row.has_children) words.push('+');
  return [`- ${words.join(' ')} ${label(row.label)}`, ...row.actions.map((action) => `    ${actionText(action)}`)];
};

/** A listing as lines (workspace-wire 4.1). The listing of one action also describes its parameters (D-17). */
export const lsLines = (listing: Listing): readonly string[] => {
  const ofAction = listing.path.includes('#');
  return [
    `${word(listing.path)} ${word(listing.kind)}`,
    ...listing.rows.flatMap(rowLines),
    ...listing.actions.flatMap((action) => [
      `  ${actionText(action)}`,
      ...(ofAction ? describedParams(action).map((line) => `    ${line}`) : []),
    ]),
    ...(listing.next_cursor === undefined ? [] : [`more: cursor ${word(listing.next_cursor)}`]),
  ];
};
