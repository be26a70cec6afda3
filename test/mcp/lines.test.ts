import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineReader } from '../../src/mcp/lines.ts';
import { messageIdScanner } from '../../src/mcp/messageId.ts';

type Event = string | Readonly<{ id: unknown; length: number }>;

/** What a reader with a limit tells of bytes that arrive in pieces of the given sizes. */
const eventsOf = (bytes: Buffer, sizes: readonly number[], limit: number): Event[] => {
  const events: Event[] = [];
  const reader = lineReader(limit, {
    line: (line) => events.push(line.toString('utf8')),
    oversized: (id, length) => events.push({ id, length }),
  });
  let at = 0;
  for (const size of sizes) {
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  reader.push(bytes.subarray(at));
  reader.end();
  return events;
};

const scan = (text: string): unknown => {
  const scanner = messageIdScanner();
  scanner.feed(Buffer.from(text));
  return scanner.id();
};

describe('lines of the input', () => {
  test('are the same however the bytes are cut', () => {
    const line = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(7)), fc.nat(25), (lines, sizes, limit) => {
        const bytes = Buffer.from(lines.join('\n'));
        expect(eventsOf(bytes, sizes, limit)).toEqual(eventsOf(bytes, [], limit));
      }),
    );
  });

  test('below the limit all arrive, whatever they hold', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\n\s]/.test(text));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(eventsOf(Buffer.from(lines.join('\n')), [3, 5], 10_000)).toEqual(lines);
      }),
    );
  });

  test('of exactly the limit are kept, one byte more is told once with its length and the next line follows', () => {
    expect(eventsOf(Buffer.from('12345\n123456\n12\n'), [4, 4], 5)).toEqual(['12345', { id: null, length: 6 }, '12']);
  });

  test('that are blank are left out', () => {
    expect(eventsOf(Buffer.from('\n \r\n{}\r\n\t'), [], 9)).toEqual(['{}\r']);
  });

  test('that are too long tell the id of their message', () => {
    const text = JSON.stringify({
      method: 'ping',
      params: { id: 5, text: 'x"}{,:'.repeat(9) },
      jsonrpc: '2.0',
      id: 'a-7',
    });
    expect(eventsOf(Buffer.from(text), [10, 1, 1, 20], 40)).toEqual([{ id: 'a-7', length: Buffer.byteLength(text) }]);
  });
});

describe('the id of a message that is too long', () => {
  test('is found wherever it stands and whatever stands around it', () => {
    const id = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: 'binary', maxLength: 40 }));
    const fields = fc.dictionary(
      fc.string().filter((key) => key !== 'id' && key !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fields, fields, id, fc.constantFrom(undefined, 2), (before, after, wanted, indent) => {
        expect(scan(JSON.stringify({ ...before, id: wanted, ...after }, null, indent))).toBe(wanted);
      }),
    );
  });

  test.each([
    '{"params":{"id":1}}',
    '[{"id":1}]',
    '{"id":null}',
    '{"id":{"id":2}}',
    '{"id":1.5}',
    '{"id":tru}',
    'id:1',
    '',
  ])('is not made up from %s', (text) => expect(scan(text)).toBe(null));
});
