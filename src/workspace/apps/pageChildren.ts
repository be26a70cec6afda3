import { at, refuse, say } from '../failure.ts';
import type { Child, Children, Page, Read, Resource } from './app.ts';

/**
 * One page of children for `read`: at most `page.children` over all lists, in the order of the lists, and a cursor when
 * more are left. The cursor is how many came before, as in listings (workspace-wire 1.2, 4.2).
 *
 * @throws WireFailure invalid_cursor
 */
export const pageChildren = (resource: Resource, children: Children, page: Page): Omit<Read, 'fields'> => {
  const { cursor } = page;
  if (cursor !== undefined && !/^[1-9][0-9]{0,8}$/.test(cursor))
    throw refuse('invalid_cursor', say`${JSON.stringify(cursor)} is not a cursor of ${at(resource.path)}.`, [
      say`tilo_read ${at(resource.path)} without a cursor reads from the start`,
    ]);
  const start = cursor === undefined ? 0 : Number(cursor);
  const end = start + page.children;
  let passed = 0;
  const shown: Record<string, readonly Child[]> = {};
  for (const [list, rows] of Object.entries(children)) {
    shown[list] = rows.slice(Math.max(0, start - passed), Math.max(0, end - passed));
    passed += rows.length;
  }
  return { children: shown, ...(passed > end && { cursor: String(end) }) };
};
