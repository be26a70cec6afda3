import type { Draft } from '../../machines/brief/draft.ts';
import type { Alternative, Blank, Variant } from '../../schemas/brief.ts';

/** The form of drafts, of no type in particular: paths, patches, and what it means to put a value at a blank. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
export type Step = string | number;

/** What can be filled: a draft, or the draft of another accepted type. */
export type Fillable = Readonly<{ body: Readonly<Record<string, unknown>>; blanks: readonly Blank[] }>;

export const fillableOf = (from: Draft | Alternative): Fillable =>
  'body' in from ? from : { body: from.draft, blanks: from.blanks };

export const copyOf = (value: unknown): Json => JSON.parse(JSON.stringify(value));
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON merge patch (RFC 7396). */
export const merged = (target: Json, patch: Json): Json => {
  if (!isObject(patch)) return patch;
  const next: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete next[key];
    else next[key] = merged(next[key] ?? null, value);
  return next;
};

/** The draft with a variant: its patch taken, its blanks in place of those of the same path. */
export const withVariant = (draft: Fillable, variant: Variant | undefined): Fillable => {
  if (!variant) return draft;
  const paths = new Set(variant.blanks.map(({ path }) => path));
  const body = merged(copyOf(draft.body), copyOf(variant.patch));
  if (!isObject(body)) throw new Error('A draft is an object.');
  return { body, blanks: [...draft.blanks.filter(({ path }) => !paths.has(path)), ...variant.blanks] };
};

/** `a[0].b[*]` as steps. */
const stepsOf = (path: string): readonly Step[] =>
  [...path.matchAll(/[^.[\]]+/g)].map(([step], at) => (at > 0 && /^\d+$/.test(step) ? Number(step) : step));

export const at = (value: Json | undefined, step: Step): Json | undefined => {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isObject(value) ? value[String(step)] : undefined;
};

const valueAt = (value: Json, steps: readonly Step[]): Json | undefined => steps.reduce<Json | undefined>(at, value);

/** The places that a path means in a body. */
const placesOf = (body: Json, path: string): readonly (readonly Step[])[] =>
  stepsOf(path).reduce<readonly (readonly Step[])[]>(
    (places, step) =>
      step === '*'
        ? places.flatMap((place) => {
            const value = valueAt(body, place);
            if (Array.isArray(value)) return value.map((_, index) => [...place, index]);
            return isObject(value) ? Object.keys(value).map((key) => [...place, key]) : [];
          })
        : places.map((place) => [...place, step]),
    [[]],
  );

const put = (body: Json, steps: readonly Step[], value: Json): Json => {
  const last = steps.at(-1);
  if (last === undefined) return value;
  const parent = valueAt(body, steps.slice(0, -1));
  if (Array.isArray(parent) && typeof last === 'number') parent[last] = value;
  else if (isObject(parent)) parent[String(last)] = value;
  else throw new Error(`The draft has no place ${steps.join('.')}.`);
  return body;
};

const place = (body: Json, steps: readonly Step[], blank: Blank, value: Json): Json => {
  if (blank.kind === 'list') {
    const list = valueAt(body, steps);
    if (!Array.isArray(list) || !Array.isArray(value)) throw new Error(`${blank.path} is no list.`);
    list.push(...value);
    return body;
  }
  // A choice of several fields at once is merged into the object that holds the path.
  if (blank.kind === 'choice' && isObject(value)) {
    const parent = valueAt(body, steps.slice(0, -1));
    if (!isObject(parent)) throw new Error(`${blank.path} stands in no object.`);
    Object.assign(parent, copyOf(value));
    return body;
  }
  return put(body, steps, value);
};

/** What a formula gives: weighted places, added in order, rounded to two decimals; null while one of them is open. */
const compute = (body: Json, formula: string): number | null => {
  const terms = formula.split(' + ').map((term) => {
    const [weight = '', path = ''] = term.split('*');
    const value = valueAt(body, stepsOf(path));
    return typeof value === 'number' ? value * Number(weight) : Number.NaN;
  });
  const sum = terms.reduce((left, right) => left + right);
  return Number.isNaN(sum) ? null : Math.round(sum * 100) / 100;
};

export const numberedOn = (value: Json, by: number): Json => {
  if (!isObject(value) || typeof value.id !== 'string') return value;
  const digits = /\d+$/.exec(value.id)?.[0];
  if (digits === undefined) throw new Error(`The id ${value.id} cannot be numbered on.`);
  const id = value.id.slice(0, -digits.length) + String(Number(digits) + by).padStart(digits.length, '0');
  return { ...value, id };
};

/** A blank at one of the places that its path means. */
export interface Spot {
  readonly blank: Blank;
  readonly steps: readonly Step[];
}

export const spotsOf = (body: Json, blanks: readonly Blank[]): readonly Spot[] =>
  blanks.flatMap((blank) => placesOf(body, blank.path).map((steps) => ({ blank, steps })));

export const isComputed = ({ blank }: Spot): boolean => blank.formula !== undefined;

/** A spot and what is to stand there; undefined leaves it as the draft has it. */
export type Entry = Readonly<{ spot: Spot; value: Json | undefined }>;

/** Writes the given values, then computes what follows from them, but for the places that are skipped. */
export const filled = (
  body: Json,
  entries: readonly Entry[],
  isSkipped: (spot: Spot) => boolean = () => false,
): Json => {
  const written = entries.reduce(
    (next, { spot, value }) => (value === undefined ? next : place(next, spot.steps, spot.blank, value)),
    copyOf(body),
  );
  return entries.reduce(
    (next, { spot }) =>
      spot.blank.formula === undefined || isSkipped(spot)
        ? next
        : put(next, spot.steps, compute(next, spot.blank.formula)),
    written,
  );
};

/** The elements that a list holds already. */
export const lengthAt = (body: Json, steps: readonly Step[]): number => {
  const present = valueAt(body, steps);
  return Array.isArray(present) ? present.length : 0;
};

/** How many elements a list can be given; more than a few tell nothing new. */
export const roomOf = (blank: Blank, present: number): Readonly<{ least: number; most: number }> => {
  const least = Math.max(0, (blank.minimum ?? 0) - present);
  const room = (blank.maximum ?? Number.POSITIVE_INFINITY) - present;
  return { least, most: Math.max(least, Math.min(room, 3)) };
};

/** What a list is lengthened by; texts where it shows nothing. */
export const elementOf = ({ element }: Blank): NonNullable<Blank['element']> =>
  element ?? { value: '', blanks: [{ path: '', kind: 'text', how: '' }] };

/** The one choice that each element is, where it is nothing else; such a list takes each value at most once. */
export const plainChoice = ({ element }: Blank): Blank | undefined => {
  const [only, ...others] = element?.blanks ?? [];
  return only?.path === '' && only.kind === 'choice' && others.length === 0 ? only : undefined;
};

/** The blanks that lengthen lists of the draft, and those whose paths may mean what was added. */
export const inOrder = (blanks: readonly Blank[]): readonly [readonly Blank[], readonly Blank[]] => {
  const lengthens = ({ kind, path }: Blank): boolean => kind === 'list' && !path.includes('*');
  return [blanks.filter(lengthens), blanks.filter((blank) => !lengthens(blank))];
};
