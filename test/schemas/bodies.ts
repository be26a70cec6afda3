import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CheckableType } from '../../schemas/issues.ts';

/** The bodies of the conformance data, for tests that edit them. */

const folder = new URL('../conformance/artifacts/', import.meta.url);

export const Case = z.strictObject({
  file: z.string(),
  type: CheckableType,
  verdict: z.enum(['valid', 'invalid']),
  basis: z.enum(['schema', 'ledger']),
  rule: z.string().optional(),
  path: z.string().optional(),
  otherPaths: z.array(z.string()).optional(),
  base: z.string().optional(),
  edit: z.unknown().optional(),
  defaultsAdded: z.record(z.string(), z.unknown()).optional(),
  canonicalBytes: z.number().optional(),
  sha256: z.string().optional(),
  normalizedSha256: z.string().optional(),
  normalizationFailsAt: z.array(z.string()).optional(),
});

/** A fresh copy of the JSON value in a file of the data. */
export const bodyIn = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

export const bodiesFolder = folder;
export const { cases } = z.object({ cases: z.array(Case) }).parse(bodyIn('index.json'));
export const valid = cases.filter(({ verdict }) => verdict === 'valid');
export const invalid = cases.filter(({ verdict }) => verdict === 'invalid');

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const get = (at: unknown, key: string): unknown => {
  if (Array.isArray(at)) return at[Number(key)];
  return isContainer(at) ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined;
};

/** The value at a path whose keys are joined with `.`; `undefined` where nothing stands. */
export const at = (body: unknown, path: string): unknown =>
  path === '' ? body : path.split('.').reduce<unknown>(get, body);

/** A copy of a body with the value at a path replaced, or taken out when it is `undefined`. */
export const put = (body: unknown, path: string, value: unknown): unknown => {
  if (path === '') return structuredClone(value);
  const copy: unknown = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>(get, copy);
  if (!isContainer(parent)) throw new Error(`nothing at ${path}`);
  if (Array.isArray(parent)) parent.splice(Number(last), 1, ...(value === undefined ? [] : [value]));
  else if (value === undefined) delete parent[last];
  else Object.defineProperty(parent, last, { value, enumerable: true, writable: true, configurable: true });
  return copy;
};

/** The paths of everything inside a body, the body itself included. */
export const pathsIn = (body: unknown, path = ''): readonly string[] => [
  path,
  ...(isContainer(body)
    ? Object.entries(body).flatMap(([key, item]) => pathsIn(item, path === '' ? key : `${path}.${key}`))
    : []),
];
