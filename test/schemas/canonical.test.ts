import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CanonicalError,
  canonicalBytes,
  canonicalForm,
  canonicalJson,
  canonicalOrder,
  digest,
  digestOfText,
} from '../../schemas/canonical.ts';

const rows: readonly (readonly [string, unknown, string, string])[] = [
  [
    'sorts keys at every depth',
    { b: 1, a: [3, { d: null, c: true }] },
    '{"a":[3,{"c":true,"d":null}],"b":1}',
    'd8d702ad6a0f5ba2',
  ],
  [
    'writes numbers in their shortest form',
    JSON.parse('{"n":[1.0,-0,1e21,1e-7,0.1,100]}'),
    '{"n":[1,0,1e+21,1e-7,0.1,100]}',
    '3d71fa79a622ecac',
  ],
  [
    'sorts by UTF-16 units, not by code points',
    { é: 1, z: 2, Z: 3, '\u{1f600}': 4, '\uffff': 5 },
    '{"Z":3,"z":2,"é":1,"\u{1f600}":4,"\uffff":5}',
    '6c87ee97774ed073',
  ],
  ['escapes a lone surrogate', { s: '\ud800' }, '{"s":"\\ud800"}', 'd06a70a1ca4d3ac4'],
];

/** The same value with the keys of each object in another order. */
const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
};

describe('canonical JSON', () => {
  it.each(rows)('%s', (_, value, text, hex) => {
    expect(canonicalJson(value)).toBe(text);
    expect(digest(value).slice(0, 'sha256:'.length + 16)).toBe(`sha256:${hex}`);
  });

  it('escapes as JSON.stringify does and leaves slashes and other scripts alone', () => {
    expect(canonicalJson('"\\\b\t\n\f\r\u0001\u001f/é\u2028')).toBe('"\\"\\\\\\b\\t\\n\\f\\r\\u0001\\u001f/é\u2028"');
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('says the same value: what it writes reads back equal and is written the same again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        const back: unknown = JSON.parse(text);
        expect(back).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(back)).toBe(text);
      }),
    );
  });

  it('writes the keys of every object in ascending order', () => {
    const key = fc.string().filter((text) => !/^(0|[1-9]\d*)$/.test(text) && text !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(key, fc.integer()), (value) => {
        expect(Object.keys(JSON.parse(canonicalJson(value)))).toEqual(Object.keys(value).sort());
      }),
    );
  });

  it('keeps a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });

  const looped: { items: unknown[] } = { items: [] };
  looped.items.push({ again: looped });
  const refused: readonly (readonly [string, unknown, string])[] = [
    ['undefined', { a: { b: undefined } }, 'a.b'],
    ['a hole in a list', { a: new Array(1) }, 'a.0'],
    ['a function', { a: () => 1 }, 'a'],
    ['a bigint', [1n], '0'],
    ['a symbol', { a: Symbol('x') }, 'a'],
    ['a symbol as key', { a: { [Symbol('x')]: 1 } }, 'a'],
    ['NaN', { a: Number.NaN }, 'a'],
    ['an infinity', { a: Number.NEGATIVE_INFINITY }, 'a'],
    ['a cycle', looped, 'items.0.again'],
    ['an instance of a class', { a: new Date(0) }, 'a'],
  ];
  it.each(refused)('refuses %s and says where it stands', (_, value, path) => {
    expect(() => canonicalJson(value)).toThrow(CanonicalError);
    expect(() => canonicalJson(value)).toThrow(`at "${path}"`);
  });

  it('takes a value that stands twice without a cycle', () => {
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  it('counts UTF-8 bytes and digests them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        const form = { text, bytes: new TextEncoder().encode(text).length, sha256: digestOfText(text) };
        expect(canonicalForm(value)).toEqual(form);
        expect(canonicalBytes(value)).toBe(form.bytes);
        expect(digest(value)).toBe(form.sha256);
      }),
    );
    expect(digestOfText('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('gives a copy in canonical order and leaves the value as it is', () => {
    const value = { b: [{ d: 1, c: 2 }], a: 0 };
    expect(JSON.stringify(canonicalOrder(value))).toBe(canonicalJson(value));
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":0}');
  });
});
