import fc from 'fast-check';
import { choicesOf, type Draft } from '../../machines/brief/draft.ts';
import type { Alternative, Blank, Variant } from '../../schemas/brief.ts';
import {
  at,
  copyOf,
  elementOf,
  fillableOf,
  filled,
  inOrder,
  isComputed,
  isObject,
  type Json,
  lengthAt,
  numberedOn,
  plainChoice,
  roomOf,
  type Spot,
  spotsOf,
  withVariant,
} from './draftForm.ts';

/**
 * Fills the blanks of a draft as a host would that knows nothing but the brief: by arbitrary values within what choices
 * and bounds say, or by one fixed rule. Both know only the form of drafts, no type of artifact.
 */

export type { Json } from './draftForm.ts';

const longest = 2000;

/** Mostly short texts of any characters; sometimes as long as they may be. */
const texts = ({ maximum = longest }: Blank): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.string({ minLength: 1, maxLength: 12 }), weight: 6 },
    { arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), weight: 2 },
    { arbitrary: fc.constantFrom('x', '\u20ac').map((unit) => unit.repeat(maximum)), weight: 1 },
  );

const lists = (blank: Blank, present: number, sources: readonly string[]): fc.Arbitrary<Json> => {
  const { least, most } = roomOf(blank, present);
  const plain = plainChoice(blank);
  if (plain) {
    const choices = choicesOf(plain, sources);
    return fc
      .shuffledSubarray([...choices], { minLength: least, maxLength: Math.min(most, choices.length) })
      .map(copyOf);
  }
  const { value, blanks } = elementOf(blank);
  return fc
    .array(fillings(copyOf(value), blanks, sources), { minLength: least, maxLength: most })
    .map((elements) => elements.map(numberedOn));
};

const valuesFor = (body: Json, { blank, steps }: Spot, sources: readonly string[]): fc.Arbitrary<Json | undefined> => {
  switch (blank.kind) {
    case 'text':
      return texts(blank);
    case 'choice':
      return fc.constantFrom(...choicesOf(blank, sources)).map(copyOf);
    case 'number':
      return fc.oneof(
        fc.integer({ min: Math.ceil(blank.minimum ?? 0), max: Math.floor(blank.maximum ?? 0) }),
        ...(blank.whole ? [] : [fc.double({ min: blank.minimum ?? 0, max: blank.maximum ?? 0, noNaN: true })]),
      );
    case 'list':
      return lists(blank, lengthAt(body, steps), sources);
  }
};

const once = (body: Json, blanks: readonly Blank[], sources: readonly string[]): fc.Arbitrary<Json> => {
  const spots = spotsOf(body, blanks);
  const values = spots.map((spot) => {
    if (isComputed(spot)) return fc.constant(undefined);
    const value = valuesFor(body, spot, sources);
    return spot.blank.optional && spot.blank.kind !== 'list' ? fc.option(value, { nil: undefined }) : value;
  });
  return fc.tuple(...values).map((drawn) =>
    filled(
      body,
      spots.map((spot, index) => ({ spot, value: drawn[index] })),
    ),
  );
};

const fillings = (body: Json, blanks: readonly Blank[], sources: readonly string[]): fc.Arbitrary<Json> => {
  const [lengthening, others] = inOrder(blanks);
  if (lengthening.length === 0) return once(body, others, sources);
  return once(body, lengthening, sources).chain((longer) => once(longer, others, sources));
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
  /** Every `ref` of the brief's `sources`. */
  readonly sources?: readonly string[];
}

/** Every body that a host may make of a draft. */
export const arbitraryBody = (draft: Draft | Alternative, options: FillOptions = {}): fc.Arbitrary<Json> => {
  const { variant, avoid = new Set(), sources = [] } = options;
  const { body, blanks } = withVariant(fillableOf(draft), variant);
  const given = copyOf(body);
  return fillings(given, blanks, sources).map((one) => distinct(one, given, avoid));
};

