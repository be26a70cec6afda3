/**
 * Places in an order as texts, so that moving or adding one thing writes that thing alone. A place is a whole number
 * of base 36, a fraction after it, and at its end `-` and the item's own key: two items never share a place, also when
 * both were put between the same neighbours and one of them had been taken back meanwhile. Texts compare by their
 * characters.
 *
 * The whole number begins with a letter that says how many digits follow (`a` to `m` below zero, `n` to `z` above), so
 * that a thousand appends make a place one character longer and no more.
 */
const digits = '-0123456789abcdefghijklmnopqrstuvwxyz';
const heads = 'abcdefghijklmnopqrstuvwxyz';
const zero = heads.indexOf('n');

const widthOf = (head: number): number => (head >= zero ? head - zero + 1 : zero - head);

const digitAt = (text: string, index: number): number => Math.max(0, digits.indexOf(text.charAt(index)));

/** The whole number of a place, with its head. */
const wholeOf = (place: string): string => place.slice(0, 1 + widthOf(heads.indexOf(place.charAt(0))));

/** The next whole number up or down; null where the numbers end, after more than 36^13 of them. */
const beside = (whole: string, way: 1 | -1): string | null => {
  const head = heads.indexOf(whole.charAt(0));
  const body = whole.slice(1);
  const edge = way === 1 ? 'z' : '0';
  const at = body.length - 1 - [...body].reverse().findIndex((digit) => digit !== edge);
  if (at < body.length) {
    const turned = body.slice(at + 1).replaceAll(edge, way === 1 ? '0' : 'z');
    return `${whole.charAt(0)}${body.slice(0, at)}${digits.charAt(digitAt(body, at) + way)}${turned}`;
  }
  const next = head + way;
  if (next < 0 || next >= heads.length) return null;
  return `${heads.charAt(next)}${(way === 1 ? '0' : 'z').repeat(widthOf(next))}`;
};

/** A fraction between two, that the upper one does not begin with; null is above every fraction. */
const middle = (lower: string, upper: string | null): string => {
  let shared = 0;
  while (upper !== null && shared < upper.length && digitAt(lower, shared) === digitAt(upper, shared)) shared += 1;
  const same = upper?.slice(0, shared) ?? '';
  const low = digitAt(lower, shared);
  const high = upper === null ? digits.length : digitAt(upper, shared);
  if (high - low > 1) return `${same}${digits.charAt(Math.floor((low + high) / 2))}`;
  return `${same}${digits.charAt(low)}${middle(lower.slice(shared + 1), null)}`;
};

/**
 * A place for an item between two others.
 *
 * @param before the place of the one before; null at the start.
 * @param after the place of the one after; null at the end.
 */
export const placeBetween = (before: string | null, after: string | null, item: string): string => {
  const place = (rest: string): string => `${rest}-${item}`;
  if (before === null && after === null) return place(`${heads.charAt(zero)}0`);
  if (before === null || after === null) {
    const whole = wholeOf(before ?? after ?? '');
    const next = beside(whole, before === null ? -1 : 1);
    if (next !== null) return place(next);
    const rest = (before ?? after ?? '').slice(whole.length);
    return place(whole + (before === null ? middle('', rest) : middle(rest, null)));
  }
  const low = wholeOf(before);
  if (low === wholeOf(after)) return place(low + middle(before.slice(low.length), after.slice(low.length)));
  const next = beside(low, 1);
  return next !== null && next < wholeOf(after) ? place(next) : place(low + middle(before.slice(low.length), null));
};

/** Compares places. */
export const byPlace = (one: Readonly<{ order: string }>, other: Readonly<{ order: string }>): number =>
  one.order < other.order ? -1 : one.order > other.order ? 1 : 0;
