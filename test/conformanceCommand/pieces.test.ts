import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPath, edgeName, edgeTargets } from '../../machines/graph/cover.ts';
import { exploreRun } from '../../machines/graph/runGraph.ts';
import { mutationsOf } from '../../src/conformance/mutations.ts';
import { randomFrom } from '../../src/conformance/random.ts';
import { CommandLineError, splitCommand } from '../../src/conformance/splitCommand.ts';

describe('the command of a server', () => {
  it.each([
    ['node dist/telic.js mcp', ['node', 'dist/telic.js', 'mcp']],
    ['  "/opt/my node/bin/node"   x ', ['/opt/my node/bin/node', 'x']],
    [`a 'b "c" \\d' "e \\" f"`, ['a', 'b "c" \\d', 'e " f']],
    ['a "" b', ['a', '', 'b']],
    ['a\\ b c', ['a b', 'c']],
    ['a; rm -rf $HOME | b', ['a;', 'rm', '-rf', '$HOME', '|', 'b']],
  ])('is split into words, and nothing in it is carried out: %s', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it.each(['', '   ', '""', 'a "b', "a 'b"])('is refused when it names no program or does not end: %s', (line) => {
    expect(() => splitCommand(line)).toThrow(CommandLineError);
  });

  it('keeps every word that is quoted', () => {
    const word = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(word, fc.array(fc.string()), (first, rest) => {
        const quoted = [first, ...rest].map((one) => `'${one.replaceAll("'", `'"'"'`)}'`);
        expect(splitCommand(quoted.join(' '))).toEqual([first, ...rest]);
      }),
    );
  });
});

describe('bodies with one fault', () => {
  it('each differ from the legal one, and leave it as it was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const before = JSON.stringify(body);
        for (const { body: changed, words } of mutationsOf('WorkPlan', body, ['artifact://run/other']))
          expect(JSON.stringify(changed), words).not.toBe(before);
        expect(JSON.stringify(body)).toBe(before);
      }),
    );
  });

  it('put other words of a vocabulary and other references in the place of theirs', () => {
    const body = { decision: 'pass', targetRef: 'artifact://run/one' };
    const changed = mutationsOf('PromptReview', body, ['artifact://run/two']).map((one) => JSON.stringify(one.body));
    expect(changed).toContain(JSON.stringify({ ...body, decision: 'revise' }));
    expect(changed).toContain(JSON.stringify({ ...body, targetRef: 'artifact://run/two' }));
  });
});

describe('paths over the graph', () => {
  const graph = exploreRun(['plan_only', 'forensic']);

  it('end with the edge that they are for, and are shortest first', () => {
    const targets = edgeTargets(graph, 3);
    const names = new Set([...graph.edges.values()].flat().map((edge) => edgeName(graph, edge)));
    expect(new Set(targets.map(({ name }) => name))).toEqual(names);
    for (const { name, ways } of targets) {
      expect(ways.map(({ edges }) => edges.at(-1))).toEqual(ways.map(() => name));
      const lengths = ways.map(({ labels }) => labels.length);
      expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
    }
  });

  it('are drawn alike from the same seed', () => {
    const draw = (seed: number) => {
      const random = randomFrom(seed);
      return Array.from({ length: 20 }, () => drawPath(graph, random).join(' > '));
    };
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
  });
});
