import fc from 'fast-check';
import { pairs } from '../../machines/graph/runGraph.ts';
import { actionCapabilities, intentModes, topologies } from '../../schemas/vocabulary.ts';
import type { StartRequest } from '../sdk/followRun.ts';
import type { Bench } from './bench.ts';
import type { Call } from './calls.ts';
import { DivergenceError } from './divergence.ts';
import { EnoughError, type Examination } from './examination.ts';
import { isEnded, type Model } from './model.ts';
import { type MoveName, moves, type Numbers } from './moves.ts';
import type { RunUnderTest } from './runUnderTest.ts';
import { startUnderTest } from './start.ts';
import { startOf } from './starts.ts';
import type { Client } from './world.ts';

/**
 * Random sequences with fast-check's model-based commands: whatever is done to a server, in whatever order, it answers as
 * our machine does. A sequence that shows otherwise is shrunk to the commands that it needs.
 */

/** What the commands decide by: whether a run is open. The run itself has its own model. */
interface Sight {
  open: boolean;
}

/** The server, and the runs that the sequence made on it. */
interface Real {
  readonly bench: Bench;
  run: RunUnderTest | null;
  earlier: Model | null;
  /** How many commands did something. */
  done: number;
}

type Command = fc.AsyncCommand<Sight, Real>;

const begin = (start: StartRequest, linked: boolean): Command => ({
  check: ({ open }) => !open,
  run: async (sight, real) => {
    const prior = linked ? real.earlier : null;
    const priorRunId = prior?.snapshot.context.runId;
    real.run = await startUnderTest(real.bench, { ...start, ...(priorRunId !== undefined && { priorRunId }) }, prior);
    sight.open = real.run !== null;
    real.done += 1;
  },
  toString: () => `start ${start.mode}`,
});

/** Commands on the open run. When it has ended, the next start may link it; until then what is sent must be refused. */
const onRun = (words: string, act: (run: RunUnderTest, real: Real) => Promise<void>): Command => ({
  check: ({ open }) => open,
  run: async (sight, real) => {
    const { run } = real;
    if (!run) return;
    await act(run, real);
    real.done += 1;
    if (!isEnded(run.model())) return;
    real.earlier = run.model();
    sight.open = false;
  },
  toString: () => words,
});

const move = (name: MoveName, numbers: Numbers, client: Client): Command =>
  onRun(`${name}(${numbers.join(', ')})${client === 1 ? ' by the second client' : ''}`, async (run) => {
    const call = moves[name](run.model(), run.accepted(), numbers);
    if (call) await run.perform(call, client);
  });

/** What an ended run must refuse, or take without effect. */
const afterEnd = (name: MoveName, numbers: Numbers): Command => ({
  check: ({ open }) => !open,
  run: async (_, real) => {
    const { run } = real;
    if (!run || !isEnded(run.model())) return;
    const call = moves[name](run.model(), run.accepted(), numbers);
    if (call) await run.perform(call);
    real.done += 1;
  },
  toString: () => `${name}(${numbers.join(', ')}) after the end`,
});

/** Takes the token that it was sent with, so that of two such calls one must lose. */
const isVersioned = (call: Call): boolean =>
  call.kind === 'answer' ||
  call.kind === 'cancel' ||
  (call.kind === 'submit' && call.type !== 'Evidence' && call.type !== 'ScenarioSpec');

const race = (numbers: Numbers): Command =>
  onRun('race', async (run) => {
    const legal = moves.onward(run.model(), [], numbers);
    const other = moves[numbers[1] % 2 === 0 ? 'cancel' : 'any'](run.model(), [], numbers);
    if (legal && other && isVersioned(legal) && isVersioned(other)) await run.race(legal, other);
  });

/** Other numbers pick other calls, not smaller ones: only what is left out makes a sequence smaller. */
const numbers: fc.Arbitrary<Numbers> = fc.noShrink(fc.tuple(fc.nat(9999), fc.nat(9999)));
const client: fc.Arbitrary<Client> = fc.noShrink(fc.constantFrom<Client[]>(0, 0, 0, 1));

