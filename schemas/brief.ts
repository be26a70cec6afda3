import { z } from 'zod';
import { DroppedGrant } from './permissions.ts';
import { ActionCapability } from './vocabulary.ts';

/**
 * What a next action tells a host beside the law: a draft in which everything that the controller can know is right
 * already, and the blanks that the host fills (guidance section 1).
 */

/** In a choice: any `ref` of the brief's `sources`, so that they stand in it once. */
export const anySource = '{source}';

/** In a choice: any element of the draft's own `evidenceRefs`. */
export const anyEvidence = '{evidenceRefs}';

export const BlankForm = z.enum(['path', 'digest', 'url']);
export type BlankForm = z.infer<typeof BlankForm>;

/**
 * What a blank takes. A choice may be an object: it is merged into the object that holds the path, so that it can fill
 * several fields at once; the path names one of them.
 */
export interface Blank {
  /**
   * Path in the draft: keys joined with `.`, `[2]` an element, `[*]` each element once variant and host have added
   * theirs, `*` each key. Inside an element of a list it begins at the element, and is empty where the element itself is
   * the blank.
   */
  readonly path: string;
  readonly kind: 'text' | 'choice' | 'number' | 'list';
  /** One line: what belongs there. Empty where the list around it, or the blank that a variant replaces, says it. */
  readonly how: string;
  /** The schema takes the field as the draft has it. */
  readonly optional?: true;
  readonly choices?: readonly unknown[];
  /** Least number, or elements of the finished list; nothing said: 0. A text has one character at least. */
  readonly minimum?: number;
  /** Greatest number, characters, or elements of the finished list; nothing said of a text: 600 characters. */
  readonly maximum?: number;
  /** A number without a fraction. */
  readonly whole?: true;
  /** How the number follows from others: `weight*path + …`, in this order, rounded to two decimals. */
  readonly formula?: string;
  /**
   * What a text has to look like: `path`, a file of the repository by its path from the root, inside one of `scopes`;
   * `digest`, `sha256:` and 64 digits 0-9a-f; `url`, http or https, without credentials.
   */
  readonly form?: BlankForm;
  /** Of a path: globs, one of which it has to match. */
  readonly scopes?: readonly string[];
  /** A value that would be taken. */
  readonly example?: string;
  /** Nothing to think of: the value that stands at this path of the finished body. */
  readonly same?: string;
  /**
   * A list: one element as it is added after those of the draft, and the blanks in it, beside those that `[*]` means.
   * Its `id` is numbered on with each. Without it the elements are some of the `choices`, each at most once, or else texts.
   */
  readonly element?: Readonly<{ value: unknown; blanks: readonly Blank[] }>;
}

export const Blank: z.ZodType<Blank> = z.lazy(() =>
  z.strictObject({
    path: z.string(),
    kind: z.enum(['text', 'choice', 'number', 'list']),
    how: z.string(),
    optional: z.literal(true).exactOptional(),
    choices: z.array(z.unknown()).exactOptional(),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    whole: z.literal(true).exactOptional(),
    formula: z.string().exactOptional(),
    form: BlankForm.exactOptional(),
    scopes: z.array(z.string()).exactOptional(),
    example: z.string().exactOptional(),
    same: z.string().exactOptional(),
    element: z.strictObject({ value: z.unknown(), blanks: z.array(Blank) }).exactOptional(),
  }),
);

/**
 * One decision that is legal now: a JSON merge patch on the draft, and blanks that replace those of the same path and are
 * added where the draft has none there.
 */
export const Variant = z.strictObject({
  name: z.string(),
  when: z.string(),
  patch: z.record(z.string(), z.unknown()),
  blanks: z.array(Blank),
});
export type Variant = z.infer<typeof Variant>;

/** Another type that is accepted now. */
export const Alternative = z.strictObject({
  type: z.string(),
  when: z.string(),
  draft: z.record(z.string(), z.unknown()),
  blanks: z.array(Blank),
  variants: z.array(Variant).exactOptional(),
  /** The variant of the brief's own draft that is missing until enough of this was handed in; absent once it is there. */
  opens: z.string().exactOptional(),
});
export type Alternative = z.infer<typeof Alternative>;

export const Brief = z.strictObject({
  /** What this role produces and for what, what it must not do; at most 600 characters. */
  task: z.string().max(600),
  draft: z.record(z.string(), z.unknown()).nullable(),
  blanks: z.array(Blank),
  /** Strongest first. */
  variants: z.array(Variant),
  /** The `source_refs` to send beside the body of the draft; a body of `alternatives` needs none. */
  sourceRefs: z.array(z.string()),
  rules: z.array(z.strictObject({ code: z.string(), text: z.string() })),
  sources: z.array(
    z.strictObject({
      ref: z.string(),
      document: z.string(),
      bytes: z.number(),
      trust: z.enum(['instruction', 'content']),
    }),
  ),
  permitted: z.strictObject({
    text: z.string(),
    capabilities: z.array(z.strictObject({ capability: ActionCapability, targets: z.array(z.string()) })),
    dropped: z.array(DroppedGrant),
  }),
  alternatives: z.array(Alternative),
});
export type Brief = z.infer<typeof Brief>;
