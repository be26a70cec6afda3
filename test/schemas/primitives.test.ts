import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  AbsRoot,
  ArtifactUri,
  Commit,
  Id,
  int,
  list,
  num,
  RefUri,
  RelPath,
  RepoUri,
  Sha256,
  Summary,
  str,
  Text,
  TraceUri,
  Ts,
} from '../../schemas/primitives.ts';

const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;
const hex = (length: number): string => 'a'.repeat(length);
const emoji = '\u{1f600}';

const table: readonly (readonly [string, z.ZodType, readonly unknown[], readonly unknown[]])[] = [
  [
    'Id',
    Id,
    ['a', '0', 'action:run-1:2', 'A._:-', 'x'.repeat(128)],
    ['', '-a', '.a', 'a b', 'a/b', 'é', 'a\n', 'x'.repeat(129), 1, null],
  ],
  [
    'Ts',
    Ts,
    [
      '2026-03-02T09:00:00Z',
      '2026-03-02T09:00Z',
      '2026-03-02T09:00+01:00',
      '2026-03-02T09:00:59.123456789012-23:59',
      '2024-02-29T00:00Z',
      '2000-02-29T00:00Z',
      '0000-01-01T00:00Z',
      '2026-03-02T09:00:00-00:00',
    ],
    [
      '2026-03-02T09:00:00',
      '2026-03-02 09:00:00Z',
      '2026-03-02T09:00:00+0200',
      '2026-03-02T24:00:00Z',
      '2026-03-02T23:59:60Z',
      '2026-03-02T23:60:00Z',
      '2026-03-02t09:00:00Z',
      '2026-03-02T09:00:00z',
      '2026-03-02T09:00.5Z',
      '2026-03-02T09:00:00.Z',
      '2026-03-02T09:00:00+24:00',
      '2026-03-02T09:00:00+01:60',
      '2026-02-29T09:00:00Z',
      '1900-02-29T09:00:00Z',
      '2026-04-31T09:00:00Z',
      '2026-13-01T09:00:00Z',
      '2026-00-01T09:00:00Z',
      '+02026-03-02T09:00:00Z',
      '2026-03-02T09:00:00Z\n',
      '',
    ],
  ],
  [
    'RelPath',
    RelPath,
    ['a', 'a\\..\\b', './a', 'a//b', 'C:/x', 'a\u0000b', '..a', 'a/...', 'x'.repeat(1024)],
    ['', '/a', '..', '../a', 'a/..', 'a/../b', 'x'.repeat(1025)],
  ],
  [
    'Sha256',
    Sha256,
    [`sha256:${hex(64)}`],
    [`sha256:${hex(63)}`, `sha256:${hex(65)}`, `sha256:${'A'.repeat(64)}`, hex(64), `sha256:${hex(64)}\n`],
  ],
  [
    'ArtifactUri',
    ArtifactUri,
    ['artifact://r/a', "artifact://!$&'()*+,;=:@%/-._~", 'artifact:///', 'artifact://%'],
    [
      'artifact://',
      'Artifact://a',
      'trace://a',
      'artifact://a?b',
      'artifact://a#b',
      'artifact://[a]',
      'artifact://a b',
      'artifact://é',
      `artifact://${'a'.repeat(2038)}`,
    ],
  ],
  ['TraceUri', TraceUri, ['trace://r'], ['repo://r', 'trace://']],
  [
    'RepoUri',
    RepoUri,
    ['repo://src/a.ts', `repo://${'a'.repeat(2041)}`],
    ['trace://r', 'repo://', `repo://${'a'.repeat(2042)}`],
  ],
  [
    'RefUri',
    RefUri,
    ['artifact://a', 'trace://a', 'repo://a'],
    ['https://a', 'REPO://a', 'repo://', '', 1, null, `repo://${'a'.repeat(2042)}`],
  ],
  [
    'Text',
    Text,
    [' ', 'x'.repeat(32_768), 'é'.repeat(16_384), '\ud800'.repeat(10_922)],
    ['', 'x'.repeat(32_769), 'é'.repeat(16_385), '\ud800'.repeat(10_923)],
  ],
  ['Summary', Summary, [' ', 'x'.repeat(4096), 'é'.repeat(2048)], ['', 'x'.repeat(4097), 'é'.repeat(2049)]],
  ['Commit', Commit, [hex(40), hex(64)], [hex(39), hex(65), 'g'.repeat(40), 'A'.repeat(40)]],
  [
    'AbsRoot',
    AbsRoot,
    ['/', '/a', '\\a', '\\\\host\\share', 'C:/x', 'c:\\x', '/a\nb'],
    ['', 'a', 'C:dir', 'C:', '1:/x', './a', `/${'a'.repeat(4096)}`],
  ],
  [
    'a string measured in UTF-16 units',
    str(1, 4),
    [' ', emoji.repeat(2), 'abcd'],
    ['', emoji.repeat(3), 'abcde', emoji.repeat(5)],
  ],
  [
    'a whole number',
    int(0, 4),
    [0, 4, -0, 1.0],
    [-1, 5, 0.5, 2 ** 53, -(2 ** 53), 1e300, Number.NaN, Number.POSITIVE_INFINITY, '1', null],
  ],
  ['a whole number up to the safe limit', int(0, Number.MAX_SAFE_INTEGER), [Number.MAX_SAFE_INTEGER], [2 ** 53]],
  ['a number', num(0, 1), [0, 1, 0.5, -0], [-0.001, 1.001, Number.NaN, Number.POSITIVE_INFINITY, '0']],
  ['a list', list(int(0, 1), 1, 2), [[0], [0, 0]], [[], [0, 0, 0], [null], null, {}]],
];

describe('the primitives', () => {
  describe.each(table)('%s', (_, schema, good, bad) => {
    it.each(good.map((value) => [value]))('takes %j', (value) => {
      expect(takes(schema, value)).toBe(true);
    });
    it.each(bad.map((value) => [value]))('refuses %j', (value) => {
      expect(takes(schema, value)).toBe(false);
    });
  });

  it('take a time exactly when its day is a real one', () => {
    const two = (number: number): string => String(number).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
          const real = new Date(`${date}T00:00:00Z`);
          const exists = !Number.isNaN(real.getTime()) && real.toISOString().startsWith(date);
          expect(takes(Ts, `${date}T12:30Z`)).toBe(exists);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('measure strings in UTF-16 units for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        expect(takes(str(1, 8), text)).toBe(text.length >= 1 && text.length <= 8);
      }),
    );
  });

  it('measure texts and summaries in UTF-8 bytes as well, a lone surrogate as three', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1365, maxLength: 4096 }), (text) => {
        const bytes = new TextEncoder().encode(text).length;
        expect(takes(Summary, text)).toBe(text.length <= 4096 && bytes <= 4096);
      }),
    );
  });
});
