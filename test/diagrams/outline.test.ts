import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { diagramNames, outlineNamed } from '../../machines/diagrams/index.ts';
import { allStates, type OutlineState, outlineOf } from '../../machines/diagrams/outline.ts';

const run = outlineNamed('run');

const state = (id: string): OutlineState => {
  const found = allStates(run).find((candidate) => candidate.id === id);
  if (!found) throw new Error(`No state ${id}.`);
  return found;
};

describe('the outline of a machine', () => {
  it('tells initial states, history and final states', () => {
    expect(run.initial).toBe('run.working');
    expect(state('run.working').initial).toBe('run.working.ground');
    expect(state('run.working.resume')).toMatchObject({ type: 'history', history: 'deep' });
    expect(state('run.terminal').states.map(({ key, type }) => [key, type])).toEqual([
      ['completed', 'final'],
      ['partial', 'final'],
      ['failed_verification', 'final'],
      ['blocked', 'final'],
      ['cancelled', 'final'],
    ]);
  });

  it('tells each row with its guard, its facts, its target and its actions, in order', () => {
    expect(state('run.working.review').rows).toEqual([
      {
        order: 1,
        of: 3,
        event: 'done',
        guard: { name: 'when', facts: { exit: 'pass' } },
        targets: ['run.working.plan'],
        actions: [],
      },
      {
        order: 2,
        of: 3,
        event: 'done',
        guard: { name: 'when', facts: { exit: 'revise', revisable: true } },
        targets: ['run.working.contract.revise'],
        actions: [{ name: 'spend', facts: { budget: 'revisions' } }],
      },
      {
        order: 3,
        of: 3,
        event: 'done',
        guard: null,
        targets: ['run.report'],
        actions: [{ name: 'block', facts: { by: 'review' } }],
      },
    ]);
  });

  it.each(diagramNames)('leads only to states that the %s machine has', (name) => {
    const states = allStates(outlineNamed(name));
    const ids = new Set(states.map(({ id }) => id));
    const targets = states.flatMap(({ rows }) => rows.flatMap((row) => row.targets));
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
    expect(ids.size).toBe(states.length);
  });

  it('does not draw a guard without a name', () => {
    const kit = setup({ types: { events: {} as { type: 'go' } } });
    const machine = kit.createMachine({
      initial: 'a',
      states: { a: { on: { go: { guard: () => true, target: 'b' } } }, b: {} },
    });
    expect(() => outlineOf(machine)).toThrow(TypeError);
  });

  it('does not draw a parallel state', () => {
    expect(() => outlineOf(setup({}).createMachine({ type: 'parallel', states: { a: {}, b: {} } }))).toThrow(TypeError);
  });
});
