const shown = 80;
const lineBreaks = /[\u0000-\u001f\u007f\u2028\u2029]+/g;

/** One line of at most `max` UTF-16 units: control characters become blanks, the rest is cut, never inside a surrogate pair. */
export const oneLine = (text: string, max: number): string => {
  const line = text.replace(lineBreaks, ' ');
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
};

/** A value as a message shows it: short, on one line, its kind told where showing it would not help. */
export const found = (value: unknown): string => {
  if (typeof value === 'string') return oneLine(JSON.stringify(value.slice(0, shown + 1)), shown);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === undefined) return 'nothing';
  if (value === null || typeof value !== 'object') return String(value);
  return oneLine(`an object with ${Object.keys(value).slice(0, 4).join(', ') || 'no keys'}`, shown);
};
