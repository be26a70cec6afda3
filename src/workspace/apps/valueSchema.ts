import { z } from 'zod';
import { isJsonObject } from '../../../schemas/jsonObject.ts';
import type { ParamType } from '../../../schemas/wire/vocabulary.ts';
import type { Param } from './app.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const jsonTypes: Readonly<Record<ParamType, string>> = {
  text: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
  resource: 'string',
  datetime: 'string',
  secret: 'string',
};

/** Keywords that say which values are meant, so that the others of a schema are judged at all. */
const telling = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'];
/** Keywords that only describe. */
const describing = ['title', 'description', 'examples', 'default', 'deprecated', '$comment', '$defs', 'definitions'];

const partsOf = (schema: JsonSchema): readonly unknown[] =>
  Object.entries(schema).flatMap(([keyword, part]) => {
    switch (keyword) {
      case 'items':
      case 'additionalProperties':
      case 'propertyNames':
      case 'contains':
        return [part];
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
      case 'prefixItems':
        return Array.isArray(part) ? part : [];
      case 'properties':
      case 'patternProperties':
      case '$defs':
      case 'definitions':
        return isJsonObject(part) ? Object.values(part) : [];
      default:
        return [];
    }
  });

/** Zod passes over a bound whose type is not said; such a schema would promise more than is judged. */
const silent = (schema: unknown): boolean => {
  if (!isJsonObject(schema)) return false;
  const keywords = Object.keys(schema).filter((keyword) => !describing.includes(keyword));
  return (
    (keywords.length > 0 && !keywords.some((keyword) => telling.includes(keyword))) || partsOf(schema).some(silent)
  );
};

const cache = new WeakMap<JsonSchema, z.ZodType>();

/**
 * The judge of a parameter's JSON Schema; null when it has none. A schema that names no type is one of the
 * parameter's own type.
 *
 * @throws Error for a schema that cannot be judged whole.
 */
export const valueSchema = ({ type, schema }: Pick<Param, 'type' | 'schema'>): z.ZodType | null => {
  if (!schema) return null;
  const known = cache.get(schema);
  if (known) return known;
  const typed = Object.keys(schema).some((keyword) => telling.includes(keyword))
    ? schema
    : { type: jsonTypes[type], ...schema };
  if (silent(typed)) throw new Error('each part of it that bounds a value must say its type');
  const judge = z.fromJSONSchema({ ...typed });
  cache.set(schema, judge);
  return judge;
};
