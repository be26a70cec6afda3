import { z } from 'zod';
import type { AnyArtifact } from '../../machines/record.ts';
import { phaseTable } from '../../schemas/vocabulary.ts';
import { artifactIn, Moved, RunPage } from '../sdk/answers.ts';
import type { Answer } from '../sdk/connectStdio.ts';
import { asking } from './asking.ts';
import type { Bench } from './bench.ts';
import { type Call, type ToolCall, toolCallOf, wordsOf } from './calls.ts';
import {
  answerDifferences,
  type Difference,
  digestDifferences,
  pageDifferences,
  ruleBehind,
  stateDifferences,
} from './compare.ts';
import { DivergenceError } from './divergence.ts';
import { advance, type Model } from './model.ts';
import { type Expected, judge } from './oracle.ts';
import {
  Replay,
  RunList,
  replayDifferences,
  rowDifferences,
  TraceAnswer,
  type TraceLine,
  traceDifferences,
} from './readings.ts';
import type { Client } from './world.ts';

/** One run on the server and its model, moved together. */
export interface RunUnderTest {
  readonly runId: string;
  model(): Model;
  /**
   * Makes a call, judges it and compares everything that can be seen.
   * @throws DivergenceError where server and machine part
   */
  perform(call: Call, client?: Client): Promise<Expected>;
  /** Two calls at once, one over each client: the server may take them in either order, but must lose none. */
  race(first: Call, second: Call): Promise<void>;
  /** Reads run, list, actions and trace over a client and compares them with the model. */
  read(client?: Client): Promise<void>;
  /** What the server took so far, oldest first. */
  accepted(): readonly Call[];
  /** Adds words to the steps that a divergence shows. */
  note(words: string): void;
}

const Page = z.looseObject({ run: z.unknown(), nextAction: z.unknown() }).and(RunPage);

/** The largest page of artifacts that `telic_get_run` gives. */
const pageLimit = 500;

/**
 * @param model the run as it was started
 * @param started the call that started it, for the steps of a divergence
 */
