/**
 * Characters that a reader cannot see or that change what the reader sees: C0 and C1 controls, DEL, line and paragraph
 * separators, zero-width and other invisible format characters, bidirectional marks, interlinear marks, tags, and halves
 * of a surrogate pair. A target that holds one can be read in two ways (permissions section 1, rule 4).
 */
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]|\u034f/u;

/** Whether the text holds a control, zero-width or bidirectional character, or half of a surrogate pair. */
export const hasHiddenCharacter = (text: string): boolean => hidden.test(text);

/** Whether the text is absent, empty or blank. */
export const isBlank = (text: string | null | undefined): text is null | undefined | '' =>
  text === null || text === undefined || text.trim() === '';
