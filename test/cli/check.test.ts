import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CheckableType } from '../../schemas/issues.ts';
import { hostSchema } from '../../schemas/jsonSchema.ts';
import { ArtifactType } from '../../schemas/vocabulary.ts';
import { newWorld } from '../sdk/world.ts';
import { cli, telic } from './console.ts';

const bodies = join(import.meta.dirname, '..', 'conformance', 'artifacts');

const Case = z.looseObject({
  file: z.string(),
  type: CheckableType,
  verdict: z.enum(['valid', 'invalid']),
  rule: z.string().optional(),
  path: z.string().optional(),
  canonicalBytes: z.number().optional(),
  sha256: z.string().optional(),
  normalizedSha256: z.string().optional(),
  normalizationFailsAt: z.array(z.string()).optional(),
});
const { cases } = z
  .object({ cases: z.array(Case) })
  .parse(JSON.parse(readFileSync(join(bodies, 'index.json'), 'utf8')));

const Issue = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  expected: z.unknown().optional(),
  fix: z.string(),
});
const verdict = {
  verdict: z.enum(['valid', 'invalid']),
  issues: z.array(Issue),
  sha256: z.string().nullable(),
  canonicalBytes: z.number().nullable(),
};
const Report = z.strictObject({
  ok: z.boolean(),
  type: z.string(),
  files: z.array(
    z.union([
      z.strictObject({ file: z.string(), ...verdict, normalized: z.strictObject(verdict).optional() }),
      z.strictObject({
        file: z.string(),
        verdict: z.literal('unreadable'),
        error: z.string(),
        offset: z.number().optional(),
      }),
    ]),
  ),
});

const reportOf = (out: string): z.infer<typeof Report> => Report.parse(JSON.parse(out));

const valid = 'ProblemFrame/valid-basic.json';
const invalid = 'ProblemFrame/invalid-SCH-KEY-02.json';

