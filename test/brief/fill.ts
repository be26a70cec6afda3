import fc from 'fast-check';
import type { Draft } from '../../machines/brief/draft.ts';
import type { Alternative, Blank, Variant } from '../../schemas/brief.ts';

/**
 * Fills the blanks of a draft as a host would that knows nothing but the brief: by arbitrary values within what choices
 * and bounds say, or by one fixed rule. Both know only the form of drafts, no type of artifact.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
type Step = string | number;

/** What can be filled: a draft, or the draft of another accepted type. */
export type Fillable = Readonly<{ body: Readonly<Record<string, unknown>>; blanks: readonly Blank[] }>;

export const fillableOf = (from: Draft | Alternative): Fillable =>
  'body' in from ? from : { body: from.draft, blanks: from.blanks };

export const copyOf = (value: unknown): Json => JSON.parse(JSON.stringify(value));
const isObject = (value: Json | undefined): value is JsonObject =>
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

const at = (value: Json | undefined, step: Step): Json | undefined => {
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

const numberedOn = (value: Json, by: number): Json => {
  if (!isObject(value) || typeof value.id !== 'string') return value;
  const digits = /\d+$/.exec(value.id)?.[0];
  if (digits === undefined) throw new Error(`The id ${value.id} cannot be numbered on.`);
  const id = value.id.slice(0, -digits.length) + String(Number(digits) + by).padStart(digits.length, '0');
  return { ...value, id };
};

interface Spot {
  readonly blank: Blank;
  readonly steps: readonly Step[];
}

const spotsOf = (body: Json, blanks: readonly Blank[]): readonly Spot[] =>
  blanks.flatMap((blank) => placesOf(body, blank.path).map((steps) => ({ blank, steps })));

const isComputed = ({ blank }: Spot): boolean => blank.formula !== undefined;

/** A spot and what is to stand there; undefined leaves it as the draft has it. */
type Entry = Readonly<{ spot: Spot; value: Json | undefined }>;

/** Writes the given values, then computes what follows from them, but for the places in `skipped`. */
const filled = (body: Json, entries: readonly Entry[], isSkipped: (spot: Spot) => boolean = () => false): Json => {
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

const longest = 2000;

/** Mostly short texts of any characters; sometimes as long as they may be. */
const texts = ({ maximum = longest }: Blank): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.string({ minLength: 1, maxLength: 12 }), weight: 6 },
    { arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), weight: 2 },
    { arbitrary: fc.constantFrom('x', '\u20ac').map((unit) => unit.repeat(maximum)), weight: 1 },
  );

const added = (blank: Blank, present: number): Readonly<{ least: number; most: number }> => {
  const least = Math.max(0, (blank.minimum ?? 0) - present);
  const room = (blank.maximum ?? Number.POSITIVE_INFINITY) - present;
  return { least, most: Math.max(least, Math.min(room, 3)) };
};

/** Whether an element is one choice and nothing else; such a list takes each at most once. */
const plainChoices = ({ element }: Blank): readonly unknown[] | undefined => {
  const [only, ...others] = element?.blanks ?? [];
  return only?.path === '' && others.length === 0 ? only.choices : undefined;
};

const lists = (blank: Blank, present: number): fc.Arbitrary<Json> => {
  const { element } = blank;
  if (!element) throw new Error(`The list ${blank.path} shows no element.`);
  const { least, most } = added(blank, present);
  const choices = plainChoices(blank);
  if (choices)
    return fc
      .shuffledSubarray([...choices], { minLength: least, maxLength: Math.min(most, choices.length) })
      .map(copyOf);
  return fc
    .array(fillings(copyOf(element.value), element.blanks), { minLength: least, maxLength: most })
    .map((elements) => elements.map(numberedOn));
};

const valuesFor = (body: Json, { blank, steps }: Spot): fc.Arbitrary<Json | undefined> => {
  switch (blank.kind) {
    case 'text':
      return texts(blank);
    case 'choice':
      return fc.constantFrom(...(blank.choices ?? [])).map(copyOf);
    case 'number':
      return fc.oneof(
        fc.integer({ min: Math.ceil(blank.minimum ?? 0), max: Math.floor(blank.maximum ?? 0) }),
        ...(blank.whole ? [] : [fc.double({ min: blank.minimum ?? 0, max: blank.maximum ?? 0, noNaN: true })]),
      );
    case 'list':
      return lists(blank, lengthAt(body, steps));
  }
};

const fillings = (body: Json, blanks: readonly Blank[]): fc.Arbitrary<Json> => {
  const spots = spotsOf(body, blanks);
  const values = spots.map((spot) => {
    if (isComputed(spot)) return fc.constant(undefined);
    const value = valuesFor(body, spot);
    return spot.blank.optional && spot.blank.kind !== 'list' ? fc.option(value, { nil: undefined }) : value;
  });
  return fc.tuple(...values).map((drawn) =>
    filled(
      body,
      spots.map((spot, index) => ({ spot, value: drawn[index] })),
    ),
  );
};

