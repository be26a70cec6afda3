import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonFault } from '../../schemas/tools/jsonFault.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the place of a fault in JSON', () => {
  test('is found in exactly the texts that do not parse, and none lies before it', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '1', 'e', '-', '\n', ' '),
      )
      .map(([json, at, cut, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + cut);
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.json(), fc.string()), (text) => {
        const fault = jsonFault(text);
        expect(fault === null).toBe(parses(text));
        if (!fault) return;
        // What stands before it could still become JSON.
        const before = jsonFault(text.slice(0, fault.offset));
        expect(before?.offset ?? fault.offset).toBe(fault.offset);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['', 0],
    ['{not json', 1],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['[1,2', 4],
    ['[1 2]', 3],
    ['"\\x"', 1],
    ['{"a":"b\n"}', 7],
    ['{} {}', 3],
    ['{"a":01}', 6],
    ["{'a':1}", 1],
    ['{"a":undefined}', 5],
    ['{"a":tru}', 5],
    ['[1}', 2],
  ])('of %j is %i', (text, offset) => expect(jsonFault(text)?.offset).toBe(offset));

  test('is found below a million open lists', () => {
    expect(jsonFault('['.repeat(1_000_000))?.offset).toBe(1_000_000);
  });
});