describe('check', () => {
  it.each(CheckableType.options)('judges every body of %s as the conformance data does', async (type) => {
    const known = cases.filter((one) => one.type === type);
    expect(known.length).toBeGreaterThan(1);
    const said = await cli(['check', type, ...known.map(({ file }) => file), '--json'], { cwd: bodies });
    expect(said).toMatchObject({ exit: 1, err: '' });
    const { ok, files } = reportOf(said.out);
    expect(ok).toBe(false);
    expect(files.map(({ file, verdict }) => [file, verdict])).toEqual(
      known.map(({ file, verdict }) => [file, verdict]),
    );
    for (const [index, expected] of known.entries()) {
      const found = files[index];
      if (expected.verdict === 'valid') {
        const { canonicalBytes, sha256 } = expected;
        expect(found).toMatchObject({ issues: [], canonicalBytes, sha256 });
      } else
        expect(found).toHaveProperty(
          'issues',
          expect.arrayContaining([expect.objectContaining({ path: expected.path })]),
        );
      if (expected.normalizedSha256)
        expect(found).toHaveProperty('normalized', expect.objectContaining({ sha256: expected.normalizedSha256 }));
      if (expected.normalizationFailsAt)
        expect(found).toHaveProperty(
          'normalized.issues',
          expected.normalizationFailsAt.map((path) => expect.objectContaining({ path })),
        );
    }
  });

  it('prints what its golden file holds, and the same in one line with --json', async () => {
    const argv = ['check', 'ProblemFrame', valid, invalid, 'none.json', '-'];
    const surroundings = { cwd: bodies, input: '{"id": "frame-01",}' };
    const said = await cli(argv, surroundings);
    expect(said).toMatchObject({ exit: 1, err: '' });
    await expect(said.out).toMatchFileSnapshot('golden/check.txt');
    const compact = await cli([...argv, '--json'], surroundings);
    expect(compact.out).toBe(`${JSON.stringify(JSON.parse(said.out))}\n`);
  });

  it('ends with 0 when every file is valid, and needs no repository', async () => {
    const said = await cli(['check', 'ProblemFrame', join(bodies, valid)], { cwd: '/' });
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(reportOf(said.out)).toMatchObject({ ok: true, type: 'ProblemFrame', files: [{ verdict: 'valid' }] });
  });

  it('ends with 1 for a wire manifest that cannot become a manifest, though it is valid itself', async () => {
    const file = cases.find(({ normalizationFailsAt }) => normalizationFailsAt)?.file ?? '';
    const said = await cli(['check', 'ContextManifestWire', file], { cwd: bodies });
    expect(said.exit).toBe(1);
    expect(reportOf(said.out)).toMatchObject({
      ok: false,
      files: [{ verdict: 'valid', normalized: { verdict: 'invalid' } }],
    });
  });

  it('reads standard input, once however often it is named', async () => {
    const input = readFileSync(join(bodies, valid));
    const said = await telic(['check', 'ProblemFrame', '-', '-'], { input });
    expect(said).toMatchObject({ exit: 0, err: '' });
    const [first, second] = reportOf(said.out).files;
    expect(first).toMatchObject({ file: '-', verdict: 'valid' });
    expect(second).toEqual(first);
  });

  it('says of each file why it cannot be read, and checks the others', async () => {
    const { root } = newWorld(
      { 'broken.json': '{"id": "frame-01"', 'empty.json': '', 'large.json': ' '.repeat(16 * 1024 * 1024 + 1) },
      'folder',
    );
    writeFileSync(join(root, 'bytes.json'), Buffer.from([0x22, 0xff, 0x22]));
    const files = ['none.json', '.', 'broken.json/x', 'broken.json', 'empty.json', 'bytes.json', 'large.json'];
    const said = await cli(['check', 'ProblemFrame', ...files, join(bodies, valid)], { cwd: root });
    expect(said).toMatchObject({ exit: 1, err: '' });
    const told = reportOf(said.out).files;
    expect(told.map((one) => ('error' in one ? one.error : one.verdict))).toEqual([
      'none.json cannot be read: there is no such file.',
      '. cannot be read: it is a directory.',
      'broken.json/x cannot be read: a part of its path is not a directory.',
      'broken.json is not JSON: at offset 17, the text ends where a comma or "}" should stand.',
      'empty.json is not JSON: at offset 0, the text ends where a value should stand.',
      'bytes.json cannot be read: it is not UTF-8.',
      'large.json cannot be read: it is too large: 16777216 bytes are the limit.',
      'valid',
    ]);
    expect(told[3]).toHaveProperty('offset', 17);
  });

  it('reads a file that begins with a byte order mark', async () => {
    const input = `\ufeff${readFileSync(join(bodies, valid), 'utf8')}`;
    expect((await cli(['check', 'ProblemFrame', '-'], { input })).exit).toBe(0);
  });

  it('refuses a body above the limit of the store', async () => {
    const text = readFileSync(join(bodies, valid), 'utf8');
    const body = z.looseObject({}).parse(JSON.parse(text));
    const input = JSON.stringify({ ...body, nonGoals: Array.from({ length: 100 }, () => 'x'.repeat(32_000)) });
    const said = await cli(['check', 'ProblemFrame', '-'], { input });
    expect(said.exit).toBe(1);
    expect(reportOf(said.out).files).toMatchObject([
      { verdict: 'invalid', issues: [{ path: '', code: 'ADM-COM-13', expected: { maxBytes: 2_097_152 } }] },
    ]);
  });

  it.each([
    ['a number beyond all bounds', '{"id":1e999}'],
    ['null', 'null'],
    ['text', '"frame"'],
    ['a key of the language', '{"__proto__":{"id":"x"}}'],
  ])('refuses %s as it refuses any other body', async (_, input) => {
    const said = await cli(['check', 'ProblemFrame', '-'], { input });
    expect(said).toMatchObject({ exit: 1, err: '' });
    const [file] = reportOf(said.out).files;
    expect(file).toMatchObject({ verdict: 'invalid' });
    expect(file && 'issues' in file ? file.issues.length : 0).toBeGreaterThan(0);
  });

  it.each([
    ['lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ])('tells of %s nested without end and checks the other files', async (_, input) => {
    const said = await cli(['check', 'ProblemFrame', '-', valid], { cwd: bodies, input });
    expect(said).toMatchObject({ exit: 1, err: '' });
    expect(reportOf(said.out).files.map(({ verdict }) => verdict)).toEqual([
      expect.stringMatching(/^(unreadable|invalid)$/),
      'valid',
    ]);
  });

  it('names the types when the type is unknown, and prints nothing', async () => {
    const said = await cli(['check', 'problemFrame', valid], { cwd: bodies });
    expect(said).toMatchObject({ exit: 1, out: '' });
    expect(said.err).toBe(
      `telic: "problemFrame" is no type that can be checked; the types are ${CheckableType.options.join(', ')}.\n`,
    );
  });

  it('asks for a file', async () => {
    expect(await cli(['check', 'ProblemFrame'])).toEqual({
      exit: 1,
      out: '',
      err: "telic: missing required argument 'FILE'\n",
    });
  });
});

describe('schema', () => {
  it.each(ArtifactType.options)('prints the schema of %s as hosts get it', async (type) => {
    const said = await cli(['schema', type]);
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(said.out)).toEqual(hostSchema(type));
    const compact = await cli(['schema', type, '--json']);
    expect(compact.out).toBe(`${JSON.stringify(hostSchema(type))}\n`);
  });

  it('prints what its golden file holds', async () => {
    await expect((await cli(['schema', 'ScenarioSpec'])).out).toMatchFileSnapshot('golden/schema.txt');
  });

  it.each(['UserMessage', 'ContextManifestWire', 'nothing', '__proto__'])('names the types for %s', async (type) => {
    expect(await cli(['schema', type])).toEqual({
      exit: 1,
      out: '',
      err: `telic: "${type}" is no artifact type; the types are ${ArtifactType.options.join(', ')}.\n`,
    });
  });
});
