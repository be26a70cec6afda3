import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBody, type Issue } from '../../schemas/issues.ts';
import { hostSchema } from '../../schemas/jsonSchema.ts';
import { type ArtifactType, artifactTypes, submittedTypes } from '../../schemas/vocabulary.ts';
import { at, bodyIn, invalid, pathsIn, put, valid } from './bodies.ts';

/** A validator of JSON Schema 2020-12 comes with a dependency; without it the tests that need it are left out. */
const ajv = await import('ajv/dist/2020.js').then(
  ({ Ajv2020 }) => new Ajv2020({ strict: false, validateFormats: false }),
  () => undefined,
);

const isArtifactType = (type: string): type is ArtifactType => artifactTypes.some((one) => one === type);
const compiled = new Map(artifactTypes.map((type) => [type, ajv?.compile(hostSchema(type))]));
const accepts = (type: ArtifactType, body: unknown): boolean => compiled.get(type)?.(body) === true;

const bodies = valid.flatMap(({ file, type }) => {
  if (!isArtifactType(type)) return [];
  const checked = checkBody(type, bodyIn(file));
  return checked.ok ? [{ file, type, body: checked.body }] : [];
});

/** What a JSON Schema cannot say, or what ours tells once in its description (artifacts section 9). */
const beyondStructure = ({ code, expected }: Issue): boolean => {
  if (/^SCH-(TEXT|SUM|PATH)-/.test(code)) return true;
  if (code === 'SCH-LEN-01')
    return (
      [1, 32_768, 4096, 2048].some((n) => n === at(expected, 'maxLength') || n === at(expected, 'minLength')) ||
      expected === undefined
    );
  if (code === 'SCH-LEN-02') return at(expected, 'maxItems') === 256;
  return !/^SCH-(KEY|TYPE|ENUM|NUM|ID|TIME|SHA|URI|COMMIT|ROOT)-/.test(code);
};

/** What a type leaves to a sentence beside: the inside of a permission set, names of contract fields, keys of inner objects. */
const leftToSentence = (type: ArtifactType, { path, code }: Issue): boolean => {
  const inPermissions = /(^|\.)(permissions|effectivePermissions)\.\w+/.test(path);
  if (type === 'ReleaseAudit' || type === 'NextAction') return inPermissions;
  if (type !== 'QualityReview') return false;
  const inner = path.includes('.') || path === 'diagnosisGate' || path === 'remediationWorkOrder';
  return inPermissions || /\.(preserveFields|correctionFields)(\.|$)/.test(path) || (/^SCH-KEY-/.test(code) && inner);
};

/** A host sends every field; some bodies of the data leave this list with a default out. */
const withDefaults = (type: ArtifactType, body: unknown): unknown =>
  type === 'QualityReview' || type === 'ReleaseAudit' ? { workPlanRefs: [], ...Object(body) } : body;

