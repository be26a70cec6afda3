import type { z } from 'zod';
import { ContractFields, CorrectionFields } from './artifacts/shared.ts';
import { PermissionSet } from './permissions.ts';
import { isSchema, type JsonSchema, mapAll, type Visit } from './schemaParts.ts';
import { shareBase } from './sharedBase.ts';
import type { ArtifactType } from './vocabulary.ts';

/** What a host schema says once in its description, and not at each field (decisions 10). */

/** What every string and list of its kind may hold. */
const usual = { items: 256, text: 32_768, summary: 4096 } as const;

/**
 * What a type with more structure than 5,000 bytes can hold leaves to a sentence:
 * `permissions`, the inside of a permission set, which stands in full in the contract;
 * `contractFields`, the names of a contract's fields, which matter to a review of the contract;
 * `closed`, that inner objects need all their keys and take no other.
 */
type Left = 'permissions' | 'contractFields' | 'closed';

const leftOf: Partial<Record<ArtifactType, readonly Left[]>> = {
  QualityReview: ['permissions', 'contractFields', 'closed'],
  ReleaseAudit: ['permissions'],
  NextAction: ['permissions'],
};

const leaves = (type: ArtifactType, what: Left): boolean => leftOf[type]?.includes(what) ?? false;

const permissionSet: JsonSchema = {
  description: 'A permission set, as in the TaskContract.',
  type: 'object',
  required: Object.keys(PermissionSet.shape),
  additionalProperties: { type: 'object' },
};

/**
 * The short form of a part that a type leaves to a sentence.
 *
 * @returns `undefined` for a part that stands in full.
 */
export const shortForm = (type: ArtifactType, part: z.core.$ZodType): JsonSchema | undefined => {
  if (part === PermissionSet && leaves(type, 'permissions')) return permissionSet;
  const names = part === ContractFields || part === CorrectionFields;
  return names && leaves(type, 'contractFields') ? { type: 'array', items: { type: 'string' } } : undefined;
};

/** An object that needs all its keys and takes no other says so in a number; the whole keeps its list of names. */
const counted: Visit = (part) => {
  const { required, ...rest } = part;
  if (!Array.isArray(required) || part.additionalProperties !== false || !isSchema(part.properties)) return part;
  return required.length === Object.keys(part.properties).length ? { ...rest, minProperties: required.length } : part;
};

const open: Visit = ({ required: _names, additionalProperties: _others, ...rest }) => rest;

const withoutLength = ({ minLength: _least, maxLength: _most, ...rest }: JsonSchema): JsonSchema => rest;

/**
 * Takes the usual bounds out of the parts, with the lists of keys of inner objects, and tells them in the description.
 *
 * @param type whose schema it is.
 * @param schema as Zod generates it.
 * @returns a new schema that says no more than the old one.
 */
export const tellOnce = (type: ArtifactType, schema: JsonSchema): JsonSchema => {
  const summaries = new Set<string>();
  const keys = leaves(type, 'closed') ? open : counted;
  const body = mapAll(schema, 'body', (whole, key) => {
    const part = keys(whole, key);
    if (part.maxItems === usual.items) {
      const { maxItems: _, ...rest } = part;
      return rest;
    }
    if (part.pattern !== undefined || part.minLength !== 1) return part;
    if (part.maxLength === usual.text) return withoutLength(part);
    if (part.maxLength !== usual.summary) return part;
    summaries.add(key);
    return withoutLength(part);
  });
  const { $schema, ...rest } = body;
  const summary = summaries.size > 0 ? ` (${[...summaries].join(', ')}: ${usual.summary})` : '';
  const description = [
    'Each object needs every key and takes no other.',
    `Without bounds, a string has 1 to ${usual.text} bytes of UTF-8${summary}, a list at most ${usual.items} items, a reference 2048 characters.`,
  ].join(' ');
  const told = { $schema, description, type: 'object', ...rest };
  return leaves(type, 'closed') ? shareBase(told, ['correctionWorkOrder', 'remediationWorkOrder'], 'order') : told;
};
