import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleaned, hidesSomething, jsonText, pieces, seen } from '../../../src/workspace/person/page/seen.ts';

/** Everything that turns text around or hides in it, written down a second time: by code point. */
const tricks = [
  0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x00ad, 0x200b,
  0x2028, 0x2029, 0x2060, 0x2061, 0x3164, 0xfeff, 0xfffa, 0xe0041, 0xe0100,
].map((point) => String.fromCodePoint(point));
const controls = [0x00, 0x07, 0x08, 0x0b, 0x1b, 0x1f, 0x7f, 0x85, 0x9b].map((point) => String.fromCodePoint(point));

const texts = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...tricks, ...controls, '\r\n', '\t', '\ud800')), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

describe('how the page shows a text of an agent', () => {
  it('writes bidi controls and what cannot be seen as escapes, control characters as a mark', () => {
    expect(seen('invoice\u202egpj.exe')).toBe('invoice\\u202Egpj.exe');
    expect(seen('a\u2066b\u2069c\u200bd\ufeff')).toBe('a\\u2066b\\u2069c\\u200Bd\\uFEFF');
    expect(seen('tag\u{e0041}')).toBe('tag\\u{E0041}');
    expect(seen('bell\u0007 escape\u001b[31m')).toBe('bell� escape�[31m');
    expect(seen('\ud800 alone')).toBe('� alone');
    expect(seen('one\ntwo\r\nthree\rfour')).toBe('one↵two↵three�four');
  });

  it('leaves words of any script and emoji as they are', () => {
    for (const text of ['שלום עולם', 'مرحبا', '日本語', 'naïve', 'e\u0301', '👩‍👩‍👧', '❤️', 'می‌خواهم', '1️⃣', 'tab\there'])
      expect([text, seen(text), hidesSomething(text)]).toEqual([text, text, false]);
  });

  it('marks a joiner that joins nothing', () => {
    expect(seen('pay\u200dpal')).toBe('pay\\u200Dpal');
    expect(seen('\u200c')).toBe('\\u200C');
  });

  it('shows no text with a character left in it that hides something', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = seen(text);
        for (const trick of [...tricks, ...controls, '\n', '\r']) expect(shown).not.toContain(trick);
        expect(shown).not.toMatch(/\p{Surrogate}/u);
        expect(hidesSomething(cleaned(text))).toBe(false);
        expect(hidesSomething(text)).toBe(pieces(text).some(({ hidden }) => hidden));
      }),
      { numRuns: 300 },
    );
  });

  it('writes JSON that hides nothing and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), texts, (value, text) => {
        const whole = { value, [text]: [text] };
        const shown = jsonText(whole);
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(whole)));
        expect(hidesSomething(shown)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