/** What one filling by the rule goes by: the name of the body, the place that stays open, the sources. */
type Rule = Readonly<{ label: string; skip: string | null; sources: readonly string[] }>;

const nameOf = ({ steps }: Pick<Spot, 'steps'>, { label }: Rule): string => [label, ...steps].join('.');

const elementsByRule = (body: Json, { blank, steps }: Spot, rule: Rule): Json => {
  const length = lengthAt(body, steps);
  const { least, most } = roomOf(blank, length);
  const plain = plainChoice(blank);
  const choices = plain && choicesOf(plain, rule.sources);
  const { value, blanks } = elementOf(blank);
  const count = Math.min(most, Math.max(least, 1), choices?.length ?? most);
  return Array.from({ length: count }, (_, index) => {
    const label = nameOf({ steps: [...steps, length + index] }, rule);
    if (choices && rule.skip !== label) return copyOf(choices[index]);
    return numberedOn(byRule(copyOf(value), blanks, { ...rule, label }), index);
  });
};

const valueByRule = (body: Json, spot: Spot, rule: Rule): Json | undefined => {
  const { blank } = spot;
  const name = nameOf(spot, rule);
  if (isComputed(spot) || name === rule.skip) return undefined;
  switch (blank.kind) {
    case 'text':
      return `Said of ${name}.`;
    case 'choice':
      return copyOf(choicesOf(blank, rule.sources)[0] ?? null);
    case 'number':
      return blank.maximum ?? 0;
    case 'list':
      return elementsByRule(body, spot, rule);
  }
};

/** The values of the rule: a sentence of its own for each place, the first choice, the greatest number, one element. */
const byRule = (body: Json, blanks: readonly Blank[], rule: Rule): Json =>
  inOrder(blanks).reduce(
    (before, part) =>
      filled(
        before,
        spotsOf(before, part).map((spot) => ({ spot, value: valueByRule(before, spot, rule) })),
        (spot) => nameOf(spot, rule) === rule.skip,
      ),
    body,
  );

const labelOf = (body: Json): string => (isObject(body) && typeof body.id === 'string' ? body.id : 'body');

/** The body that the rule makes of a draft. */
export const bodyByRule = (draft: Draft | Alternative, variant?: Variant, sources: readonly string[] = []): Json => {
  const { body, blanks } = withVariant(fillableOf(draft), variant);
  const given = copyOf(body);
  return byRule(given, blanks, { label: labelOf(given), skip: null, sources });
};

/** Every place that must be filled, named from `label` on. */
const requiredPlaces = (value: Json, blanks: readonly Blank[], label: string): readonly string[] => {
  const [lengthening, others] = inOrder(blanks);
  const longer = byRule(value, lengthening, { label, skip: null, sources: [] });
  const named = (body: Json, part: readonly Blank[]): readonly string[] =>
    spotsOf(body, part).flatMap(({ blank, steps }) => {
      const here = [label, ...steps].join('.');
      const length = lengthAt(body, steps);
      const inside =
        blank.kind === 'list' && roomOf(blank, length).most > 0
          ? requiredPlaces(copyOf(elementOf(blank).value), elementOf(blank).blanks, `${here}.${length}`)
          : [];
      return [...(blank.optional ? [] : [here]), ...inside];
    });
  return [...named(value, lengthening), ...named(longer, others)];
};

/** The places that must be filled, as findings name them, and the bodies that leave one of them as it is in the draft. */
export const unfilled = (
  draft: Draft | Alternative,
  variant?: Variant,
): readonly Readonly<{ path: string; body: Json }>[] => {
  const { body, blanks } = withVariant(fillableOf(draft), variant);
  const given = copyOf(body);
  const label = labelOf(given);
  return requiredPlaces(given, blanks, label).map((skip) => ({
    path: skip.slice(label.length + 1),
    body: byRule(given, blanks, { label, skip, sources: [] }),
  }));
};
