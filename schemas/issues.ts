import { z } from 'zod';
import { ArtifactEnvelope } from './artifacts/envelope.ts';
import type { Bodies } from './artifacts/index.ts';
import { bodySchemas } from './artifacts/index.ts';
import { ContextManifestWire, toCanonicalManifest } from './artifacts/manifestWire.ts';
import { BreachParams } from './bodyRules.ts';
import { type CodeEntry, codeIn, fieldCodes, fieldEntry, type SchemaCode } from './codes.ts';
import { found, oneLine } from './found.ts';
import { judgeable } from './judgeable.ts';
import { ArtifactType, limits } from './vocabulary.ts';
import { fieldsAt, valueAt } from './walk.ts';

/** One failure of a body: where (keys and indices joined with `.`), which rule, what is wrong, what would mend it. */
export interface Issue {
  path: string;
  code: SchemaCode;
  /** One line of at most 400 characters. */
  message: string;
  /** The one right value, the values to choose from, or an instruction (`expected.ts`), where that can be told. */
  expected?: unknown;
  fix?: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly issues: Issue[]; readonly count: number };

/** What can be checked: every body, the wire form of the manifest, the envelope. */
export interface Checkable extends Bodies {
  ContextManifestWire: ContextManifestWire;
  ArtifactEnvelope: ArtifactEnvelope;
}
export const CheckableType = z.enum([
  ...ArtifactType.options,
  'UserMessage',
  'ContextDocument',
  'ContextManifestWire',
  'ArtifactEnvelope',
]);
export type CheckableType = keyof Checkable;

const schemas: { readonly [T in CheckableType]: z.ZodType<Checkable[T]> } = {
  ...bodySchemas,
  ContextManifestWire,
  ArtifactEnvelope,
};

type Path = readonly PropertyKey[];
type Said = Pick<Issue, 'message' | 'expected' | 'fix'>;

/** What a message calls the place: the key, or the list and the index in it. */
const nameOf = (path: Path): string => {
  const key = path.at(-1);
  if (key === undefined) return 'the body';
  return typeof key === 'number' ? `${String(path.at(-2) ?? 'item')}[${key}]` : oneLine(String(key), 80);
};

const jsonTypes: Readonly<Record<string, string>> = { record: 'object', int: 'integer' };
const jsonType = (expected: string): string => jsonTypes[expected] ?? expected;

const words = (values: readonly unknown[]): string =>
  values.length === 1 ? `Write ${JSON.stringify(values[0])}.` : 'Use one of the expected values, letter by letter.';

const bound = (
  issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall,
  value: unknown,
  path: Path,
): [CodeEntry, Said] => {
  const most = issue.code === 'too_big';
  const limit = Number(most ? issue.maximum : issue.minimum);
  const rest = most ? `at most ${limit}` : `at least ${limit}`;
  const name = nameOf(path);
  if (typeof value === 'string') {
    return [
      fieldCodes.textLength,
      {
        message: `${name} has ${value.length} characters; it takes ${rest}`,
        expected: most ? { maxLength: limit } : { minLength: limit },
        fix: most ? 'Shorten it.' : 'Fill it in.',
      },
    ];
  }
  if (Array.isArray(value)) {
    return [
      fieldCodes.listLength,
      {
        message: `${name} has ${value.length} items; it takes ${rest}`,
        expected: most ? { maxItems: limit } : { minItems: limit },
        fix: most ? 'Leave items out.' : 'Add items.',
      },
    ];
  }
  return [
    fieldCodes.outOfRange,
    {
      message: `${name} is ${found(value)}; it takes ${rest}`,
      expected: most ? { maximum: limit } : { minimum: limit },
      fix: `Use a number of ${rest}.`,
    },
  ];
};

/** A key as one would mistype it: case and separators taken away. */
const bare = (key: string): string => key.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

const unknownKeys = (schema: z.core.$ZodType, body: unknown, path: Path, keys: readonly string[]): Said => {
  const known = fieldsAt(schema, body, path);
  const named = keys.slice(0, 8).map((key) => oneLine(JSON.stringify(key), 60));
  const renames = keys.flatMap((key) =>
    known.filter((one) => bare(one) === bare(key)).map((one) => `${key} to ${one}`),
  );
  return {
    message: `${nameOf(path)} has ${keys.length === 1 ? 'a key' : `${keys.length} keys`} that it does not take: ${named.join(', ')}`,
    expected: { keys: known },
    fix: renames.length > 0 ? `Rename ${renames.join(', ')}; take any other out.` : fieldCodes.unknownKey.fix,
  };
};

const missing = (issue: z.core.$ZodIssue, path: Path): Said => {
  const key = String(path.at(-1));
  const what =
    issue.code === 'invalid_type' && issue.expected !== 'nonoptional'
      ? { type: jsonType(issue.expected) }
      : issue.code === 'invalid_value'
        ? { values: issue.values }
        : {};
  return {
    message: `${nameOf(path)} is missing`,
    expected: { key, ...what },
    fix: `Add the key ${oneLine(JSON.stringify(key), 80)}.`,
  };
};

