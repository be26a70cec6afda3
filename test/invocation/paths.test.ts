import { expect, it } from 'vitest';
import { isFinal } from '../../machines/invocation/index.ts';
import { inputs } from './events.ts';
import { type Edge, edgesFrom, explore, type Graph, nodeAt } from './graph.ts';
import { type Bounds, effectsIn, type Frame, isRestart, pathsOf, repeatsAsk } from './walk.ts';

const explored = inputs.map((input) => ({ input, graph: explore(input) }));
const bounds: Bounds = { restarts: 2, repeatedAsks: 1 };
const walked = explored.flatMap(({ input, graph }) => pathsOf(input, graph, bounds).map((path) => ({ input, path })));

/** What a path did, for the message of a failure. */
const told = (path: readonly Frame[]): string => path.map(({ label, after }) => `${label}: ${after.state}`).join(' > ');

const lastOf = (path: readonly Frame[]): Frame => {
  const last = path.at(-1);
  if (!last) throw new Error('A path has at least its admission.');
  return last;
};

const allEdges = ({ edges }: Graph): readonly Edge[] => [...edges.values()].flat();

it('W-30 every path ends in a final state, or waits expired for a repeated call that may ask again', () => {
  const open = walked.filter(({ path }) => !isFinal(lastOf(path).after.state));
  for (const { path } of open) {
    expect(lastOf(path).after.state, told(path)).toBe('expired');
    expect(effectsIn(path, 'openAsk').length, told(path)).toBe(1 + bounds.repeatedAsks);
    expect(effectsIn(path, 'runApp'), told(path)).toEqual([]);
  }
  const ends = new Set(walked.map(({ path }) => lastOf(path).after.state));
  expect([...ends].toSorted()).toEqual(['cancelled', 'expired', 'failed', 'refused', 'succeeded']);
});

it('W-30 every path without secret and repeated ask is one of the 464 that the table has', () => {
  const plain = explored.filter(({ input }) => !input.secret);
  const count = plain.flatMap(({ input, graph }) => pathsOf(input, graph, { restarts: 2, repeatedAsks: 0 })).length;
  expect(count).toBe(464);
});

it('W-30 every state that is not final can still reach a final one', () => {
  for (const { graph } of explored) {
    const reaching = new Set([...graph.nodes].flatMap(([key, { state }]) => (isFinal(state) ? [key] : [])));
    for (let size = 0; size !== reaching.size; ) {
      size = reaching.size;
      for (const { from, to } of allEdges(graph)) if (reaching.has(to)) reaching.add(from);
    }
    expect(reaching.size).toBe(graph.nodes.size);
  }
});

it('W-30 every path is short unless the host restarts or an expired ask is repeated', () => {
  for (const { graph } of explored) {
    const open = new Set<string>();
    const longest = (key: string): number => {
      if (open.has(key)) throw new Error(`The graph has a cycle through ${key}.`);
      open.add(key);
      const onward = edgesFrom(graph, key).filter((edge) => !isRestart(edge) && !repeatsAsk(graph, edge));
      const length = Math.max(0, ...onward.map(({ to }) => 1 + longest(to)));
      open.delete(key);
      return length;
    };
    expect(longest(graph.start)).toBeLessThanOrEqual(5);
  }
});

it('W-30 nothing leads out of a final state, and only the same granted call out of an expired one', () => {
  for (const { graph } of explored)
    for (const edge of allEdges(graph)) {
      const { state } = nodeAt(graph, edge.from);
      expect(isFinal(state)).toBe(false);
      if (state === 'expired') expect(edge.label).toBe('CALL caller same');
    }
});

it('W-30 no path commits twice, and only what succeeded commits', () => {
  for (const { path } of walked) {
    const succeeded = lastOf(path).after.state === 'succeeded';
    expect(effectsIn(path, 'commit').length, told(path)).toBe(succeeded ? 1 : 0);
  }
});

