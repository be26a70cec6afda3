import { z } from 'zod';

/**
 * What `expected` of a finding means (guidance section 2). It is one of three:
 *
 * - an instruction, an object of the keys below and no other;
 * - a list, where a single value stands at `path`: the values that are taken there, the one that asks least of the rest
 *   of the body first;
 * - anything else: the value that is right at `path`.
 *
 * `path` is a place in the body, or the name of an argument of the call. A finding without `expected` is mended by
 * judgement alone: its `fix` says how.
 */
export const Instruction = z
  .strictObject({
    /** Members that the list lacks. */
    add: z.array(z.unknown()).min(1),
    /** What stands there goes. */
    absent: z.literal(true),
    /** The list has one entry for each value of one key, and no other entry. */
    entries: z.strictObject({ by: z.string(), of: z.array(z.unknown()) }),
    /** The keys that the object takes; any other goes. */
    keys: z.array(z.string()),
    minimum: z.number(),
    maximum: z.number(),
    minItems: z.number(),
    maxItems: z.number(),
    minLength: z.number(),
    maxLength: z.number(),
    maxBytes: z.number(),
    /** The JSON type of the value. */
    type: z.string(),
    /** The key that is missing, with its `type` or its `values` where they can be told. */
    key: z.string(),
    values: z.array(z.unknown()),
  })
  .partial()
  .refine((instruction) => Object.keys(instruction).length > 0);
export type Instruction = z.infer<typeof Instruction>;

/** The lines of `docs/errors.md` on instructions: what `expected` holds, what it asks for. */
export const instructionLines: Readonly<Record<string, string>> = {
  '{ add }': 'Add these members to the list.',
  '{ absent: true }': 'Take out what stands there: the entry of a list, or the field.',
  '{ entries: { by, of } }':
    'The list has one entry for each of these values of the key `by` and no other: take out what is foreign or repeated, write what is missing.',
  '{ keys }': 'Take out every key that is not listed.',
  '{ minimum }, { maximum }': 'Use a number within the bound; the bound itself will do.',
  '{ maxItems }, { maxLength }, { maxBytes }': 'Leave out what is too much.',
  '{ minItems }, { minLength }': 'Write what is missing.',
  '{ type }': 'Write a value of this JSON type.',
  '{ key, type?, values? }': 'Add this key, with a value of that type or one of those values.',
};
