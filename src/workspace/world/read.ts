import type { Reading } from '../../../schemas/wire/answers.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import { printSegment, utf8Bytes } from '../../../schemas/wire/path.ts';
import type { Read } from '../apps/app.ts';
import { AppError } from '../apps/appError.ts';
import { at, refuse, say, WireFailure } from '../failure.ts';
import { holds, kindOf } from './places.ts';
import { badCursor, calledOf } from './refusals.ts';
import type { Place } from './world.ts';

const readOf = async (place: Place, cursor: string | undefined): Promise<Read> => {
  const kind = kindOf(place.app, place.resource.kind);
  try {
    return await kind.read(place.resource, {
      children: wireLimits.children,
      ...(cursor !== undefined && { cursor }),
    });
  } catch (error) {
    // The app knows its cursors; what is told of a bad one is the same for every app, with the path as listings print it.
    if (error instanceof WireFailure && error.failure.code === 'invalid_cursor')
      throw badCursor(cursor ?? '', 'tilo_read', at(place.path));
    throw error;
  }
};

/**
 * Reads a place (workspace-wire 4.2): its fields, and of its children one page with the paths by key.
 *
 * @param path the place as the answer calls it
 * @param told prints a path as this caller writes it
 * @throws WireFailure invalid_cursor, limit_exceeded
 */
export const readPlace = async (
  place: Place,
  path: string,
  told: (path: string) => string,
  cursor: string | undefined,
): Promise<Reading> => {
  const { app, resource } = place;
  const kind = kindOf(app, resource.kind);
  const { fields, children: lists, cursor: next } = await readOf(place, cursor);
  const children = Object.keys(kind.lists).flatMap((list) =>
    (lists[list] ?? []).map(({ name, item }) => ({
      list,
      name,
      item,
      path: told(`${place.path}/${printSegment(item)}`),
    })),
  );
  if (children.length > wireLimits.children)
    throw new AppError(app.id, `kind ${resource.kind}`, `gave ${children.length} children in one read`);
  if (utf8Bytes(JSON.stringify(fields)) > wireLimits.fieldBytes)
    throw refuse('limit_exceeded', say`The fields of ${calledOf(place)} are larger than the 1 MiB of one read.`, [
      holds(kind)
        ? say`tilo_ls ${at(place.path)} lists what it holds`
        : say`tilo_ls ${at(place.path)} lists its actions`,
    ]);
  return { path: told(path), kind: resource.kind, fields, children, ...(next !== undefined && { cursor: next }) };
};
