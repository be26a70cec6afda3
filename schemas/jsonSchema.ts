import { z } from 'zod';
import { bodySchemas } from './artifacts/index.ts';
import { Permissions } from './artifacts/permissions.ts';
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
import { compactSchema, type JsonSchema } from './compactSchema.ts';
import {
  ArtifactRefs,
  ArtifactUri,
  Id,
  isInt,
  Refs,
  RefUri,
  RelPath,
  refPattern,
  Sha256,
  SomeRefs,
  Summary,
  Text,
  Texts,
  Ts,
} from './primitives.ts';
import { ActionCapability, type ArtifactType } from './vocabulary.ts';

/** The parts that stand once in `$defs`, under a name that a reader understands. */
const names: readonly (readonly [z.ZodType, string])[] = [
  [Id, 'id'],
  [Text, 'text'],
  [Texts, 'texts'],
  [Summary, 'summary'],
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
  [Permissions, 'permissions'],
  [Scope, 'scope'],
  [AcceptanceCriterion, 'criterion'],
  [AcceptanceCoverage, 'coverage'],
  [ReviewCheck, 'check'],
  [EvidenceClaim, 'claim'],
  [ClaimEvidenceEntry, 'claimEvidence'],
  [HardGate, 'gate'],
  [OrderCalls, 'calls'],
];

/** The length of a list that no field bounds more tightly; told once, in the description. */
const usualItems = 256;

const description =
  `Send every key listed and no other. A list without maxItems takes at most ${usualItems} items. Lengths count UTF-16 units; ` +
  'where maxLength is 4096 or 32768, UTF-8 bytes as well.';

const gateHint =
  'proceed_to_fix needs a gate that is supported, with direct evidence, within approved scope and with sufficient permissions';

const parts = (): z.core.$ZodRegistry<{ id?: string; description?: string }> => {
  const registry = z.registry<{ id?: string; description?: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  registry.add(QualityReview.shape.diagnosisGate, { description: gateHint });
  return registry;
};

/** Says what Zod cannot know of our checks, and leaves out what is told once or follows from the rest. */
const refine: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  if (isInt(zodSchema)) jsonSchema.type = 'integer';
  if (zodSchema === RefUri) {
    // One pattern says the same as the union of three.
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, { type: 'string', pattern: refPattern.source, maxLength: ArtifactUri.maxLength });
  }
  if (jsonSchema.maxItems === usualItems) delete jsonSchema.maxItems;
  if (jsonSchema.const !== undefined || jsonSchema.enum !== undefined) delete jsonSchema.type;
  if (jsonSchema.pattern !== undefined) {
    delete jsonSchema.minLength;
    jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
  }
};

const build = (type: ArtifactType): JsonSchema => {
  const { $schema, ...body } = compactSchema(
    z.toJSONSchema(bodySchemas[type], { metadata: parts(), override: refine, reused: 'inline' }),
  );
  return { $schema, description, type: 'object', ...body };
};

const cache = new Map<ArtifactType, JsonSchema>();

/**
 * The JSON Schema of a body, for hosts (artifacts section 9): self-contained, and as small as it can be while it says
 * the same structure. What it cannot say (coded refinements, byte limits, path rules) a refusal tells.
 *
 * @param type an artifact type.
 * @returns a deep copy of its own on each call.
 */
export const hostSchema = (type: ArtifactType): JsonSchema => {
  const built = cache.get(type) ?? build(type);
  cache.set(type, built);
  return structuredClone(built);
};
