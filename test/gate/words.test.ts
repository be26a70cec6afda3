import { describe, expect, it } from 'vitest';
import { deadlineOf, isStrict, readWords } from '../../src/gate/request.ts';

describe('the words of a gate', () => {
  it.each([
    [[], { host: null, repo: null, state: null, strict: false }],
    [['--strict', '--host', 'qwen'], { host: 'qwen', repo: null, state: null, strict: true }],
    [['--repo', '--strict', '--json'], { host: null, repo: '--strict', state: null, strict: false }],
    [['--repo', ''], null],
    [['--repo'], null],
    [['--host', 'roo'], null],
    [['claude'], null],
  ])('%j are read', (words, expected) => {
    expect(readWords(words)).toEqual(expected);
  });
});

describe('strictness', () => {
  it.each([
    [{}, false, false],
    [{}, true, true],
    [{ TELIC_BROKER_STRICT: '1' }, false, true],
    [{ TELIC_BROKER_STRICT: '' }, true, true],
    [{ TELIC_BROKER_STRICT: '0' }, true, false],
    [{ TELIC_BROKER_PERMISSIVE: '1' }, true, false],
    [{ TELIC_BROKER_PERMISSIVE: '1', TELIC_BROKER_STRICT: '1' }, true, false],
    [{ TELIC_BROKER_PERMISSIVE: '0', TELIC_BROKER_STRICT: '1' }, false, true],
  ])('with %j and the wish %j is %j', (env, wished, expected) => {
    expect(isStrict(env, wished)).toBe(expected);
  });
});

describe('the deadline', () => {
  it.each([
    [undefined, 700],
    ['', 700],
    ['100', 100],
    ['4000', 4000],
    ['4001', 700],
    ['99', 700],
    ['-1', 700],
    ['1e3', 700],
    ['abc', 700],
  ])('set to %j is %d milliseconds', (said, expected) => {
    expect(deadlineOf({ TELIC_BROKER_DEADLINE_MS: said })).toBe(expected);
  });
});
