import { describe, expect, it } from 'vitest';
import { checkBody } from '../../schemas/issues.ts';
import { hostSchema } from '../../schemas/jsonSchema.ts';
import { toolArguments } from '../../schemas/tools.ts';
import { type ArtifactType, artifactTypes } from '../../schemas/vocabulary.ts';
import { at, bodyIn, pathsIn, put, valid } from '../schemas/bodies.ts';

const isArtifactType = (type: string): type is ArtifactType => artifactTypes.some((one) => one === type);

/** One valid body of each type of the protocol. */
const bodies = artifactTypes.map((type) => {
  const one = valid.find((row) => row.type === type);
  if (!one) throw new Error(`The data holds no valid ${type}.`);
  return { type, body: bodyIn(one.file) };
});

const codes = (type: ArtifactType, body: unknown): readonly string[] => {
  const checked = checkBody(type, body);
  return checked.ok ? [] : checked.issues.map(({ code }) => code);
};

/** Places that hold any JSON object: schemas and briefs inside an action. */
const free = /^(requiredOutputSchema|additionalOutputSchemas|brief)(\.|$)/;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('a canonical body', () => {
  it.each(bodies)('of $type may hold no unknown key, however deep [API-010]', ({ type, body }) => {
    expect(codes(type, body)).toEqual([]);
    const places = pathsIn(body).filter((path) => isObject(at(body, path)) && !free.test(path));
    expect(places).toContain('');
    for (const path of places) {
      const key = path === '' ? 'unheardOf' : `${path}.unheardOf`;
      expect(codes(type, put(body, key, 1)), key).not.toEqual([]);
    }
  });

  it.each(bodies)('of $type names its schema version, which is 1.0 [API-012]', ({ type, body }) => {
    expect(at(body, 'schemaVersion')).toBe('1.0');
    for (const wrong of [undefined, '1.1', 1, null])
      expect(codes(type, put(body, 'schemaVersion', wrong))).not.toEqual([]);
  });

  it.each(valid.filter(({ type }) => isArtifactType(type)))(
    '$file has fields in camelCase alone [API-011]',
    ({ file }) => {
      const body = bodyIn(file);
      const keys = pathsIn(body)
        .filter((path) => path !== '' && !free.test(path))
        .map((path) => path.split('.').at(-1));
      for (const key of keys) expect(key).toMatch(/^([a-z][a-zA-Z0-9]*|\d+)$/);
    },
  );

  it('is described to hosts with the same names [API-011]', () => {
    const names = (value: unknown): readonly string[] => {
      if (Array.isArray(value)) return value.flatMap(names);
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([key, item]) =>
        key === 'properties'
          ? [...Object.keys(Object(item)), ...Object.values(Object(item)).flatMap(names)]
          : names(item),
      );
    };
    for (const type of artifactTypes)
      for (const name of names(hostSchema(type))) expect(name, type).toMatch(/^[a-z][a-zA-Z0-9]*$/);
  });
});

describe('the arguments of the tools', () => {
  it('are named in snake_case, nested ones included [API-013] [API-085]', () => {
    for (const [tool, schema] of Object.entries(toolArguments))
      for (const name of Object.keys(schema.shape)) expect(name, tool).toMatch(/^[a-z]+(_[a-z]+)*$/);
    const { budget } = toolArguments.telic_ground_context.shape;
    expect(Object.keys(budget.unwrap().shape)).toEqual([
      'max_files',
      'max_file_bytes',
      'max_total_bytes',
      'max_inventory_files',
    ]);
  });
});

describe('Evidence', () => {
  it('is of one of the typed kinds [API-136]', () => {
    const body = bodyIn('Evidence/valid-text.json');
    for (const kind of ['repository', 'runtime', 'browser', 'test', 'diff', 'tool_output', 'log'])
      expect(codes('Evidence', put(body, 'kind', kind)), kind).toEqual([]);
    for (const kind of ['hearsay', '', undefined, null])
      expect(codes('Evidence', put(body, 'kind', kind)), `${kind}`).not.toEqual([]);
  });
});

describe('a question', () => {
  const question = bodyIn('ClarificationRequest/valid-permission.json');
  const choices = (count: number): unknown =>
    put(
      question,
      'responseChoices',
      Array.from({ length: count }, (_, index) => ({
        id: `choice-${index}`,
        label: 'A label',
        consequence: `Consequence ${index}.`,
        authorityEffect: index === 0 ? 'requires_new_run' : 'within_current_authority',
        runEffect: index === 0 ? 'new_run' : 'resume',
      })),
    );

  it('has two to eight choices [API-123]', () => {
    for (const count of [2, 8]) expect(codes('ClarificationRequest', choices(count)), `${count}`).toEqual([]);
    for (const count of [0, 1, 9]) expect(codes('ClarificationRequest', choices(count)), `${count}`).not.toEqual([]);
  });

  it('types the effect of each choice [API-124]', () => {
    expect(codes('ClarificationRequest', choices(2))).toEqual([]);
    for (const field of ['authorityEffect', 'runEffect'])
      for (const wrong of [undefined, 'anything', null])
        expect(codes('ClarificationRequest', put(choices(2), `responseChoices.1.${field}`, wrong))).not.toEqual([]);
  });
});
