import { z } from 'zod';
import { type WireArguments, wireArguments } from '../../../schemas/wire/arguments.ts';
import type { WireTool } from '../../../schemas/wire/vocabulary.ts';

/** Arguments in their types, or the problems of a malformed call as zod tells them, where they stand. */
export type ParsedWire<T> = Readonly<{ ok: true; value: T }> | Readonly<{ ok: false; problems: readonly Problem[] }>;

/** One problem and where it is: names and indices from the arguments downwards. */
export interface Problem {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

type Sent = Readonly<Record<string, unknown>>;

const isSent = (value: unknown): value is Sent => typeof value === 'object' && value !== null && !Array.isArray(value);

const digits = /^\d{1,16}$/;

/** A plain digit string becomes the number that it spells (T03); whatever else is sent stays as it is. */
const asWhole = (value: unknown): unknown => {
  if (typeof value !== 'string' || !digits.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

/** A text that is JSON of the wanted type becomes its value; any other text stays, and is refused as a text. */
const asJson = (value: unknown, fits: (parsed: unknown) => boolean): unknown => {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return fits(parsed) ? parsed : value;
  } catch {
    // No JSON: the schema says of the text what is wrong with it.
    return value;
  }
};

const isWhole = (schema: z.core.$ZodType): boolean => schema instanceof z.ZodNumber && schema.isInt;

/**
 * What is forgiven (workspace-wire section 4), and nothing else is: `null` for an optional argument is absent (T06), a
 * string of digits for a whole number is one (T03), an object or a list passes as JSON text of its type. What an
 * action's `args` hold stays as it was sent.
 */
const forgiven = (schema: z.ZodObject, sent: Sent): Sent =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      if (!Object.hasOwn(schema.shape, name)) return [[name, value]];
      const field: z.core.$ZodType = schema.shape[name];
      if (value === null && field instanceof z.ZodOptional) return [];
      const inner: z.core.$ZodType = field instanceof z.ZodOptional ? field.unwrap() : field;
      if (isWhole(inner)) return [[name, asWhole(value)]];
      if (inner instanceof z.ZodRecord) return [[name, asJson(value, isSent)]];
      if (!(inner instanceof z.ZodArray)) return [[name, value]];
      const element = inner.element;
      const items: unknown = asJson(value, Array.isArray);
      if (!Array.isArray(items) || !(element instanceof z.ZodObject)) return [[name, items]];
      return [[name, items.map((item: unknown) => (isSent(item) ? forgiven(element, item) : item))]];
    }),
  );

/** Zod overlooks a key of this name, which a parsed JSON text can have: it would vanish where it must be refused. */
const hidden = '__proto__';

const hiddenKey = (value: unknown, path: readonly PropertyKey[]): readonly Problem[] =>
  isSent(value) && Object.hasOwn(value, hidden) ? [{ message: `Unrecognized key: "${hidden}"`, path }] : [];

/** Looks where zod makes objects anew: the arguments, each of several calls, and what they hand to actions. */
const hiddenKeys = (value: unknown, path: readonly PropertyKey[] = []): readonly Problem[] => {
  if (!isSent(value)) return [];
  const { args, calls } = value;
  const inCalls = Array.isArray(calls)
    ? calls.flatMap((call: unknown, index) => hiddenKeys(call, [...path, 'calls', index]))
    : [];
  return [...hiddenKey(value, path), ...hiddenKey(args, [...path, 'args']), ...(path.length === 0 ? inCalls : [])];
};

const schemas: { readonly [T in WireTool]: z.ZodType<WireArguments[T]> & z.ZodObject } = wireArguments;

/**
 * Reads the arguments of a tool call: strict after the leniencies of workspace-wire section 4, every problem told.
 *
 * @param sent what stands in `arguments`; absent counts as none
 */
export const parseWireArguments = <T extends WireTool>(tool: T, sent: unknown): ParsedWire<WireArguments[T]> => {
  const given = sent ?? {};
  const schema = schemas[tool];
  const read = isSent(given) ? forgiven(schema, given) : given;
  const overlooked = hiddenKeys(read);
  const parsed = schema.safeParse(read);
  if (parsed.success && overlooked.length === 0) return { ok: true, value: parsed.data };
  const told = parsed.error?.issues ?? [];
  const places = new Set(told.map(({ message, path }) => `${message} ${path.join('.')}`));
  return {
    ok: false,
    problems: [...told, ...overlooked.filter(({ message, path }) => !places.has(`${message} ${path.join('.')}`))],
  };
};
