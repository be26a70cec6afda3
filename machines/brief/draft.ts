import type { Blank, Variant } from '../../schemas/brief.ts';
import { schemaVersion } from '../../schemas/vocabulary.ts';
import { freeId } from '../companions/freeId.ts';
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
  /** What `source_refs` must name for this body, a question that was just answered apart (`lineage` of the run). */
  readonly sourceRefs?: readonly string[];
}

/** Bounds that keep the 256 references of an artifact and its size out of reach, and the next phase's draft possible. */
export const most = { elements: 32, references: 16, text: 2000, label: 255 } as const;

type Extra = Partial<Pick<Blank, 'optional' | 'minimum' | 'maximum'>>;
type Bounds = Partial<Pick<Blank, 'minimum' | 'maximum'>>;

/** The head of a new body, with the first free id of its series: `frame-01`. */
export const headOf = ({ run, record }: Stand, stem: string) =>
  ({ schemaVersion, id: freeId(record, stem, ''), runId: run.runId }) as const;

/** A text that the host writes: 1 to 600 characters where nothing else is said, as many as a summary may have. */
export const text = (path: string, how: string, extra: Extra = {}): Blank => ({ path, kind: 'text', how, ...extra });

/** The short rationale that every body carries. */
export const rationale = (path = 'rationaleSummary'): Blank => text(path, 'Why.');

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

/** A number without a fraction. */
export const whole = (path: string, how: string, minimum: number, maximum: number): Blank => ({
  ...number(path, how, minimum, maximum),
  whole: true,
});

type ListBounds = Bounds & Readonly<{ optional?: boolean }>;

const lengthened = (
  path: string,
  how: string,
  { minimum = 0, maximum = most.elements, optional = minimum === 0 }: ListBounds,
): Blank => ({
  path,
  kind: 'list',
  how,
  ...(minimum > 0 && { minimum }),
  maximum,
  ...(optional && { optional }),
});

/** A list that the host may lengthen by elements of one form; the bounds count the finished list. */
export const list = (
  path: string,
  how: string,
  element: NonNullable<Blank['element']>,
  bounds: ListBounds = {},
): Blank => ({ ...lengthened(path, how, bounds), element });

/** A list of plain texts. */
export const texts = (path: string, how: string, bounds: ListBounds & Readonly<{ longest?: number }> = {}): Blank => {
  const { longest, ...rest } = bounds;
  return longest === undefined
    ? lengthened(path, how, rest)
    : list(path, how, { value: '', blanks: [text('', '', { maximum: longest })] }, rest);
};

/** A list of some of the values, each at most once; at most 16. */
export const some = (path: string, how: string, choices: readonly unknown[], bounds: Bounds = {}): Blank => ({
  ...lengthened(path, how, { maximum: Math.min(most.references, choices.length), ...bounds }),
  choices,
});
