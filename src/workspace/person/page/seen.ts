/**
 * How a text of an agent is shown (workspace-wire section 9): as text, and with nothing in it that hides or turns around
 * what it says. Control characters become `�`, characters that are not seen become their escapes.
 */

/** A part of a text as it is shown; `hidden` stands for characters that could not be seen as they are. */
export interface Piece {
  readonly text: string;
  readonly hidden: boolean;
}

/** C0 but tab and line feed, DEL and C1. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Bidi controls, fillers, tags and all else without a look of its own, and separators that break lines. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;
/** They choose between the two looks of an emoji, and hide nothing. */
const presentation = /[\ufe0e\ufe0f]/;
/** They join letters of some scripts and parts of emoji; between others they only hide. */
const joiner = /[\u200c\u200d]/;
/** A character that nothing joins with, or none. */
const plain = /^[\u0000-\u007f]?$/;

const escaped = (character: string): string => {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
};

/** How one character is shown when it is not shown as it is; null when it is. */
const standIn = (character: string, before: string, after: string): string | null => {
  if (control.test(character) || /^[\ud800-\udfff]$/.test(character)) return '�';
  if (!unseen.test(character) || presentation.test(character)) return null;
  const joins = joiner.test(character) && !plain.test(before) && !plain.test(after);
  return joins ? null : escaped(character);
};

const unix = (text: string): string => text.replaceAll('\r\n', '\n');

/**
 * The parts of a text. Line breaks stay.
 *
 * @param oneLine marks line breaks too, where one line stands
 */
export const pieces = (text: string, oneLine = false): readonly Piece[] => {
  const characters = [...unix(text)];
  const found: { text: string; hidden: boolean }[] = [];
  characters.forEach((character, at) => {
    const shown =
      oneLine && character === '\n' ? '↵' : standIn(character, characters[at - 1] ?? '', characters[at + 1] ?? '');
    const last = found.at(-1);
    if (last && last.hidden === (shown !== null)) last.text += shown ?? character;
    else found.push({ text: shown ?? character, hidden: shown !== null });
  });
  return found;
};

/** The text as it is shown, on one line. */
export const seen = (text: string): string =>
  pieces(text, true)
    .map((piece) => piece.text)
    .join('');

/** Whether it holds anything that cannot be seen as it is. */
export const hidesSomething = (text: string): boolean => pieces(text).some(({ hidden }) => hidden);

/** The text without what cannot be seen in it: what an edit begins with. */
export const cleaned = (text: string): string =>
  pieces(text)
    .filter(({ hidden }) => !hidden)
    .map((piece) => piece.text)
    .join('');

/** JSON to be read and edited: what could not be seen is escaped, so that it reads back as the same value. */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value, null, 2);
  const units = (character: string): string =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  const characters = [...text];
  return characters
    .map((character, at) =>
      standIn(character, characters[at - 1] ?? '', characters[at + 1] ?? '') === null ? character : units(character),
    )
    .join('');
};
