/** A JSON Schema, whole or a part of one. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

export type Visit = (part: JsonSchema, key: string) => JsonSchema;

/** Whether a value can be a schema with keywords. */
export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (parts: JsonSchema, visit: Visit): JsonSchema =>
  Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, isSchema(part) ? visit(part, key) : part]));

/** A copy whose direct parts went through `visit`, each with the name of the field that it describes. */
const mapParts = (schema: JsonSchema, key: string, visit: Visit): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      switch (keyword) {
        case 'properties':
        case '$defs':
          return [keyword, isSchema(value) ? mapValues(value, visit) : value];
        case 'items':
        case 'additionalProperties':
        case 'propertyNames':
          return [keyword, isSchema(value) ? visit(value, key) : value];
        case 'anyOf':
        case 'oneOf':
          return [
            keyword,
            Array.isArray(value) ? value.map((part) => (isSchema(part) ? visit(part, key) : part)) : value,
          ];
        default:
          return [keyword, value];
      }
    }),
  );

/** A copy in which every part but the whole went through `visit`, the innermost first. */
export const mapAll = (schema: JsonSchema, key: string, visit: Visit): JsonSchema =>
  mapParts(schema, key, (part, name) => visit(mapAll(part, name, visit), name));
