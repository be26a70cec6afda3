import type { Blank, Variant } from '../../schemas/brief.ts';
import type { RunContext } from '../context.ts';
import type { RunRecord } from '../record.ts';

/** What a draft is computed from: a function of snapshot and record alone. */
export interface Stand {
  readonly run: RunContext;
  readonly record: RunRecord;
}

/** A body with everything filled that the controller can know, and what is left to the host. */
export interface Draft {
  /** Text blanks hold `""`, choice and number blanks `null`, list blanks with a minimum `[]`: the schema refuses each. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly blanks: readonly Blank[];
  /** One for each decision, status or reason that is legal now, strongest first; empty for types without such a field. */
  readonly variants: readonly Variant[];
}

/** Bounds that keep the 256 references of an artifact and its size out of reach, and the next phase's draft possible. */
export const most = { elements: 32, references: 16, text: 2000, summary: 600, label: 255 } as const;

type Extra = Partial<Pick<Blank, 'optional' | 'minimum' | 'maximum'>>;

/** A text that the host writes. */
export const text = (path: string, how: string, extra: Extra = {}): Blank => ({
  path,
  kind: 'text',
  how,
  minimum: 1,
  maximum: most.text,
  ...extra,
});

/** The short rationale that every body carries. */
export const rationale = (path = 'rationaleSummary'): Blank =>
  text(path, 'Say in a sentence or two why; no hidden reasoning.', { maximum: most.summary });

/** One of the values; the first of each choice of a draft, together, give an admissible body. */
export const choice = (path: string, how: string, choices: readonly unknown[], extra: Extra = {}): Blank => ({
  path,
  kind: 'choice',
  how,
  choices,
  ...extra,
});

export const number = (path: string, how: string, minimum: number, maximum: number, formula?: string): Blank => ({
  path,
  kind: 'number',
  how,
  minimum,
  maximum,
  ...(formula !== undefined && { formula }),
});

/** A list that the host may lengthen by elements of one form. */
export const list = (
  path: string,
  how: string,
  element: NonNullable<Blank['element']>,
  bounds: Readonly<{ minimum?: number; maximum?: number }> = {},
): Blank => {
  const { minimum = 0, maximum = most.elements } = bounds;
  return { path, kind: 'list', how, element, minimum, maximum, ...(minimum === 0 && { optional: true as const }) };
};

/** A list of plain texts. */
export const texts = (
  path: string,
  how: string,
  bounds: Readonly<{ minimum?: number; maximum?: number }> = {},
): Blank => list(path, how, { value: '', blanks: [text('', how)] }, bounds);