const wrongType = (issue: z.core.$ZodIssue, value: unknown, path: Path): [CodeEntry, Said] => {
  const type = issue.code === 'invalid_type' ? jsonType(issue.expected) : 'string';
  const message = `${nameOf(path)} is ${found(value)}; it takes ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
  if (typeof value === 'number' && type === 'integer') {
    return [fieldCodes.fraction, { message, expected: { type }, fix: fieldCodes.fraction.fix }];
  }
  if (typeof value === 'number' && type === 'number') {
    // Not finite: JSON text can say 1e999.
    return [
      fieldCodes.outOfRange,
      { message: `${nameOf(path)} is ${value}, which is not finite`, fix: fieldCodes.outOfRange.fix },
    ];
  }
  return [
    fieldCodes.wrongType,
    { message, expected: { type }, fix: `Send ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}.` },
  ];
};

/** What a failure of Zod's own says in the words of the page: its code and its sentence. */
const sayPlain = (issue: z.core.$ZodIssue, schema: z.core.$ZodType, body: unknown): [CodeEntry, Said] => {
  const { path } = issue;
  const at = valueAt(body, path);
  if (issue.code === 'unrecognized_keys') {
    return [fieldCodes.unknownKey, unknownKeys(schema, body, path, issue.keys)];
  }
  if (!at.there) return [fieldCodes.missingKey, missing(issue, path)];
  const { value } = at;
  switch (issue.code) {
    case 'too_big':
    case 'too_small':
      return bound(issue, value, path);
    case 'invalid_value':
      return [
        fieldCodes.notListed,
        {
          message: `${nameOf(path)} is ${found(value)}, which is not one of its values`,
          expected: issue.values,
          fix: words(issue.values),
        },
      ];
    case 'invalid_union': {
      const options = discriminators(issue);
      return options === undefined
        ? wrongType(issue, value, path)
        : [
            fieldCodes.notListed,
            {
              message: `${nameOf(path)} is ${found(value)}, which is not one of its values`,
              expected: options,
              fix: words(options),
            },
          ];
    }
    case 'invalid_key':
      return [
        fieldCodes.textLength,
        {
          message: `the key ${found(path.at(-1))} is too short or too long`,
          expected: { minLength: 1, maxLength: 128 },
          fix: 'Use an artifact type as the key.',
        },
      ];
    default:
      return wrongType(issue, value, path);
  }
};

/** The words of a discriminator; `undefined` for a union that has none. */
const discriminators = (issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] | undefined =>
  'options' in issue && Array.isArray(issue.options) ? issue.options : undefined;

const toIssue = (issue: z.core.$ZodIssue, schema: z.core.$ZodType, body: unknown): Issue => {
  const path = issue.path.map(String).join('.');
  const breach = issue.code === 'custom' ? BreachParams.safeParse(issue.params) : undefined;
  const said = codeIn(issue.message);
  if (said && breach?.success) {
    const { wrong, fix, expected } = breach.data;
    return line(path, said.code, { message: `${said.code}: ${wrong}`, fix, expected });
  }
  if (said) {
    const entry = fieldEntry(said.code);
    return line(path, said.code, { message: `${nameOf(issue.path)}: ${said.rest}`, ...(entry && { fix: entry.fix }) });
  }
  const [{ code }, words] = sayPlain(issue, schema, body);
  return line(path, code, words);
};

const line = (path: string, code: SchemaCode, { message, expected, fix }: Said): Issue => ({
  path,
  code,
  message: oneLine(message, limits.issueMessage),
  ...(expected !== undefined && { expected }),
  ...(fix !== undefined && { fix: oneLine(fix, limits.issueMessage) }),
});

/** Zod also measures a value of the wrong type where it has a length, and an unsafe integer twice: one issue is enough. */
const distinct = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const typed = new Set<string>();
  const ranged = new Set<string>();
  return issues.filter((issue) => {
    const key = JSON.stringify(issue.path);
    if (issue.code === 'invalid_type') typed.add(key);
    if (issue.code !== 'too_big' && issue.code !== 'too_small') return true;
    if (typed.has(key)) return false;
    const side = `${issue.code}${key}`;
    if (ranged.has(side)) return false;
    ranged.add(side);
    return true;
  });
};

/** A copy without own `__proto__` keys, which a parsed JSON text can have. */
const withoutProto = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutProto);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === '__proto__' ? [] : [[key, withoutProto(item)]])),
  );
};

const namesProto = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'unrecognized_keys' && issue.keys.includes('__proto__');

/**
 * Judges a value by any schema, in the words and codes of bodies: for what is no artifact, as the arguments of a tool.
 *
 * @param schema made of the shapes of `primitives.ts`, so that its failures carry codes.
 * @param value a parsed JSON value.
 */
export const checkBy = <T>(schema: z.ZodType<T>, value: unknown): Checked<T> => {
  const parsed = schema.safeParse(judgeable(schema, value));
  if (parsed.success) return { ok: true, body: parsed.data };
  if (parsed.error.issues.some(namesProto)) return checkBy(schema, withoutProto(value));
  const issues = distinct(parsed.error.issues).map((issue) => toIssue(issue, schema, value));
  return { ok: false, issues, count: issues.length };
};

/**
 * Judges a body of a type (artifacts sections 1 to 11).
 *
 * @param type an artifact type, a ledger-only type, `ContextManifestWire` or `ArtifactEnvelope`.
 * @param body a parsed JSON value.
 * @returns the parsed body, defaults included, or every issue in the order of evaluation. The list is not cut; an
 * answer carries at most 32 of them. Of a body with a list that is too long and more than 10,000 values, the tail of
 * the list is not judged item by item.
 */
export const checkBody = <T extends CheckableType>(type: T, body: unknown): Checked<Checkable[T]> =>
  checkBy<Checkable[T]>(schemas[type], body);

/**
 * Parses the wire form of a manifest, turns it into the canonical body and parses that again (artifacts 5.3).
 *
 * @param wire what context discovery produced.
 * @returns the ContextManifest, or the issues of the first parse that failed, with paths of the form it judged.
 */
export const normalizeManifest = (wire: unknown): Checked<Checkable['ContextManifest']> => {
  const checked = checkBody('ContextManifestWire', wire);
  return checked.ok ? checkBody('ContextManifest', toCanonicalManifest(checked.body)) : checked;
};
