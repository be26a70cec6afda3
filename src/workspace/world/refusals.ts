import { printSegment } from '../../../schemas/wire/path.ts';
import { at, type Phrase, refuse, say, type WireFailure } from '../failure.ts';
import { nearest } from './nearest.ts';
import { type Branch, holds, kindOf } from './places.ts';
import type { Sibling } from './siblings.ts';
import type { Offered, Place } from './world.ts';

/** Longer names are cut in sentences. */
const longest = 80;
/** How many near names a refusal tells at most. */
export const nearNames = 3;

const cut = (text: string): string => {
  const letters = [...text];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : text;
};

/** A name as a caller wrote it, in quotation marks. */
export const quoted = (text: string): string => JSON.stringify(cut(text));

/** What sentences call a place: its label in one line, or its path when it has none. */
export const calledOf = ({ resource, path }: Place): string | Readonly<{ path: string }> => {
  const label = cut(resource.label.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim());
  return label === '' ? at(path) : label;
};

/** A cursor or an id as a caller wrote it: as it is when it looks like one, else in quotation marks and not too long. */
export const shownWord = (text: string): string => (/^[\w.:+-]{1,64}$/.test(text) ? text : quoted(text));

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)];

/** `reads the nearest name`, then `reads another near name`. */
export const near = (index: number, what: string): string =>
  `${what} ${index === 0 ? 'the nearest' : 'another near'} name`;

/** A segment that names nothing in a place. */
export const unknownPath = (place: Place, { siblings, pathOf }: Branch, segment: string): WireFailure => {
  const kind = kindOf(place.app, place.resource.kind);
  if (!holds(kind))
    return refuse('unknown_path', say`${calledOf(place)} holds nothing, and so no ${quoted(segment)}.`, [
      say`tilo_read ${at(place.path)} reads it`,
    ]);
  const held = Object.values(kind.lists).map((name) => kindOf(place.app, name));
  const nouns = unique(held.map(({ noun }) => noun)).join(' or ');
  const all = unique(held.map((one) => one.nouns)).join(' and ');
  return refuse('unknown_path', say`${calledOf(place)} has no ${nouns} called ${quoted(segment)}.`, [
    say`tilo_ls ${at(place.path)} lists its ${all}`,
    ...nearest(siblings, ({ name }) => name, segment, nearNames).map(
      (sibling, index) => say`tilo_read ${at(pathOf(sibling))} ${near(index, 'reads')}`,
    ),
  ]);
};

const numbers = ['Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

/** A name that several children share (D-03): each is told by its key, for nothing is done on a guess. */
export const ambiguousPath = (place: Place, same: readonly Sibling[], segment: string): WireFailure => {
  const kinds = unique(same.map(({ kind }) => kind));
  const [only] = kinds;
  const nouns = kinds.length === 1 && only !== undefined ? kindOf(place.app, only).nouns : 'things';
  const many = numbers[same.length - 2] ?? String(same.length);
  return refuse(
    'ambiguous_path',
    say`${many} ${nouns} of ${calledOf(place)} are called ${quoted(segment)}.`,
    ordinals.slice(0, same.length).map((ordinal, index) => {
      const path = `${place.path}/${printSegment(same[index]?.item ?? '')}`;
      return say`tilo_read ${at(path)} reads the ${ordinal}`;
    }),
  );
};

const listsActions = (place: Place): Phrase => say`tilo_ls ${at(place.path)} lists its actions`;

/** An action that a place does not have, now or ever. */
export const unknownAction = (place: Place, offered: readonly Offered[], id: string): WireFailure =>
  refuse('unknown_action', say`${calledOf(place)} has no action called ${quoted(id)}.`, [
    listsActions(place),
    ...nearest(offered, ({ row }) => row.id, id, nearNames).map(
      ({ row }, index) => say`tilo_ls ${at(`${place.path}#${row.id}`)} ${near(index, 'lists the parameters of')}`,
    ),
  ]);

/** An action that the app has and that cannot be tried now, in the app's words. */
export const absentAction = (place: Place, message: string, next: readonly Phrase[]): WireFailure =>
  refuse('unknown_action', [message], [listsActions(place), ...next]);

/** The host's own actions where the app keeps no history. */
export const noHistory = (place: Place, id: string): WireFailure =>
  refuse('unknown_action', say`${place.app.label} keeps no history of its own and offers no ${id}.`, [
    listsActions(place),
  ]);

/** `redo` listed while nothing can be put back. */
export const noRedo = (place: Place): WireFailure =>
  refuse('unknown_action', say`There is nothing to put back in ${place.app.label}, and so no redo.`, [
    listsActions(place),
  ]);

/** The path of an action where a resource is wanted. */
export const notAResource = (place: Place, id: string, known: boolean): WireFailure => {
  const path = `${place.path}#${id}`;
  return refuse('invalid_arguments', say`${at(path)} is an action, and a resource is wanted here.`, [
    known ? say`tilo_ls ${at(path)} lists its parameters` : listsActions(place),
    say`tilo_read ${at(place.path)} reads the resource`,
  ]);
};

/** The path of a resource where an action is wanted. */
export const notAnAction = (place: Place): WireFailure =>
  refuse('invalid_arguments', say`${at(place.path)} is a resource, and one of its actions is wanted here.`, [
    listsActions(place),
  ]);

/** A cursor that this listing or read did not give. */
export const badCursor = (cursor: string, tool: string, path: string | Readonly<{ path: string }>): WireFailure => {
  return refuse('invalid_cursor', say`${shownWord(cursor)} is not a cursor of ${path}.`, [
    say`${tool} ${path} without a cursor begins at the start`,
  ]);
};
