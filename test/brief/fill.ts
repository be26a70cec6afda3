import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Draft } from '../../machines/brief/draft.ts';
import type { Alternative, Blank, Variant } from '../../schemas/brief.ts';
import { byRule, longestText } from '../../src/sdk/brief/byRule.ts';
import { type Answers, type Fillable, fillDraft, type Place } from '../../src/sdk/brief/fillDraft.ts';
import { pathInside } from '../../src/sdk/brief/forms.ts';
import type { Json } from '../../src/sdk/brief/json.ts';
import { stepsOf } from '../../src/sdk/brief/places.ts';

/**
 * Fills the blanks of a draft as a host would that knows nothing but the brief: by arbitrary values within what choices
 * and bounds say, or by one fixed rule. Both know only the form of drafts, no type of artifact.
 */

export type { Json } from '../../src/sdk/brief/json.ts';

const fillableOf = (from: Draft | Alternative): Fillable =>
  'body' in from ? { draft: from.body, blanks: from.blanks } : from;

const idOf = ({ draft }: Fillable): string => String(draft.id);

/** Draws one value. */
export type Draw = <T>(values: () => fc.Arbitrary<T>) => T;

/** Mostly short texts of any characters; sometimes as long as they may be. */
const texts = ({ maximum = longestText }: Blank): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.string({ minLength: 1, maxLength: 12 }), weight: 6 },
    { arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), weight: 2 },
    { arbitrary: fc.constantFrom('x', '\u20ac').map((unit) => unit.repeat(maximum)), weight: 1 },
  );

const names = fc.stringMatching(/^[a-z]{1,6}(?:\/[a-z]{1,6}){0,2}\.ts$/);

/** Values of the form that a blank tells. */
const formed = ({ form, scopes = ['**'] }: Blank, path: string): fc.Arbitrary<string> | undefined => {
  switch (form) {
    case 'path':
      return fc.tuple(fc.constantFrom(...scopes), names).map(([scope, name]) => pathInside(scope, name));
    case 'digest':
      // What differs by place differs, as a changed file does.
      return fc.nat(9).map((salt) => `sha256:${createHash('sha256').update(`${salt}${path}`).digest('hex')}`);
    case 'url':
      return fc.constantFrom('https://example.org/a', 'http://example.org:8080/b?c=d');
    case undefined:
      return undefined;
  }
};

const numbers = ({ minimum = 0, maximum = 0, whole }: Blank): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }),
    ...(whole ? [] : [fc.double({ min: minimum, max: maximum, noNaN: true })]),
  );

/** Fields whose texts a host must keep apart: those of which `how` says so. */
const apartKeys: ReadonlySet<unknown> = new Set([
  'consequence',
  'objective',
  'requiredOutputs',
  'description',
  'stopConditions',
  'text',
  'unresolvedQuestions',
  'rationaleSummary',
]);

/** Makes a text its own: two of one body never agree, nor does one with what was there before. */
const keptApart = (avoid: ReadonlySet<string>) => {
  const seen = new Set<string>(avoid);
  let count = 0;
  return ({ path }: Place, text: string): string => {
    if (!apartKeys.has(stepsOf(path).findLast((step) => typeof step === 'string'))) return text;
    let own = text;
    while (seen.has(own)) {
      count += 1;
      own = `${[...text].slice(0, -6).join('')}${count}`;
    }
    seen.add(own);
    return own;
  };
};

export interface FillOptions {
  readonly variant?: Variant | undefined;
  /** Texts that must not be written again, because `how` asks for a difference. */
  readonly avoid?: ReadonlySet<string>;
  /** Every `ref` of the brief's `sources`. */
  readonly sources?: readonly string[];
}

/** More elements tell nothing new. */
const mostAdded = 3;

/** Some body that a host may make of a draft. */
export const anyBody = (g: Draw, draft: Draft | Alternative, options: FillOptions = {}): Json => {
  const { variant, avoid = new Set(), sources = [] } = options;
  const apart = keptApart(avoid);
  const answers: Answers = {
    leaves: ({ blank }) => blank.optional === true && blank.kind !== 'list' && g(() => fc.boolean()),
    text: (place) =>
      apart(
        place,
        g(() => formed(place.blank, place.path) ?? texts(place.blank)),
      ),
    choose: (_, choices) => g(() => fc.constantFrom(...choices)),
    number: ({ blank }) => g(() => numbers(blank)),
    length: (_, { least, most }) =>
      g(() => fc.integer({ min: least, max: Math.max(least, Math.min(most, mostAdded)) })),
  };
  return fillDraft(fillableOf(draft), { variant, sources, answers });
};

/** The body that the rule makes of a draft. */
export const bodyByRule = (draft: Draft | Alternative, variant?: Variant, sources: readonly string[] = []): Json => {
  const from = fillableOf(draft);
  return fillDraft(from, { variant, sources, answers: byRule(idOf(from)) });
};

/** The places that must be filled, as findings name them, and the bodies that leave one of them as it is in the draft. */
export const unfilled = (
  draft: Draft | Alternative,
  variant?: Variant,
): readonly Readonly<{ path: string; body: Json }>[] => {
  const from = fillableOf(draft);
  const answers = byRule(idOf(from));
  const required = new Set<string>();
  const note = ({ path, blank }: Place): boolean => {
    if (!blank.optional) required.add(path);
    return false;
  };
  fillDraft(from, { variant, answers: { ...answers, leaves: note } });
  return [...required].map((path) => ({
    path: stepsOf(path).join('.'),
    body: fillDraft(from, { variant, answers: { ...answers, leaves: (place) => place.path === path } }),
  }));
};
