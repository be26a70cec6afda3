import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyReferences, mergedReferences, patternOf, stringsIn } from '../../machines/rules/bodyReferences.ts';
import { bodies, foreign, house, own, recordUpTo, source } from './fixtures.ts';

const record = recordUpTo('WorkPlan');

describe('the references of a body', () => {
  it('stand under the known keys alone, at any depth, in document order', () => {
    const body = {
      text: source,
      sourceRefs: [own('a'), 'plain text'],
      nested: [{ diffRef: own('b'), otherRef: own('c') }],
      traceRef: 'trace://run-1',
    };
    expect(bodyReferences(body).map(({ path, pattern, ref }) => [path, pattern, ref])).toEqual([
      ['sourceRefs.0', 'sourceRefs[]', own('a')],
      ['nested.0.diffRef', 'nested[].diffRef', own('b')],
      ['traceRef', 'traceRef', 'trace://run-1'],
    ]);
  });
  it('are found with their places in every string of any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const texts: string[] = [];
        JSON.stringify(value, (_key, member: unknown) => {
          if (typeof member === 'string') texts.push(member);
          return member;
        });
        expect([...stringsIn(value)].map(({ text }) => text)).toEqual(texts);
      }),
    );
  });
  it('are not looked for deeper than 64 containers', () => {
    const nest = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], source);
    expect([...stringsIn(nest(64))]).toHaveLength(1);
    expect([...stringsIn(nest(65))]).toHaveLength(0);
  });
  it('have patterns with open positions', () => {
    expect(patternOf(['coverage', 0, 'contractFields', 2])).toBe('coverage[].contractFields[]');
  });
});

describe('the merge', () => {
  it('gives what was supplied, then what the body cites, each once', () => {
    const body = { ...bodies.contract(), contextRefs: [source, house] };
    expect(mergedReferences(record, body, [house, own('plan-01')])).toEqual([
      house,
      own('plan-01'),
      own('msg-01'),
      own('frame-01'),
      source,
    ]);
  });
  it('takes any key that ends in Ref or Refs, ref and evidenceInspected, and no other', () => {
    const body = {
      ref: 'repo://a',
      evidenceInspected: ['repo://b'],
      anyRef: 'repo://c',
      anyRefs: ['repo://d'],
      refs: 'repo://e',
      target: 'repo://f',
    };
    expect(mergedReferences(record, body, [])).toEqual(['repo://a', 'repo://b', 'repo://c', 'repo://d']);
  });
  it('leaves out system artifacts, what the run does not hold, other runs and what is no reference', () => {
    const sourceRefs = [
      'artifact://system/roles/executor-v1',
      own('nothing'),
      foreign('ev-old'),
      'repo://a b',
      'repo://ok',
    ];
    expect(mergedReferences(record, { sourceRefs }, [])).toEqual(['repo://ok']);
  });
  it('keeps every supplied reference, as it was sent', () => {
    expect(mergedReferences(record, {}, [foreign('ev-old'), own('nothing')])).toEqual([
      foreign('ev-old'),
      own('nothing'),
    ]);
  });
  it('holds each reference once for all inputs, the supplied ones first', () => {
    const refs = fc.array(fc.constantFrom(source, house, own('msg-01'), own('frame-01'), own('nothing')));
    fc.assert(
      fc.property(refs, refs, (supplied, sourceRefs) => {
        const merged = mergedReferences(record, { sourceRefs }, supplied);
        expect(new Set(merged).size).toBe(merged.length);
        expect(merged.slice(0, new Set(supplied).size)).toEqual([...new Set(supplied)]);
      }),
    );
  });
});