const moving = (...names: readonly MoveName[]): readonly fc.Arbitrary<Command>[] =>
  names.map((name) => fc.tuple(numbers, client).map(([drawn, by]) => move(name, drawn, by)));

const some = fc.subarray([...actionCapabilities]);
const oddStart: fc.Arbitrary<StartRequest> = fc.record(
  {
    originalRequest: fc.constantFrom(
      'Say hello.',
      'Refactor src/parser.ts.',
      'Add a line to README.md.',
      'x '.repeat(400),
    ),
    mode: fc.constantFrom(...intentModes),
    nativeSubagents: fc.constantFrom('available' as const, 'unavailable' as const, 'unknown' as const),
    hostCapabilities: some,
    authorizationGranted: some,
    authorizationDenied: fc.subarray([...actionCapabilities], { maxLength: 2 }),
    shellExecuteAllowlist: fc.constantFrom([], ['npm test'], ['npm test && rm x']),
    networkReadDomains: fc.constantFrom([], ['example.org']),
    topologyOverride: fc.constantFrom(...topologies),
  },
  { requiredKeys: ['originalRequest', 'mode'] },
);

const onwardWeight = 10;

const evenStart: fc.Arbitrary<StartRequest> = fc.noShrink(fc.constantFrom(...pairs).map(startOf));

const commandArbitraries: fc.Arbitrary<Command>[] = [
  ...Array.from({ length: 3 }, () => fc.tuple(evenStart, fc.boolean()).map(([start, linked]) => begin(start, linked))),
  fc.tuple(oddStart, fc.boolean()).map(([start, linked]) => begin(start, linked)),
  ...Array.from({ length: onwardWeight }, () => moving('onward')).flat(),
  ...moving('any', 'mutated', 'mutated', 'wrongType', 'stale', 'foreign', 'repeat', 'again', 'duplicateId'),
  ...moving('support', 'check', 'answer', 'ground', 'asText'),
  fc.tuple(numbers, fc.nat(7)).map(([drawn, rare]) => move(rare === 0 ? 'cancel' : 'onward', drawn, 0)),
  fc
    .tuple(numbers, fc.constantFrom<MoveName[]>('again', 'repeat', 'wrongType', 'check', 'answer', 'ground', 'cancel'))
    .map(([drawn, name]) => afterEnd(name, drawn)),
  client.map((by) =>
    onRun('restart', async (run, { bench }) => {
      run.note(by === 0 ? 'restart the server' : 'restart the second client');
      await bench.world.restart(by);
    }),
  ),
  client.map((by) => onRun('read everything', (run) => run.read(by))),
  numbers.map(race),
];

export interface SequenceCount {
  readonly sequences: number;
  /** Commands that did something, those of the shrinking included. */
  readonly commands: number;
}

/** Sequences that one search takes; a search ends with its first divergence. */
const batch = 25;
const mostCommands = 60;

/**
 * @param count how many sequences
 * @param seed the same seed draws the same sequences
 */
export const trySequences = async (examination: Examination, count: number, seed: number): Promise<SequenceCount> => {
  let commands = 0;
  let sequences = 0;
  const first = fc.oneof({ arbitrary: evenStart, weight: 5 }, { arbitrary: oddStart, weight: 1 });
  const drawing = fc.commands(commandArbitraries, { maxCommands: mostCommands, size: 'max' });
  const property = fc.asyncProperty(first, drawing, async (start, drawn) => {
    const real: Real = { bench: await examination.bench(), run: null, earlier: null, done: 0 };
    sequences += 1;
    try {
      real.run = await startUnderTest(real.bench, start);
      await fc.asyncModelRun(() => ({ model: { open: real.run !== null }, real }), drawn);
      await real.run?.read();
    } catch (error) {
      if (error instanceof DivergenceError) await examination.renew();
      throw error;
    } finally {
      commands += real.done;
    }
  });
  for (let from = 0; from < count; from += batch) {
    const details = await fc.check(property, { seed: seed + from, numRuns: Math.min(batch, count - from) });
    const error: unknown = details.errorInstance;
    if (error instanceof DivergenceError) await examination.report('sequences', 'a random sequence', error);
    else if (error instanceof EnoughError || details.failed) throw error;
  }
  return { sequences, commands };
};
