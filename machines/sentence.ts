import { limits } from '../schemas/vocabulary.ts';

/** One line of text for people: control characters become blanks, what is longer than `most` ends with an ellipsis. */
export const shorten = (text: string, most: number = limits.traceSummary): string => {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  // Never leave half of a surrogate pair behind.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
};
