import { isSchema, type JsonSchema, mapAll, type Visit } from './schemaParts.ts';

/** `anyOf: [X, null]` in its short form, where X has a type of its own. */
const shortNull: Visit = (part) => {
  if (!Array.isArray(part.anyOf) || part.anyOf.length !== 2) return part;
  const { anyOf, ...rest } = part;
  const [value, none]: readonly unknown[] = anyOf;
  if (!isSchema(value) || !isSchema(none) || none.type !== 'null' || typeof value.type !== 'string') return part;
  return { ...value, ...rest, type: [value.type, 'null'] };
};

const refTo = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const size = (value: unknown): number => JSON.stringify(value).length;

const defsOf = (root: JsonSchema): JsonSchema => (isSchema(root.$defs) ? root.$defs : {});

/** How much shorter the whole gets when a part that stands `count` times is named instead. */
const saving = (part: JsonSchema, count: number, name: string): number =>
  count * size(part) - count * size(refTo(name)) - size(part) - name.length - 4;

/** What a simple part is called: by what it takes, as the field that it stands under first says nothing of the others. */
const plainName = (part: JsonSchema): string | undefined => {
  if (part.type === 'array') {
    const item = isSchema(part.items) ? plainName(part.items) : undefined;
    return item === undefined ? undefined : `${item}List`;
  }
  if (part.type === 'string' && typeof part.maxLength === 'number') return `string${part.maxLength}`;
  return part.minimum === undefined ? undefined : `${part.type}${part.minimum}to${part.maximum}`;
};

const nameFor = (part: JsonSchema, key: string, taken: JsonSchema): string => {
  const plain = plainName(part) ?? key;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plain : `${plain}${number}`;
    if (!(name in taken)) return name;
  }
};

interface Repeated {
  part: JsonSchema;
  key: string;
  count: number;
}

const repeatedParts = (root: JsonSchema): readonly Repeated[] => {
  const seen = new Map<string, Repeated>();
  mapAll(root, 'body', (part, key) => {
    const text = JSON.stringify(part);
    const known = seen.get(text);
    if (known) known.count += 1;
    else seen.set(text, { part, key, count: 1 });
    return part;
  });
  return [...seen.values()].filter(({ part, count }) => count > 1 && part.$ref === undefined);
};

/** Names the repeated part that saves most; `undefined` when none saves anything. */
const nameOne = (root: JsonSchema): JsonSchema | undefined => {
  const defs = defsOf(root);
  const best = repeatedParts(root)
    .map((one) => {
      const name = nameFor(one.part, one.key, defs);
      return { ...one, name, saved: saving(one.part, one.count, name) };
    })
    .reduce<{ part: JsonSchema; name: string; saved: number } | undefined>(
      (most, one) => (one.saved > (most?.saved ?? 0) ? one : most),
      undefined,
    );
  if (!best) return undefined;
  const text = JSON.stringify(best.part);
  const named = mapAll(root, 'body', (part) => (JSON.stringify(part) === text ? refTo(best.name) : part));
  return { ...named, $defs: { ...defsOf(named), [best.name]: best.part } };
};

/** Puts a part that is named and used once back where it is used. */
const inlineSingles = (root: JsonSchema): JsonSchema => {
  const uses = new Map<string, number>();
  mapAll(root, 'body', (part) => {
    if (typeof part.$ref === 'string') uses.set(part.$ref, (uses.get(part.$ref) ?? 0) + 1);
    return part;
  });
  const defs = defsOf(root);
  const single = Object.keys(defs).find((name) => (uses.get(`#/$defs/${name}`) ?? 0) < 2);
  if (single === undefined) return root;
  const { [single]: part, ...others } = defs;
  const inlined = mapAll({ ...root, $defs: others }, 'body', (node) =>
    node.$ref === `#/$defs/${single}` && isSchema(part) ? { ...part, ...withoutRef(node) } : node,
  );
  return inlineSingles(inlined);
};

const withoutRef = ({ $ref: _, ...rest }: JsonSchema): JsonSchema => rest;

/**
 * The same schema in fewer bytes: a part that repeats stands once in `$defs`, one that does not stands where it is
 * used, nullable types take their short form.
 *
 * @param schema a JSON Schema (2020-12) whose references are all `#/$defs/<name>`.
 * @returns a new schema that accepts and refuses the same values.
 */
export const compactSchema = (schema: JsonSchema): JsonSchema => {
  let root = inlineSingles(mapAll(schema, 'body', shortNull));
  for (let next = nameOne(root); next; next = nameOne(root)) root = next;
  const { $defs, ...rest } = root;
  return isSchema($defs) && Object.keys($defs).length > 0 ? { ...rest, $defs } : rest;
};