/** Makes every text that a host wrote its own: two of one body never agree, nor does one with what was there before. */
const distinct = (body: Json, draft: Json, avoid: ReadonlySet<string>): Json => {
  const seen = new Set<string>(avoid);
  let count = 0;
  const apart = (text: string): string => {
    let own = text;
    while (seen.has(own)) {
      count += 1;
      own = `${[...text].slice(0, -6).join('')}${count}`;
    }
    seen.add(own);
    return own;
  };
  const walk = (value: Json, given: Json | undefined, key: string): Json => {
    if (Array.isArray(value)) return value.map((one, index) => walk(one, at(given, index), key));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, at(given, name), name)]));
    return typeof value === 'string' && value !== given && apartKeys.has(key) ? apart(value) : value;
  };
  return walk(body, draft, '');
};

/** Fields whose texts a host must keep apart: those of which `how` says so. */
const apartKeys: ReadonlySet<string> = new Set([
  'consequence',
  'objective',
  'requiredOutputs',
  'description',
  'stopConditions',
  'text',
  'unresolvedQuestions',
  'rationaleSummary',
]);

export interface FillOptions {
  readonly variant?: Variant | undefined;
  /** Texts that must not be written again, because `how` asks for a difference. */
  readonly avoid?: ReadonlySet<string>;
}

/** Every body that a host may make of a draft. */
export const arbitraryBody = (draft: Draft | Alternative, { variant, avoid }: FillOptions = {}): fc.Arbitrary<Json> => {
  const { body, blanks } = withVariant(fillableOf(draft), variant);
  const given = copyOf(body);
  return fillings(given, blanks).map((one) => distinct(one, given, avoid ?? new Set()));
};

const lengthAt = (body: Json, steps: readonly Step[]): number => {
  const present = valueAt(body, steps);
  return Array.isArray(present) ? present.length : 0;
};

/** The values of the rule: a sentence of its own for each place, the first choice, the greatest number, one element. */
const byRule = (body: Json, blanks: readonly Blank[], label: string, skip: string | null): Json => {
  const nameOf = ({ steps }: Spot): string => [label, ...steps].join('.');
  const elements = ({ blank, steps }: Spot, name: string): Json => {
    const { element } = blank;
    if (!element) throw new Error(`The list ${blank.path} shows no element.`);
    const length = lengthAt(body, steps);
    const { least, most } = added(blank, length);
    const choices = plainChoices(blank);
    const count = Math.min(most, Math.max(least, 1), choices?.length ?? most);
    return Array.from({ length: count }, (_, index) => {
      const at = `${name}.${length + index}`;
      if (choices && skip !== at) return copyOf(choices[index]);
      return numberedOn(byRule(copyOf(element.value), element.blanks, at, skip), index);
    });
  };
  const drawnFor = (spot: Spot): Json | undefined => {
    const { blank } = spot;
    const name = nameOf(spot);
    if (isComputed(spot) || name === skip) return undefined;
    switch (blank.kind) {
      case 'text':
        return `Said of ${name}.`;
      case 'choice':
        return copyOf(blank.choices?.[0] ?? null);
      case 'number':
        return blank.maximum ?? 0;
      case 'list':
        return elements(spot, name);
    }
  };
  const entries = spotsOf(body, blanks).map((spot) => ({ spot, value: drawnFor(spot) }));
  return filled(body, entries, (spot) => nameOf(spot) === skip);
};

const labelOf = (body: Json): string => (isObject(body) && typeof body.id === 'string' ? body.id : 'body');

/** The body that the rule makes of a draft. */
export const bodyByRule = (draft: Draft | Alternative, variant?: Variant): Json => {
  const { body, blanks } = withVariant(fillableOf(draft), variant);
  const given = copyOf(body);
  return byRule(given, blanks, labelOf(given), null);
};

/** The places that must be filled, as findings name them, and the bodies that leave one of them as it is in the draft. */
export const unfilled = (
  draft: Draft | Alternative,
  variant?: Variant,
): readonly Readonly<{ path: string; body: Json }>[] => {
  const { body, blanks } = withVariant(fillableOf(draft), variant);
  const given = copyOf(body);
  const label = labelOf(given);
  const inside = (value: Json, of: readonly Blank[], path: string): readonly string[] =>
    spotsOf(value, of).flatMap(({ blank, steps }) => {
      const here = [path, ...steps].join('.');
      const length = lengthAt(value, steps);
      const nested =
        blank.kind === 'list' && blank.element && added(blank, length).most > 0
          ? inside(copyOf(blank.element.value), blank.element.blanks, `${here}.${length}`)
          : [];
      return [...(blank.optional ? [] : [here]), ...nested];
    });
  return inside(given, blanks, label).map((path) => ({
    path: path.slice(label.length + 1),
    body: byRule(given, blanks, label, path),
  }));
};
