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

  /** Two types have more fields than 5 KB hold; the view that no host is sent has three variants. */
  const ceilings: Partial<Record<ArtifactType, number>> = { QualityReview: 7500, ReleaseAudit: 5800, NextAction: 5800 };

  it.each(artifactTypes)('of %s stays under its ceiling', (type) => {
    expect(JSON.stringify(hostSchema(type)).length).toBeLessThanOrEqual(ceilings[type] ?? 4500);
  });

  it('of all submitted types together has two thirds of the size of the plainly generated ones', () => {
    const total = submittedTypes.reduce((sum, type) => sum + JSON.stringify(hostSchema(type)).length, 0);
    expect(total).toBeLessThan((58_465 * 2) / 3);
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
          expect(checked.ok ? [] : checked.issues.filter((issue) => !beyondStructure(issue))).toEqual([]);
        } else {
          expect(checked.ok && !(step.take && defaulted.test(path))).toBe(false);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
