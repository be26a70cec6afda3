import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { type Alternative, anySource, type Variant } from '../../schemas/brief.ts';
import { SubmittedType } from '../../schemas/vocabulary.ts';
import type { Author, Product, ShownBrief, Work } from './author.ts';
import { byRule } from './brief/byRule.ts';
import { type Answers, type Fillable, fillDraft, type Place } from './brief/fillDraft.ts';
import { copyOf, isObject, type Json, type JsonObject } from './brief/json.ts';

/** What is being written: the type, the draft that is filled, and the brief that it comes from. */
export interface Filling {
  readonly type: SubmittedType;
  readonly draft: JsonObject;
  readonly brief: ShownBrief;
  readonly work: Work;
}

/** What the draft of Evidence leaves open, and whatever else is known of it. */
export type CapturedEvidence = Pick<BodyOf<'Evidence'>, 'kind' | 'content' | 'summary'> &
  Partial<Pick<BodyOf<'Evidence'>, 'contentType' | 'capturedAt' | 'sourceRefs' | 'redactions' | 'rationaleSummary'>>;

/** What a node still has to show. */
export interface Needed {
  /** Kinds of Evidence, those that are missing first. */
  readonly kinds: readonly Json[];
  readonly work: Work;
}

export interface BriefAuthorOptions {
  /** Names one of the variants that are legal now, strongest first; the strongest when it gives none. */
  readonly variant?: (variants: readonly Variant[], filling: Filling) => string | undefined;
  /** What is to stand at the blanks, where it is not what the rule says. */
  readonly answers?: (filling: Filling) => Partial<Answers>;
  /** Does what a node asks for and gives what it saw, one piece at least; none: the node stays unfinished. */
  readonly capture?: (needed: Needed) => readonly CapturedEvidence[] | Promise<readonly CapturedEvidence[]>;
  /** Told of each piece of Evidence that was stored. */
  readonly onEvidence?: (ref: string, evidence: CapturedEvidence) => void;
  /** The last word on a body: what is no blank is the author's own, such as a plan of several nodes. */
  readonly finish?: (body: JsonObject, filling: Filling) => JsonObject;
}

/** The rule, but for what only the world can tell. */
const ruled = (name: string): Required<Omit<Answers, 'leaves'>> => {
  const rule = byRule(name);
  return {
    ...rule,
    text: (place: Place) => {
      const { form } = place.blank;
      if (form !== undefined)
        throw new Error(`The author needs an answer for ${place.path} of ${name}: a ${form} is not made up.`);
      return rule.text(place);
    },
  };
};

const fillableOf = (from: Alternative): Fillable & Pick<Alternative, 'variants'> => from;

const chosen = (
  variants: readonly Variant[],
  filling: Filling,
  choose: BriefAuthorOptions['variant'],
): Variant | undefined => {
  const name = choose?.(variants, filling);
  return variants.find((one) => one.name === name) ?? variants[0];
};

const bodyOf = (
  from: Fillable,
  variants: readonly Variant[],
  filling: Filling,
  { variant, answers, finish = (body) => body }: BriefAuthorOptions,
): JsonObject => {
  const body = fillDraft(from, {
    variant: chosen(variants, filling, variant),
    sources: filling.brief.sources.map(({ ref }) => ref),
    answers: { ...ruled(String(from.draft.id)), ...answers?.(filling) },
  });
  return finish(body, filling);
};

const draftOf = (value: unknown): JsonObject => {
  const draft = copyOf(value);
  if (!isObject(draft)) throw new Error('A draft is an object.');
  return draft;
};

/** An alternative with its draft. @throws when it is no longer accepted */
const alternativeIn = async (work: Work, type: string): Promise<Readonly<{ brief: ShownBrief; one: Alternative }>> => {
  const brief = await work.brief(['alternatives']);
  const one = brief.alternatives.find((other): other is Alternative => other.type === type && 'draft' in other);
  if (!one) throw new Error(`There is no draft of a ${type} now.`);
  return { brief, one };
};

/** Captures what has to be shown before the strongest variant is offered. */
const captureAll = async (work: Work, options: BriefAuthorOptions): Promise<void> => {
  const { capture, onEvidence } = options;
  if (!capture) return;
  for (;;) {
    const first = (await work.brief([])).alternatives.find(({ opens }) => opens !== undefined);
    if (!first) return;
    const { one } = await alternativeIn(work, first.type);
    const kinds = one.blanks.find(({ path }) => path === 'kind')?.choices ?? [];
    const pieces = await capture({ kinds: kinds.map(copyOf), work });
    for (const piece of pieces) {
      const { one: now, brief } = await alternativeIn(work, first.type);
      const type = SubmittedType.parse(now.type);
      const draft = draftOf(now.draft);
      const body = { ...bodyOf(fillableOf(now), [], { type, draft, brief, work }, options), ...piece };
      const ref = await work.support({ type, body });
      onEvidence?.(ref, piece);
    }
    if (pieces.length === 0) return;
  }
};

/** Where the phase has no draft, its first alternative is the way on (guidance section 3). */
const wayOn = async (work: Work, brief: ShownBrief, options: BriefAuthorOptions): Promise<Product> => {
  const [first] = brief.alternatives;
  if (!first) throw new Error(`Phase ${work.action.phase} has neither a draft nor an alternative.`);
  const { one, brief: now } = await alternativeIn(work, first.type);
  const type = SubmittedType.parse(one.type);
  const filling: Filling = { type, draft: draftOf(one.draft), brief: now, work };
  return { type, body: bodyOf(fillableOf(one), one.variants ?? [], filling, options) };
};

const write =
  (type: SubmittedType, options: BriefAuthorOptions) =>
  async (work: Work): Promise<Product> => {
    await captureAll(work, options);
    const first = await work.brief(options.variant ? ['variants'] : []);
    // Where there is very little room, an answer shows not even the strongest.
    const shown = first.variants.length === 0 ? await work.brief(['variants']) : first;
    if (!shown.draft) return wayOn(work, shown, options);
    // Sources are fetched only where a blank may name one.
    const brief = JSON.stringify(shown.blanks).includes(anySource) ? await work.brief(['sources']) : shown;
    const { blanks, variants, sourceRefs } = brief;
    const draft = draftOf(shown.draft);
    const body = bodyOf({ draft, blanks }, variants, { type, draft, brief, work }, options);
    return { type, body, sourceRefs };
  };

/**
 * An author that works from the brief alone and knows no type of artifact: it takes the strongest variant, fills each text
 * with a sentence by rule, each choice with its first, each number with what its formula gives or the greatest, each list
 * with one element, and sends the references that the brief names. What must come from the world is not made up: Evidence
 * comes from `capture`, and a path, a digest or an address from `answers`; without them a node ends unfinished, or the
 * author stops.
 */
export const briefAuthor = (options: BriefAuthorOptions = {}): Author =>
  Object.fromEntries(SubmittedType.options.map((type) => [type, write(type, options)]));
