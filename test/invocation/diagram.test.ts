import { expect, it } from 'vitest';
import { mermaidOf } from '../../machines/diagrams/mermaid.ts';
import { allStates, outlineOf } from '../../machines/diagrams/outline.ts';
import { pictureOf } from '../../machines/diagrams/picture.ts';
import { channels } from '../../machines/invocation/events.ts';
import { invocationMachine } from '../../machines/invocation/index.ts';

const outline = outlineOf(invocationMachine);

it('can be drawn: every guard and action has a name, and every row leads to a state that is there', () => {
  const states = allStates(outline);
  const ids = new Set(states.map(({ id }) => id));
  expect(states.flatMap(({ rows }) => rows.flatMap(({ targets }) => targets)).filter((id) => !ids.has(id))).toEqual([]);
  const text = mermaidOf(pictureOf(outline, 'The invocation machine'), 'LR');
  for (const { key, type } of states.slice(1)) expect(text, type).toContain(key);
});

it('answers each event in each state: the root and the ends have a last row for every kind', () => {
  const [ended] = outline.states.filter(({ key }) => key === 'ended');
  for (const state of [outline, ended]) {
    const last = (state?.rows ?? []).filter(({ guard }) => guard === null);
    expect(last.map(({ event }) => event).toSorted()).toEqual(Object.keys(channels).toSorted());
  }
});

it('begins every transition list with who sent it, what they saw and whether it is the same call', () => {
  for (const { id, rows } of allStates(outline))
    for (const event of new Set(rows.map((row) => row.event))) {
      const first = rows.filter((row) => row.event === event).slice(0, 3);
      expect(
        first.map(({ guard, targets }) => [guard?.name, targets]),
        `${id} ${event}`,
      ).toEqual([
        ['wrong_channel', []],
        ['stale', []],
        ['mismatch', []],
      ]);
    }
});