it('W-30 no outside effect without a key starts twice, nor any run that needs a secret the host does not have', () => {
  for (const { input, path } of walked) {
    const starts = effectsIn(path, 'runApp');
    const mayRepeat = !input.secret && (input.kind !== 'outside' || input.replayKey);
    if (!mayRepeat) expect(starts.length, told(path)).toBeLessThanOrEqual(1);
    // Where it may, only a restart starts it again.
    const again = path.filter((frame) => isRestart(frame) && frame.after.state === 'running');
    expect(
      starts.map((start) => start.params.again),
      told(path),
    ).toEqual([...(starts.length > 0 ? [false] : []), ...again.map(() => true)]);
  }
  const repeated = walked.filter(({ path }) => effectsIn(path, 'runApp').length === 3);
  expect(new Set(repeated.map(({ input }) => input.kind))).toEqual(new Set(['read', 'undoable', 'outside']));
});

it('W-30 none runs before the person allowed it, unless its kind was allowed before', () => {
  for (const { input, path } of walked) {
    const starts = path.findIndex(({ effects }) => effects.some(({ type }) => type === 'runApp'));
    const asked = input.kind === 'outside' && !input.preAllowed;
    if (!asked) {
      expect(starts, told(path)).toBe(0);
      expect(effectsIn(path, 'openAsk'), told(path)).toEqual([]);
    } else if (starts !== -1) {
      const [decision, call] = path.slice(starts - 1, starts + 1);
      expect(decision?.label, told(path)).toMatch(/^ALLOW(_EDITED)? person fresh/);
      expect(decision?.before?.state, told(path)).toBe('asking');
      expect(call?.label, told(path)).toBe('CALL caller same');
    }
  }
});

it('W-30 only fresh events of the person channel lead from asking to allowed', () => {
  const labels = explored.flatMap(({ graph }) =>
    allEdges(graph)
      .filter(({ from, to }) => nodeAt(graph, from).state === 'asking' && nodeAt(graph, to).state === 'allowed')
      .map(({ label }) => label),
  );
  expect([...new Set(labels)].toSorted()).toEqual(['ALLOW person fresh', 'ALLOW_EDITED person fresh valid']);
  const into = explored.flatMap(({ graph }) =>
    allEdges(graph)
      .filter(({ to }) => nodeAt(graph, to).state === 'allowed')
      .map(({ from }) => nodeAt(graph, from).state),
  );
  expect([...new Set(into)]).toEqual(['asking']);
});

it('W-30 what is not granted is never stored: checking leads straight to failed, with nothing to do', () => {
  for (const { graph } of explored) {
    const denied = edgesFrom(graph, graph.start).filter(({ label }) => label !== 'ADMIT granted');
    expect(denied.map(({ label, to }) => [label, nodeAt(graph, to).state])).toEqual([['ADMIT ungranted', 'failed']]);
  }
});

it('raises the version by one with each stored transition, and keeps a deadline exactly while something waits', () => {
  for (const { path } of walked) {
    expect(path.map(({ after }) => after.context.version)).toEqual(path.map((_, index) => index + 1));
    for (const { after, effects } of path) {
      const waits = after.state === 'asking' || after.state === 'allowed';
      expect(after.context.deadlineMs !== null).toBe(waits);
      const set = effects.flatMap((effect) => (effect.type === 'startDeadline' ? [effect.params.deadlineMs] : []));
      expect(set).toEqual(waits ? [after.context.deadlineMs] : []);
    }
  }
});

it('opens and closes an ask in turn, and wakes who waits whenever a live host decides something', () => {
  for (const { path } of walked) {
    const asks = path.flatMap(({ effects }) =>
      effects.flatMap(({ type }) => (type === 'openAsk' || type === 'closeAsk' ? [type] : [])),
    );
    expect(asks).toEqual(asks.map((_, index) => (index % 2 === 0 ? 'openAsk' : 'closeAsk')));
    expect(asks.length % 2).toBe(0);
    for (const frame of path.slice(1)) {
      const { state } = frame.after;
      const decided = state === 'allowed' || state === 'expired' || isFinal(state);
      const woken = frame.effects.some(({ type }) => type === 'wakeWaiters');
      expect(woken, told(path)).toBe(decided && !isRestart(frame));
    }
  }
});
