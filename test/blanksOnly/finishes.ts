import { expect, it } from 'vitest';
import { type Pair, pairs } from '../../machines/graph/runGraph.ts';
import { startOf } from '../everyRun/starts.ts';
import { newWorld } from '../everyRun/world.ts';
import { type Ended, host, openSession, type Seen, type Wishes } from './host.ts';

const startArguments = (pair: Pair): Readonly<Record<string, unknown>> => {
  const { originalRequest, mode, hostCapabilities, topologyOverride } = startOf(pair);
  return {
    original_request: originalRequest,
    mode,
    ...(hostCapabilities && { host_capabilities: hostCapabilities }),
    ...(topologyOverride && { topology_override: topologyOverride }),
  };
};

const refusals = (seen: readonly Seen[]): readonly string[] => seen.filter(({ ok }) => !ok).map(({ text }) => text);

/** Answers that are longer than the host shows. */
const tooLong = (seen: readonly Seen[], budget: number): readonly string[] =>
  seen
    .filter(({ characters }) => characters > budget)
    .map(({ tool, arguments: { run_id: _, body: __, ...args }, characters }) =>
      [tool, JSON.stringify(args).slice(0, 200), characters].join(' '),
    );

/** One run at one budget: nothing is refused, and no answer is cut by the host. */
const play = async (pair: Pair, budget: number, wishes: Wishes = {}): Promise<Ended> => {
  const session = await openSession(newWorld(), budget);
  const ended = await host(session, startArguments(pair), wishes);
  expect(refusals(session.seen)).toEqual([]);
  expect(tooLong(session.seen, budget)).toEqual([]);
  return ended;
};

/** A fix that may write nothing changes nothing, so that it cannot pass. */
const endOf = ([mode, topology]: Pair): string =>
  mode === 'fix_only' && topology === 'standard' ? 'partial' : 'completed';

/** These modes and topologies, each in one straight run at each budget. */
export const finishesStraight = (budgets: readonly number[], of: readonly Pair[]): void => {
  for (const budget of budgets)
    it.each(of)(`completes a run of %s %s, ${budget} characters an answer, without one refusal`, async (...pair) => {
      const { status, report } = await play(pair, budget);
      expect(status).toBe(endOf(pair));
      expect(report).toMatchObject({ ok: true });
    });
};

/** Every mode and topology, and the longer ways through, at these budgets. */
export const finishes = (budgets: readonly number[]): void => {
  finishesStraight(budgets, pairs);

  const longer: readonly (readonly [string, Pair, Wishes, readonly string[]])[] = [
    [
      'asks a question',
      ['plan_only', 'standard'],
      { ask: 'ClarificationRequest' },
      ['user_owned_materially_divergent', 'pass'],
    ],
    ['has the contract revised', ['analyze_only', 'forensic'], { variants: ['revise'] }, ['revise', 'pass']],
    [
      'has the work remediated',
      ['analyze_only', 'standard'],
      { variants: ['remediate'] },
      ['pass', 'completed', 'remediate', 'completed', 'pass'],
    ],
    [
      'has everything done twice and asks',
      ['analyze_and_fix', 'forensic'],
      { ask: 'ClarificationRequest', variants: ['revise', 'proceed_to_fix', 'remediate'] },
      ['revise', 'pass', 'completed', 'proceed_to_fix', 'completed', 'remediate', 'completed', 'pass'],
    ],
    [
      'is content with less',
      ['fix_only', 'forensic'],
      { variants: ['partial', 'partial', 'partial', 'partial'] },
      ['partial'],
    ],
  ];

  for (const budget of budgets)
    it.each(longer)(`%s, ${budget} characters an answer, without one refusal`, async (_, pair, wishes, steps) => {
      const { status, taken } = await play(pair, budget, wishes);
      expect(status, taken.join(', ')).toBe(wishes.variants?.includes('partial') ? 'partial' : 'completed');
      const rest = [...steps];
      for (const name of taken) if (name === rest[0]) rest.shift();
      expect(rest, taken.join(', ')).toEqual([]);
    });
};
