import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/workspace/caller.ts';
import { macOf, samePath, writtenPath } from '../../../src/workspace/invocations/sameCall.ts';

const at = (endpoint: string | null): { connection: Connection } => ({
  connection: {
    id: 'c',
    label: 'Desk agent',
    endpoint,
    token: { id: 't', label: 't', workspace: null, max: 'outside', run: null },
  },
});

describe('the MAC of arguments', () => {
  const key = Buffer.alloc(32, 1);

  it('depends on every value and on the key, and on nothing else', () => {
    const mac = macOf(key, { a: 1, b: ['x', { c: null }] });
    expect(mac).toMatch(/^[0-9a-f]{64}$/);
    expect(macOf(key, JSON.parse('{"b":["x",{"c":null}],"a":1.0}'))).toBe(mac);
    expect(macOf(Buffer.alloc(32, 2), { a: 1, b: ['x', { c: null }] })).not.toBe(mac);
    for (const other of [{ a: 1, b: ['x', { c: 0 }] }, { a: '1', b: ['x', { c: null }] }, { a: 1 }, {}])
      expect(macOf(key, other)).not.toBe(mac);
  });

  it('is none for what nests deeper than arguments may, however deep', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(macOf(key, { deep })).toBeNull();
  });
});

describe('the path of a call', () => {
  const bound = {
    workspace: 'home',
    path: 'notes/Garden#share',
    written_path: 'notes/0a01#share',
    ref: 'notes/0a01',
    action: 'share',
  };

  it('begins with its workspace at the account endpoint only', () => {
    expect(writtenPath(at('home'), 'notes/Garden#share')).toEqual({ workspace: 'home', rest: 'notes/Garden#share' });
    expect(writtenPath(at(null), 'home/notes/Garden#share')).toEqual({
      workspace: 'home',
      rest: 'notes/Garden#share',
    });
    expect(writtenPath(at(null), 'home#share')).toEqual({ workspace: 'home', rest: '#share' });
  });

  it('is the same in any spelling of its escapes, by names and by keys, in its workspace', () => {
    for (const path of ['notes/Garden#share', 'notes/0a01#share', 'notes/%47arden#share'])
      expect(samePath(bound, writtenPath(at('home'), path))).toBe(true);
    for (const path of ['notes/garden#share', 'notes/Garden#delete', 'notes/Garden', 'notes//Garden#share'])
      expect(samePath(bound, writtenPath(at('home'), path))).toBe(false);
    expect(samePath(bound, writtenPath(at('studio'), 'notes/Garden#share'))).toBe(false);
    expect(samePath(bound, writtenPath(at(null), 'home/notes/Garden#share'))).toBe(true);
    expect(samePath(bound, writtenPath(at(null), 'notes/Garden#share'))).toBe(false);
  });
});
