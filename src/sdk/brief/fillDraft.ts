import type { Blank, Variant } from '../../../schemas/brief.ts';
import { choicesOf, type Meant } from './choices.ts';
import { copyOf, isObject, type Json, type JsonObject, merged } from './json.ts';
import { pathOf, placesOf, put, type Step, stepsOf, valueAt } from './places.ts';

/** Fills drafts by their form alone: nothing here knows a type of artifact (guidance section 1). */

/** A brief with a draft, or one of its alternatives. */
export interface Fillable {
  readonly draft: Readonly<Record<string, unknown>>;
  readonly blanks: readonly Blank[];
}

/** A blank at one of the places that its path means. */
export interface Place {
  /** In the finished body: `acceptanceCoverage[0].status`. */
  readonly path: string;
  readonly blank: Blank;
}

/** How many elements a list can be given. */
export type Room = Readonly<{ least: number; most: number }>;

/** What stands at the blanks; each is asked for one place at a time, in the order in which the places can be filled. */
export interface Answers {
  /** One character at least, at most `maximum`, in the `form` of the blank where it tells one. */
  text(place: Place): string;
  /** One of the choices; of a list that takes each but once, those that are left. */
  choose(place: Place, choices: readonly Json[]): Json;
  number(place: Place): number;
  /** How many elements are added to a list. */
  length(place: Place, room: Room): number;
  /** Whether the place stays as the draft has it; the schema takes that of an optional blank alone. */
  leaves?(place: Place): boolean;
}

export interface FillOptions {
  readonly variant?: Variant | undefined;
  /** Every `ref` of the brief's `sources`. */
  readonly sources?: readonly string[];
  readonly answers: Answers;
}

/** Elements where a list tells no maximum. */
const mostElements = 32;

type Spot = Place & Readonly<{ steps: readonly Step[] }>;

const roomOf = (blank: Blank, present: number): Room => {
  const least = Math.max(0, (blank.minimum ?? 0) - present);
  return { least, most: Math.max(least, (blank.maximum ?? mostElements) - present) };
};

/** What a list is lengthened by; texts where it shows nothing. */
const elementOf = ({ element }: Blank): NonNullable<Blank['element']> =>
  element ?? { value: '', blanks: [{ path: '', kind: 'text', how: '' }] };

/** The blanks that lengthen lists of the draft, and those whose paths may mean what was added. */
const inOrder = (blanks: readonly Blank[]): readonly [readonly Blank[], readonly Blank[]] => {
  const lengthens = ({ kind, path }: Blank): boolean => kind === 'list' && !path.includes('*');
  return [blanks.filter(lengthens), blanks.filter((blank) => !lengthens(blank))];
};

const numberedOn = (value: Json, by: number): Json => {
  if (!isObject(value) || typeof value.id !== 'string') return value;
  const digits = /\d+$/.exec(value.id)?.[0];
  if (digits === undefined) throw new Error(`The id ${value.id} cannot be numbered on.`);
  const id = value.id.slice(0, -digits.length) + String(Number(digits) + by).padStart(digits.length, '0');
  return { ...value, id };
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

/** What follows from other places; undefined where a host has to answer. */
const following = (body: Json, { same, formula }: Blank): Json | undefined => {
  if (formula !== undefined) return compute(body, formula);
  return same === undefined ? undefined : (valueAt(body, stepsOf(same)) ?? null);
};

const follows = ({ same, formula }: Blank): boolean => same !== undefined || formula !== undefined;

const write = (body: Json, { blank, steps }: Spot, value: Json): Json => {
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
    Object.assign(parent, value);
    return body;
  }
  return put(body, steps, value);
};

type Asking = Readonly<{ answers: Answers; meant: Meant }>;

const elements = (body: Json, spot: Spot, asking: Asking): Json[] => {
  const { blank, path, steps } = spot;
  const present = valueAt(body, steps);
  const begin = Array.isArray(present) ? present.length : 0;
  const { least, most } = roomOf(blank, begin);
  if (blank.choices === undefined) {
    const { value, blanks } = elementOf(blank);
    return Array.from({ length: asking.answers.length(spot, { least, most }) }, (_, index) =>
      numberedOn(fill(copyOf(value), blanks, asking, pathOf([begin + index], path)), index),
    );
  }
  const each: Blank = { path: '', kind: 'choice', how: blank.how, choices: blank.choices };
  const left = [...choicesOf(each, asking.meant)];
  const count = asking.answers.length(spot, { least, most: Math.min(most, left.length) });
  return Array.from({ length: count }, (_, index) => {
    const place = { path: pathOf([begin + index], path), blank: each };
    if (asking.answers.leaves?.(place)) return null;
    const chosen = asking.answers.choose(place, left);
    left.splice(
      left.findIndex((one) => JSON.stringify(one) === JSON.stringify(chosen)),
      1,
    );
    return chosen;
  });
};

const answered = (body: Json, spot: Spot, asking: Asking): Json => {
  const { answers, meant } = asking;
  switch (spot.blank.kind) {
    case 'text':
      return answers.text(spot);
    case 'choice':
      return answers.choose(spot, choicesOf(spot.blank, meant));
    case 'number':
      return answers.number(spot);
    case 'list':
      return elements(body, spot, asking);
  }
};

const fill = (value: Json, blanks: readonly Blank[], asking: Asking, begin: string): Json =>
  inOrder(blanks).reduce((before, part) => {
    const spots = part
      .flatMap((blank) => placesOf(before, blank.path).map((steps) => ({ blank, steps, path: pathOf(steps, begin) })))
      .filter((spot) => !asking.answers.leaves?.(spot));
    const said = spots
      .filter(({ blank }) => !follows(blank))
      .reduce((body, spot) => write(body, spot, answered(body, spot, asking)), before);
    return spots.reduce((body, spot) => {
      const next = following(body, spot.blank);
      return next === undefined ? body : put(body, spot.steps, next);
    }, said);
  }, value);

/** The draft with a variant: its patch taken, its blanks in place of those of the same path. */
export const withVariant = ({ draft, blanks }: Fillable, variant?: Variant): Fillable => {
  if (!variant) return { draft, blanks };
  const own = new Set(variant.blanks.map(({ path }) => path));
  const hows = new Map(blanks.map(({ path, how }) => [path, how]));
  const replacing = variant.blanks.map((blank) =>
    blank.how === '' ? { ...blank, how: hows.get(blank.path) ?? '' } : blank,
  );
  const patched = merged(copyOf(draft), copyOf(variant.patch));
  if (!isObject(patched)) throw new Error('A draft is an object.');
  return { draft: patched, blanks: [...blanks.filter(({ path }) => !own.has(path)), ...replacing] };
};

/**
 * The body that a draft becomes with these answers: lists are lengthened, blanks filled, ids of new elements numbered on,
 * and what repeats or sums up other fields is computed. Any answers within choices and bounds give a body that is
 * admitted.
 *
 * @param from a brief whose draft is not null, or one of its `alternatives`
 * @throws where the draft has no place that a blank names: it was changed on the way
 */
export const fillDraft = (from: Fillable, { variant, sources = [], answers }: FillOptions): JsonObject => {
  const { draft, blanks } = withVariant(from, variant);
  const { evidenceRefs } = draft;
  const evidence = Array.isArray(evidenceRefs) ? evidenceRefs.filter((ref) => typeof ref === 'string') : [];
  const body = fill(copyOf(draft), blanks, { answers, meant: { sources, evidence } }, '');
  if (!isObject(body)) throw new Error('A draft is an object.');
  return body;
};
