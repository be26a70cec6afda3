import { z } from 'zod';

type Path = readonly PropertyKey[];

/** Whether a value has keys: an object or a list. */
export const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === 'object' && value !== null;

/** The value at a path, and whether it is there at all: a missing key differs from one that is null. */
export const valueAt = (body: unknown, path: Path): { there: boolean; value?: unknown } => {
  let value = body;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return { there: false };
    value = value[key];
  }
  return { there: true, value };
};

/** The schema that judges this value: wrappers taken off, the variant of a union chosen by its discriminator. */
export const unwrapped = (schema: z.core.$ZodType, value: unknown): z.core.$ZodType => {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return unwrapped(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodDiscriminatedUnion && isObject(value)) {
    const { discriminator } = schema.def;
    const variant = schema.options.find((option) => {
      const field = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
      return field instanceof z.ZodLiteral && Array.from<unknown>(field.values).includes(value[discriminator]);
    });
    return variant ?? schema;
  }
  return schema;
};

/** The keys of the object schema at a path of a body; empty where no object schema stands there. */
export const fieldsAt = (schema: z.core.$ZodType, body: unknown, path: Path): readonly string[] => {
  let here = unwrapped(schema, body);
  let value = body;
  for (const key of path) {
    value = isObject(value) ? value[key] : undefined;
    const next = below(here, key);
    if (next === undefined) return [];
    here = unwrapped(next, value);
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
};

/** The schema of what stands under a key or an index. */
export const below = (schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
};