describe('a host schema', () => {
  it.each(artifactTypes)('of %s is one self-contained object schema with a dialect', (type) => {
    const schema = hostSchema(type);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.type).toBe('object');
    const text = JSON.stringify(schema);
    const targets = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    expect(targets.every((target) => target !== undefined && /^#\/\$defs\/\w+$/.test(target))).toBe(true);
    const names = new Set(targets.map((target) => target?.slice('#/$defs/'.length)));
    expect(new Set(Object.keys(Object(schema.$defs)))).toEqual(names);
    expect(text).not.toContain('__schema');
  });

  it.each(artifactTypes.filter((type) => type !== 'NextAction'))('of %s lists its fields, all required', (type) => {
    const schema = hostSchema(type);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required).toEqual(Object.keys(Object(schema.properties)));
  });

  it('of NextAction is one of its three variants', () => {
    expect(hostSchema('NextAction').oneOf).toHaveLength(3);
  });

  it('tells defaults and constants', () => {
    const review = hostSchema('QualityReview');
    expect(at(review, 'properties.workPlanRefs.default')).toEqual([]);
    expect(at(review, 'properties.reviewKind.default')).toBe('spot');
    expect(at(review, 'properties.diagnosisGate')).toMatchObject({ default: null });
    expect(at(review, 'properties.rubricId')).toEqual({ const: 'execution-quality-v1' });
    expect(JSON.stringify(review)).toContain('"correctionFields":{"default":[]');
    expect(JSON.stringify(review)).toContain('"subjectRef":{"default":null');
    expect(at(hostSchema('RunEnvelope'), 'properties.topology.default')).toBe('standard');
    expect(JSON.stringify(hostSchema('WorkPlan'))).toContain('"maximumParallelWorkers":{"const":1}');
    expect(JSON.stringify(hostSchema('ReleaseAudit'))).toContain('"returnToRole":{"const":"quality_controller"}');
  });

  it('hints at what a diagnosis gate must hold', () => {
    expect(at(hostSchema('QualityReview'), 'properties.diagnosisGate.description')).toMatch(
      /proceed_to_fix.*supported.*direct evidence.*scope.*permissions/,
    );
  });

  it('is a copy of its own on each call', () => {
    const first = hostSchema('Evidence');
    Object.assign(Object(first.properties), { more: true });
    delete first.required;
    expect(hostSchema('Evidence')).not.toEqual(first);
    expect(hostSchema('Evidence')).toEqual(hostSchema('Evidence'));
  });

  it.each(artifactTypes)('of %s has each part once, and each object with all its fields', (type) => {
    const seen = new Map<string, number>();
    const count = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      const text = JSON.stringify(part);
      if (!Array.isArray(part) && !('$ref' in part)) seen.set(text, (seen.get(text) ?? 0) + 1);
      for (const inner of Object.values(part)) count(inner);
    };
    count(hostSchema(type));
    // Naming a part that stands three times pays from about sixty letters on.
    expect([...seen].filter(([text, times]) => times > 2 && text.length > 60)).toEqual([]);
  });

  it('of a quality review shares what its two work orders have in common', () => {
    const review = hostSchema('QualityReview');
    const order = Object.keys(Object(at(review, '$defs.order.properties')));
    expect(order).toContain('permissions');
    for (const [path, own] of [
      ['properties.diagnosisGate.properties.correctionWorkOrder', 'targetCriterionIds'],
      ['properties.remediationWorkOrder', 'failedCriterionIds'],
    ] as const) {
      expect(at(review, `${path}.$ref`)).toBe('#/$defs/order');
      expect(Object.keys(Object(at(review, `${path}.properties`)))).toEqual([own, 'allowedCapabilities']);
    }
  });

  it.each(submittedTypes)('of %s tells in words what its parts leave out', (type) => {
    expect(hostSchema(type).description).toMatch(/^Each object needs every key and takes no other\./);
    expect(hostSchema(type).description).toMatch(/32768 bytes.*256 items.*2048 characters/);
  });
});

describe.skipIf(!ajv)('a host schema and the parser', () => {
  it.each(bodies)('agree that $file is valid', ({ type, body }) => {
    expect(accepts(type, body)).toBe(true);
  });

  const broken = invalid.flatMap(({ file, type }) => {
    if (!isArtifactType(type)) return [];
    const body = bodyIn(file);
    const checked = checkBody(type, body);
    return checked.ok
      ? []
      : [
          {
            file,
            type,
            body,
            codes: checked.issues.map(({ code }) => code),
            structural: !checked.issues.every(beyondStructure),
          },
        ];
  });

  it.each(broken.filter(({ structural }) => structural))('agree that $file is broken', ({ type, body }) => {
    expect(accepts(type, body)).toBe(false);
  });

  const refined = broken.filter(({ codes }) => codes.every((code) => !/^SCH-(KEY|TYPE|ENUM|NUM|LEN)-/.test(code)));

  it.each(refined.filter(({ structural }) => !structural))(
    'leave the rule of $file to the refusal',
    ({ type, body }) => {
      expect(accepts(type, withDefaults(type, body))).toBe(true);
    },
  );

  it('agree on any single edit of a valid body', () => {
    const edit = fc.record({
      one: fc.constantFrom(...bodies),
      place: fc.nat(),
      step: fc.oneof(
        fc.constant({ take: true, value: undefined }),
        fc.record({ take: fc.constant(false), value: fc.jsonValue({ maxDepth: 1 }) }),
        fc.record({
          take: fc.constant(false),
          value: fc.constantFrom<unknown>(
            null,
            '',
            'x',
            '-x',
            'repo://a',
            'artifact://a',
            'trace://a',
            'é ',
            0,
            1,
            2,
            81,
            0.5,
            -1,
            5000,
            true,
            false,
            [],
            {},
            [null],
            ['x'],
            [0],
          ),
        }),
      ),
      extra: fc.boolean(),
    });
    const defaulted = /(correctionFields|subjectRef|workPlanRefs|reviewKind|diagnosisGate|topology)$/;
    fc.assert(
      fc.property(edit, ({ one: { type, body }, place, step, extra }) => {
        const paths = pathsIn(body).filter((path) => path !== '');
        const path = paths[place % paths.length] ?? '';
        const target = at(body, path);
        const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
        const changed = extra && isObject ? put(body, `${path}.unknownKey`, 1) : put(body, path, step.value);
        const checked = checkBody(type, changed);
        if (accepts(type, changed)) {
          const structural = (issue: Issue): boolean => !beyondStructure(issue) && !leftToSentence(type, issue);
          expect(checked.ok ? [] : checked.issues.filter(structural)).toEqual([]);
        } else {
          expect(checked.ok && !(step.take && defaulted.test(path))).toBe(false);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
