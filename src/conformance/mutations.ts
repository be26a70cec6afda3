import { bodySchemas } from '../../schemas/artifacts/index.ts';
import { sharedSchema } from '../../schemas/jsonSchema.ts';
import { SubmittedType } from '../../schemas/vocabulary.ts';

/** A body with one thing changed. */
export interface Mutation {
  /** What was changed, for people: `drop scope.include.0`. */
  readonly words: string;
  readonly body: unknown;
}

type Path = readonly (string | number)[];
type Node = Readonly<Record<string, unknown>> | readonly unknown[];
/** What stands in for the value at a path; `gone` takes it out. */
const gone: unique symbol = Symbol('gone');

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A copy in which the value at a path is another. */
const withValue = (value: unknown, [key, ...rest]: Path, put: unknown): unknown => {
  if (key === undefined) return put;
  if (isList(value)) {
    const at = Number(key);
    if (rest.length === 0 && put === gone) return value.filter((_, index) => index !== at);
    return value.map((item, index) => (index === at ? withValue(item, rest, put) : item));
  }
  if (!isNode(value)) return value;
  const entries = Object.entries(value);
  if (rest.length === 0 && put === gone) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? withValue(item, rest, put) : item]));
};

const enumsIn = (schema: unknown): readonly (readonly string[])[] => {
  if (!isNode(schema)) return [];
  const own =
    !isList(schema) && isList(schema.enum)
      ? [schema.enum.flatMap((word) => (typeof word === 'string' ? [word] : []))]
      : [];
  return [...own, ...Object.values(schema).flatMap(enumsIn)];
};

const vocabularies = new Map<string, readonly (readonly string[])[]>();

/** The closed lists of words that a type's schema knows. */
const enumsOf = (type: string): readonly (readonly string[])[] => {
  const known = vocabularies.get(type);
  if (known) return known;
  const submitted = SubmittedType.safeParse(type);
  const words = submitted.success ? enumsIn(sharedSchema(submitted.data)) : [];
  vocabularies.set(type, words);
  return words;
};

type Change = Readonly<{ what: string; put: unknown }>;

const isReference = (text: string): boolean => /^[a-z]+:\/\//.test(text);

const changesOfText = (text: string, type: string, refs: readonly string[]): readonly Change[] => {
  const siblings = enumsOf(type)
    .filter((words) => words.includes(text))
    .flatMap((words) => words.filter((word) => word !== text));
  const elsewhere = isReference(text) ? refs.filter((ref) => ref !== text) : [];
  return [
    ...[...new Set(siblings)].map((word) => ({ what: `to ${word}`, put: word })),
    ...elsewhere.map((ref) => ({ what: `to ${ref}`, put: ref })),
    { what: 'with a letter more', put: `${text}x` },
    { what: 'emptied', put: '' },
  ];
};

const changesOfList = (list: readonly unknown[]): readonly Change[] => [
  ...(list.length > 0 ? [{ what: 'emptied', put: [] }] : []),
  ...(list.length > 0 ? [{ what: 'with its first entry twice', put: [...list, list[0]] }] : []),
  ...(list.length > 1 ? [{ what: 'reversed', put: list.toReversed() }] : []),
  ...(list.length === 0 ? [{ what: 'with an entry', put: ['entry'] }] : []),
];

const changesOf = (value: unknown, type: string, refs: readonly string[]): readonly Change[] => {
  if (typeof value === 'string') return changesOfText(value, type, refs);
  if (typeof value === 'boolean') return [{ what: `to ${!value}`, put: !value }];
  if (typeof value === 'number') return [value + 1, value - 1, value + 0.5].map((put) => ({ what: `to ${put}`, put }));
  if (isList(value)) return changesOfList(value);
  if (value === null) return [{ what: 'to text', put: 'text' }];
  return [{ what: 'with a field more', put: { ...Object.fromEntries(Object.entries(value ?? {})), extra: true } }];
};

const mutationsAt = (
  whole: unknown,
  value: unknown,
  path: Path,
  type: string,
  refs: readonly string[],
): readonly Mutation[] => {
  const name = path.length === 0 ? 'the body' : path.join('.');
  // A number too large to be one off, or a list that reads the same from behind, stays as it was.
  const changed = changesOf(value, type, refs)
    .filter(({ put }) => JSON.stringify(put) !== JSON.stringify(value))
    .map(({ what, put }) => ({ words: `${name} ${what}`, body: withValue(whole, path, put) }));
  const without = path.length === 0 ? [] : [{ words: `${name} left out`, body: withValue(whole, path, gone) }];
  const nulled =
    value === null || path.length === 0 ? [] : [{ words: `${name} to null`, body: withValue(whole, path, null) }];
  const inner = isNode(value)
    ? Object.entries(value).flatMap(([key, item]) => mutationsAt(whole, item, [...path, key], type, refs))
    : [];
  return [...without, ...nulled, ...changed, ...inner];
};

/**
 * Every body that differs from a legal one in one thing: a field or entry left out, added, emptied, doubled, of another
 * type, another word of its vocabulary, another reference, a number one off.
 *
 * @param refs references that stand in for those of the body
 */
export const mutationsOf = (type: string, body: unknown, refs: readonly string[]): readonly Mutation[] =>
  type in bodySchemas ? mutationsAt(body, body, [], type, refs) : [];
