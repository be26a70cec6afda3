import { z } from 'zod';
import { DroppedGrant } from './permissions.ts';
import { ActionCapability } from './vocabulary.ts';

/**
 * What a next action tells a host beside the law: a draft in which everything that the controller can know is right
 * already, and the blanks that the host fills (guidance section 1).
 */

/** What a blank takes. A choice may be an object: it is merged into the element, so that it can fill several fields at once. */
export interface Blank {
  /** Path in the draft: keys joined with `.`, `[2]` an element, `[*]` each element. */
  readonly path: string;
  readonly kind: 'text' | 'choice' | 'number' | 'list';
  /** One line: what belongs there. */
  readonly how: string;
  /** The schema takes the field as the draft has it. */
  readonly optional?: true;
  readonly choices?: readonly unknown[];
  /** Least number, characters or elements. */
  readonly minimum?: number;
  /** Greatest number, characters or elements. */
  readonly maximum?: number;
  /** How the number follows from others. */
  readonly formula?: string;
  /** A list: one element as it is added, and the blanks in it, whose paths begin at the element. */
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
    formula: z.string().exactOptional(),
    element: z.strictObject({ value: z.unknown(), blanks: z.array(Blank) }).exactOptional(),
  }),
);

/** One decision that is legal now: a JSON merge patch on the draft, and blanks that replace those of the same path. */
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
});
export type Alternative = z.infer<typeof Alternative>;

export const Brief = z.strictObject({
  /** What this role produces and for what, what it must not do; at most 600 characters. */
  task: z.string().max(600),
  draft: z.record(z.string(), z.unknown()).nullable(),
  blanks: z.array(Blank),
  /** Strongest first. */
  variants: z.array(Variant),
  /** The `source_refs` to send beside the body. */
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
