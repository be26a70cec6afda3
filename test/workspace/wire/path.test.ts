import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import { parsePath, printPath, printSegment, sameName, utf8Bytes } from '../../../schemas/wire/path.ts';

const letters = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('/', '#', '%', ' ', '%2F', '\u0000', '\n', '\u007f', '\u0085', '\u009f') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('\u{1F345}', '\u{10FFFF}', 'é', 'e\u0301', '日', '\ufeff', '\u202e', '"', '\\'),
  },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }) },
  { weight: 2, arbitrary: fc.string({ minLength: 1, maxLength: 4 }) },
);
const segments = fc.array(letters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
const actions = fc.option(fc.stringMatching(/^[a-z][a-z0-9-]{0,63}$/), { nil: undefined });

describe('paths', () => {
  it('W-18 P a path that was printed reads back, whatever its names hold', () => {
    fc.assert(
      fc.property(fc.array(segments, { minLength: 1, maxLength: 8 }), actions, (names, action) => {
        const path = { segments: names, ...(action !== undefined && { action }) };
        const printed = printPath(path);
        fc.pre(utf8Bytes(printed) <= wireLimits.pathBytes);
        expect(parsePath(printed)).toEqual({ ok: true, path });
        // What separates stands only where it separates, and no control character stands anywhere.
        expect(printed.split('/')).toHaveLength(names.length);
        expect(printed.split('#')).toHaveLength(action === undefined ? 1 : 2);
        expect(printed).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 500 },
    );
  });

  it('W-18 P a path that was read prints to one that reads the same', () => {
    const written = fc
      .array(fc.constantFrom('a', 'B', '/', '#', '%', '2', 'f', '%2f', '%C3%A9', '%c3', ' ', 'é'), { maxLength: 14 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(written, (text) => {
        const parsed = parsePath(text);
        if (!parsed.ok) return;
        expect(parsePath(printPath(parsed.path))).toEqual(parsed);
      }),
      { numRuns: 1000 },
    );
  });

  it('escape nothing but what a path could not hold', () => {
    expect(printSegment('100% a/b #1 "é" \u{1F345}\n\u0085')).toBe('100%25 a%2Fb %231 "é" \u{1F345}%0A%C2%85');
  });

  it('read escapes of either case, also of what needs none', () => {
    expect(parsePath('notes/a%2fb%2Fc/%41%c3%A9#pin')).toEqual({
      ok: true,
      path: { segments: ['notes', 'a/b/c', 'Aé'], action: 'pin' },
    });
  });

  it.each([
    ['nothing', ''],
    ['a slash at the start', '/notes'],
    ['a slash at the end', 'notes/'],
    ['an empty segment', 'notes//Garden'],
    ['an action of nothing', '#pin'],
    ['a percent sign alone', 'notes/100%'],
    ['half an escape', 'notes/%4'],
    ['bytes that are no UTF-8', 'notes/%C3'],
    ['half a character of UTF-16 in UTF-8', 'notes/%ED%A0%80'],
    ['an overlong form', 'notes/%C0%AF'],
    ['an action without its id', 'notes#'],
    ['an action in capitals', 'notes#Pin'],
    ['two actions', 'notes#pin#pin'],
    ['a path below an action', 'notes#pin/Garden'],
  ])('are not %s', (_, text) => {
    expect(parsePath(text).ok).toBe(false);
  });

  it('keep to their limits to the byte', () => {
    const { pathBytes, pathSegments, segmentBytes } = wireLimits;
    const deep = (count: number): string => Array.from({ length: count }, () => 'a').join('/');
    expect(parsePath(deep(pathSegments)).ok).toBe(true);
    expect(parsePath(deep(pathSegments + 1)).ok).toBe(false);
    expect(parsePath('é'.repeat(segmentBytes / 2)).ok).toBe(true);
    expect(parsePath(`${'é'.repeat(segmentBytes / 2)}a`).ok).toBe(false);
    // Escaped it is three times as long, and the segment counts before that.
    expect(parsePath('%20'.repeat(segmentBytes)).ok).toBe(true);
    expect(parsePath('%20'.repeat(segmentBytes + 1)).ok).toBe(false);
    const long = `${'a/'.repeat(24)}${`${'b'.repeat(490)}/`.repeat(4)}`;
    const filled = `${long}${'c'.repeat(pathBytes - long.length)}`;
    expect(utf8Bytes(filled)).toBe(pathBytes);
    expect(parsePath(filled).ok).toBe(true);
    expect(parsePath(`${filled}c`).ok).toBe(false);
  });

  it('compare names in NFC, with their case', () => {
    expect(sameName('Caf\u00e9', 'Cafe\u0301')).toBe(true);
    expect(sameName('Café', 'café')).toBe(false);
    expect(sameName('\ufb01', 'fi')).toBe(false);
  });
});
