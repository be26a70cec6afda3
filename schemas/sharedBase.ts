import { isSchema, type JsonSchema, mapAll, type Visit } from './schemaParts.ts';

const propertiesOf = (part: JsonSchema): JsonSchema | undefined =>
  isSchema(part.properties) && part.additionalProperties === undefined ? part.properties : undefined;

/** What two objects say alike of fields of the same name. */
const common = (one: JsonSchema, other: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(one).filter(([name, part]) => JSON.stringify(part) === JSON.stringify(other[name])),
  );

/**
 * Puts the fields that two open objects have in common under one name.
 *
 * @param schema a JSON Schema in which each of the keys names one open object with properties.
 * @param keys the fields that hold the two objects.
 * @param name what the common part is called in `$defs`.
 * @returns a new schema that accepts and refuses the same values; the same one where there is nothing to share.
 */
export const shareBase = (schema: JsonSchema, keys: readonly [string, string], name: string): JsonSchema => {
  const found = new Map<string, JsonSchema>();
  mapAll(schema, 'body', (part, key) => {
    const properties = propertiesOf(part);
    if (properties && keys.includes(key)) found.set(key, properties);
    return part;
  });
  const [one, other] = keys.map((key) => found.get(key));
  if (!one || !other) return schema;
  const base = common(one, other);
  const onBase: Visit = (part, key) => {
    const properties = propertiesOf(part);
    if (!properties || !keys.includes(key)) return part;
    const own = Object.fromEntries(Object.entries(properties).filter(([field]) => !(field in base)));
    return { ...part, $ref: `#/$defs/${name}`, properties: own };
  };
  const shared = mapAll(schema, 'body', onBase);
  return { ...shared, $defs: { ...(isSchema(shared.$defs) ? shared.$defs : {}), [name]: { properties: base } } };
};