export const runUnderTest = (
  bench: Bench,
  model: Model,
  started: Readonly<{ words: string; call: ToolCall }>,
): RunUnderTest => {
  const { world, tally, strict } = bench;
  const { runId } = model.snapshot.context;
  const steps: string[] = [started.words];
  const calls: ToolCall[] = [started.call];
  const taken: Call[] = [];
  let current = model;

  const diverge = (differences: readonly Difference[], rule: string | null = null): never => {
    throw new DivergenceError({
      phase: phaseTable[current.snapshot.context.phase].wire,
      rule,
      differences,
      steps: [...steps],
      calls: [...calls],
    });
  };
  const must = (differences: readonly Difference[], rule: string | null = null): void => {
    if (differences.length > 0) diverge(differences, rule);
  };

  const { send, parse } = asking(bench, diverge);

  /** The run as it now is, and the artifacts that came since the model's last. */
  const look = async (client: Client): Promise<Readonly<{ page: Answer; stored: readonly AnyArtifact[] }>> => {
    const after = current.record.size;
    const page = await send(client, 'telic_get_run', { run_id: runId, after_index: after, limit: pageLimit });
    const { artifacts } = parse('telic_get_run', () => Page.parse(page));
    const stored: AnyArtifact[] = [];
    for (const { id } of artifacts) {
      const answer = await send(client, 'telic_get_artifact', { run_id: runId, artifact_id: id });
      stored.push(parse(`artifact ${id}`, () => artifactIn(answer)));
    }
    return { page, stored };
  };

  const timeOf = (page: Answer, stored: readonly AnyArtifact[]): string => {
    const { run } = parse('telic_get_run', () => Moved.parse(page));
    const { version, updatedAt } = current.snapshot.context;
    return run.version === version ? (stored[0]?.createdAt ?? updatedAt) : run.updatedAt;
  };

  const after = (expected: Expected, stored: readonly AnyArtifact[]): Model => {
    if (expected.outcome === 'ended') return current;
    if (expected.outcome === 'refused') return advance(current, current.snapshot, [], expected.trace, null);
    return advance(current, expected.next, stored, expected.effect.trace, expected.event);
  };

  const perform = async (call: Call, client: Client = 0): Promise<Expected> => {
    const toolCall = toolCallOf(runId, call);
    steps.push(`${wordsOf(call)}${client === 1 ? ' (second client)' : ''}`);
    calls.push(toolCall);
    const answer = await send(client, toolCall.tool, toolCall.args);
    const { page, stored } = await look(client);
    const expected = judge(current, world.root, call, { at: timeOf(page, stored), stored });
    const rule = ruleBehind(expected, answer);
    must(digestDifferences(stored));
    must(answerDifferences(current, expected, answer, stored, bench), rule);
    const next = after(expected, stored);
    must(stateDifferences(next, page), rule);
    if (answer.run !== undefined) must(stateDifferences(next, answer, strict), rule);
    current = next;
    if (expected.outcome === 'refused') {
      tally.refused += 1;
      for (const { code } of expected.findings) tally.rules.add(code);
      steps[steps.length - 1] += ` (refused: ${expected.findings[0]?.code ?? expected.code})`;
    } else {
      tally.accepted += 1;
      taken.push(call);
    }
    return expected;
  };

  const readTrace = async (client: Client): Promise<readonly TraceLine[]> => {
    const lines: TraceLine[] = [];
    for (;;) {
      const args = { run_id: runId, after_sequence: lines.at(-1)?.sequence ?? 0, limit: pageLimit };
      const answer = await send(client, 'telic_get_trace', args);
      const { events, hasMore } = parse('telic_get_trace', () => TraceAnswer.parse(answer));
      lines.push(...events);
      if (!hasMore || events.length === 0) return lines;
    }
  };

  const read = async (client: Client = 0): Promise<void> => {
    const page = await send(client, 'telic_get_run', { run_id: runId, limit: pageLimit });
    const { artifacts } = parse('telic_get_run', () => Page.parse(page));
    must([...stateDifferences(current, page), ...pageDifferences(current, artifacts)]);
    const action = await send(client, 'telic_get_next_action', { run_id: runId });
    must(stateDifferences(current, { run: page.run, nextAction: action.nextAction }));
    must(traceDifferences(current, await readTrace(client), strict));
    const list = await send(client, 'telic_list_runs', { limit: 100 });
    must(
      rowDifferences(
        current,
        parse('telic_list_runs', () => RunList.parse(list)),
      ),
    );
    const replay = await send(client, 'telic_replay_run', { run_id: runId });
    must(
      replayDifferences(
        current,
        parse('telic_replay_run', () => Replay.parse(replay)),
      ),
    );
  };

  /** The loser of a race is judged on what the winner left. */
  const race = async (first: Call, second: Call): Promise<void> => {
    const sent = [first, second].map((call) => toolCallOf(runId, call));
    steps.push(`at once: ${wordsOf(first)}, and by a second client ${wordsOf(second)}`);
    calls.push(...sent);
    const answers = await Promise.all(sent.map(({ tool, args }, client) => send(client === 0 ? 0 : 1, tool, args)));
    const { page, stored } = await look(0);
    const [one = {}, two = {}] = answers;
    const order =
      one.ok === true || two.ok !== true
        ? ([
            [first, one],
            [second, two],
          ] as const)
        : ([
            [second, two],
            [first, one],
          ] as const);
    let rest = stored;
    for (const [call, answer] of order) {
      const expected = judge(current, world.root, call, { at: timeOf(page, rest), stored: rest });
      const rule = ruleBehind(expected, answer);
      const own = expected.outcome === 'accepted' ? rest : [];
      must(answerDifferences(current, expected, answer, own, bench), rule);
      current = after(expected, own);
      if (expected.outcome === 'accepted') rest = [];
    }
    must(stateDifferences(current, page));
    tally.accepted += 1;
    tally.refused += 1;
  };

  return {
    runId,
    model: () => current,
    perform,
    race,
    read,
    accepted: () => [...taken],
    note: (words) => {
      steps.push(words);
    },
  };
};
