import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePath, pathInside, repoRef } from '../../src/grounding/paths.ts';

describe('the one spelling of a path', () => {
  it.each([
    ['./a', 'a'],
    ['a//b', 'a/b'],
    ['..a', '..a'],
    ['a..b/c', 'a..b/c'],
    [' a', ' a'],
    ['a ', 'a '],
    ['-a', '-a'],
    ['C:/x', 'C:/x'],
    ['a\nb', 'a\nb'],
    ['é/日本', 'é/日本'],
  ])('takes %j as %j', (given, normal) => {
    expect(normalizePath(given)).toBe(normal);
  });

  it.each(['', '.', '..', './', 'a/./b', 'a/../b', '../a', 'a/..', '/a', 'a/', 'a\\b', 'a\0b', '././a', '\ud800'])(
    'refuses %j',
    (given) => {
      expect(normalizePath(given)).toBeNull();
    },
  );

  it('refuses more than 1,024 units, and a reference of more than 2,048 characters', () => {
    expect(normalizePath('a'.repeat(1024))).toHaveLength(1024);
    expect(normalizePath('a'.repeat(1025))).toBeNull();
    expect(normalizePath('日'.repeat(226))).toHaveLength(226);
    expect(repoRef('日'.repeat(226)).length).toBe(2041);
    expect(normalizePath('日'.repeat(227))).toBeNull();
  });

  it('gives a normal path once and for all, and one that a reference can carry', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', '.', '/', '\\', ' ', 'é', '%', '#', '\n', '\0') }),
        (text) => {
          const normal = normalizePath(text);
          if (normal === null) return;
          expect(normalizePath(normal)).toBe(normal);
          expect(repoRef(normal)).toMatch(/^repo:\/\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]+$/);
          expect(decodeURIComponent(repoRef(normal).slice('repo://'.length))).toBe(normal);
        },
      ),
    );
  });

  it('compares directories by segment', () => {
    expect(pathInside('/a/b', '/a/b')).toBe('');
    expect(pathInside('/a/b', '/a/b/c')).toBe('c');
    expect(pathInside('/a/b', '/a/b/..notes')).toBe('..notes');
    expect(pathInside('/a/b', '/a/bc')).toBeNull();
    expect(pathInside('/a/b', '/a')).toBeNull();
  });
});
