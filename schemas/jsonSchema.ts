import { z } from 'zod';
import { bodySchemas } from './artifacts/index.ts';
import { FreeObject } from './artifacts/nextAction.ts';
import { QualityReview } from './artifacts/quality.ts';
import {
  AcceptanceCoverage,
  AcceptanceCriterion,
  Capabilities,
  ClaimEvidenceEntry,
  ContractField,
  EvidenceClaim,
  HardGate,
  OrderCalls,
  ReviewCheck,
  Scope,
} from './artifacts/shared.ts';
import { compactSchema } from './compactSchema.ts';
import { PermissionSet } from './permissions.ts';
import {
  ArtifactRefs,
  ArtifactUri,
  Id,
  isInt,
  maxItemsOf,
  Refs,
  RefUri,
  RelPath,
  RepoUri,
  refPattern,
  Sha256,
  SomeRefs,
  Texts,
  TraceUri,
  Ts,
} from './primitives.ts';
import type { JsonSchema } from './schemaParts.ts';
import { shortForm, tellOnce } from './toldOnce.ts';
import { ActionCapability, type ArtifactType } from './vocabulary.ts';

/** The parts that stand once in `$defs`, under a name that a reader understands. */
const names: readonly (readonly [z.ZodType, string])[] = [
  [Id, 'id'],
  [Texts, 'texts'],
  [RefUri, 'ref'],
  [Refs, 'refs'],
  [SomeRefs, 'someRefs'],
  [ArtifactUri, 'artifact'],
  [ArtifactRefs, 'artifacts'],
  [RelPath, 'path'],
  [Sha256, 'sha256'],
  [Ts, 'time'],
  [ActionCapability, 'capability'],
  [Capabilities, 'capabilities'],
  [ContractField, 'contractField'],
  [PermissionSet, 'permissions'],
  [Scope, 'scope'],
  [AcceptanceCriterion, 'criterion'],
  [AcceptanceCoverage, 'coverage'],
  [ReviewCheck, 'check'],
  [EvidenceClaim, 'claim'],
  [ClaimEvidenceEntry, 'claimEvidence'],
  [HardGate, 'gate'],
  [OrderCalls, 'calls'],
];

const gateHint = 'proceed_to_fix needs a supported gate: direct evidence, approved scope, sufficient permissions';

type Notes = z.core.$ZodRegistry<{ id?: string; description?: string }>;

const notes = (): Notes => {
  const registry: Notes = z.registry();
  for (const [schema, id] of names) registry.add(schema, { id });
  registry.add(QualityReview.shape.diagnosisGate, { description: gateHint });
  return registry;
};

/** Says what Zod cannot know of our checks, and leaves out what follows from the rest. */
const refine: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  if (isInt(zodSchema)) jsonSchema.type = 'integer';
  const maxItems = maxItemsOf(zodSchema);
  if (maxItems !== undefined) jsonSchema.maxItems = maxItems;
  if (zodSchema === RefUri) {
    // One pattern says the same as the union of three.
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, { type: 'string', pattern: refPattern.source });
  }
  if (zodSchema === ArtifactUri || zodSchema === TraceUri || zodSchema === RepoUri) delete jsonSchema.maxLength;
  if (zodSchema === Ts) jsonSchema.format = 'date-time';
  if (zodSchema === FreeObject) {
    delete jsonSchema.propertyNames;
    delete jsonSchema.additionalProperties;
  }
  if (jsonSchema.const !== undefined || jsonSchema.enum !== undefined) delete jsonSchema.type;
  if (jsonSchema.pattern !== undefined) {
    delete jsonSchema.minLength;
    jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
  }
};

/** `refine`, but for the parts that a type leaves to a sentence. */
const refineFor =
  (type: ArtifactType): NonNullable<z.core.ToJSONSchemaParams['override']> =>
  (context) => {
    const short = shortForm(type, context.zodSchema);
    if (!short) return refine(context);
    const { jsonSchema } = context;
    for (const keyword of Object.keys(jsonSchema)) if (keyword !== 'id') Reflect.deleteProperty(jsonSchema, keyword);
    Object.assign(jsonSchema, short);
  };

const build = (type: ArtifactType): JsonSchema =>
  compactSchema(
    tellOnce(
      type,
      z.toJSONSchema(bodySchemas[type], { metadata: notes(), override: refineFor(type), reused: 'inline' }),
    ),
  );

/** Frozen through and through, so that one object can stand in every answer. */
const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
};

const cache = new Map<ArtifactType, JsonSchema>();

/**
 * The JSON Schema of a body, for hosts (artifacts section 9): self-contained, and as small as it can be while it says
 * the same structure. What it cannot say (coded refinements, byte limits, path rules) a refusal tells.
 *
 * @param type an artifact type.
 * @returns the same frozen object on each call, for answers: copying it would cost more than the rest of an action.
 */
export const sharedSchema = (type: ArtifactType): JsonSchema => {
  const built = cache.get(type) ?? frozen(build(type));
  cache.set(type, built);
  return built;
};

/**
 * `sharedSchema` for who wants to change it.
 *
 * @param type an artifact type.
 * @returns a deep copy of its own on each call.
 */
export const hostSchema = (type: ArtifactType): JsonSchema => structuredClone(sharedSchema(type));
