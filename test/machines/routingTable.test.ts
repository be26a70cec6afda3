import { describe, expect, it } from 'vitest';
import type { AnyStateNode } from 'xstate';
import { runMachine } from '../../machines/run.ts';

/** Every state below and including a node. */
const below = (node: AnyStateNode): readonly AnyStateNode[] => [node, ...Object.values(node.states).flatMap(below)];

const states = below(runMachine.root);

const rowsOf = (node: AnyStateNode) => [...node.transitions.values()].flat();

const nameOf = (part: unknown): string => {
  if (typeof part === 'string') return part;
  if (typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string') return part.type;
  throw new Error(`A guard or action of the machine has no name: ${String(part)}`);
};

const paramsOf = (part: unknown): Readonly<Record<string, unknown>> =>
  typeof part === 'object' &&
  part !== null &&
  'params' in part &&
  typeof part.params === 'object' &&
  part.params !== null
    ? { ...part.params }
    : {};

/** The named exit that a row waits for, if it names one. */
const exitOf = (row: { guard?: unknown }): unknown => paramsOf(row.guard).exit;

describe('the routing table', () => {
  it('names only states that exist as targets', () => {
    const targets = states.flatMap((node) => rowsOf(node).flatMap(({ target }) => target ?? []));
    expect(targets.length).toBeGreaterThan(60);
    for (const target of targets) expect(states).toContain(target);
  });

  it('names only guards and actions that the setup knows', () => {
    const { guards, actions } = runMachine.implementations;
    for (const node of states) {
      for (const row of rowsOf(node)) {
        if (row.guard !== undefined) expect(Object.keys(guards)).toContain(nameOf(row.guard));
        for (const action of row.actions) expect(Object.keys(actions)).toContain(nameOf(action));
      }
      for (const action of [...node.entry, ...node.exit]) expect(Object.keys(actions)).toContain(nameOf(action));
    }
  });

  it('waits only for exits that the phase has, and takes every exit that it has', () => {
    const phases = states.filter((node) => Object.values(node.states).some(({ type }) => type === 'final'));
    expect(phases.map(({ key }) => key).toSorted()).toEqual(
      [
        'audit',
        'clarification',
        'contract',
        'execute',
        'frame',
        'ground',
        'plan',
        'quality',
        'report',
        'review',
        'terminal',
      ].toSorted(),
    );
    for (const phase of phases.filter(({ key }) => key !== 'terminal')) {
      const finals = Object.values(phase.states)
        .filter(({ type }) => type === 'final')
        .map(({ key }) => key);
      const rows = rowsOf(phase).filter(({ eventType }) => eventType.startsWith('xstate.done.state'));
      const named = rows.map(exitOf).filter((exit) => exit !== undefined);
      for (const exit of named) expect(finals).toContain(exit);
      const takesRest = rows.some((row) => row.guard === undefined || exitOf(row) === undefined);
      if (!takesRest) expect([...new Set(named)].toSorted()).toEqual(finals.toSorted());
    }
  });

  it('puts the token before everything else in each list of rows that callers can reach', () => {
    for (const node of states)
      for (const [event, rows] of node.transitions) {
        if (event.startsWith('xstate.')) continue;
        expect(nameOf(rows[0]?.guard), `${node.id} on ${event}`).toBe('stale');
      }
  });

  it('writes the phase on entry of each state that waits for an artifact', () => {
    const waiting = states.filter((node) =>
      rowsOf(node).some(({ eventType }) => /^submit\.(?!Clarification|\*)/.test(eventType)),
    );
    expect(waiting.length).toBe(11);
    for (const node of waiting) expect(node.entry.map(nameOf), node.id).toContain('enter');
  });
});
