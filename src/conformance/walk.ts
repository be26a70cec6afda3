import type { Path } from '../../machines/graph/cover.ts';
import type { StartRequest } from '../sdk/followRun.ts';
import type { Bench } from './bench.ts';
import { type Call, currentToken, submission } from './calls.ts';
import { isEnded, type Model } from './model.ts';
import { lackingEvidence, productFor } from './products.ts';
import type { RunUnderTest } from './runUnderTest.ts';
import { startUnderTest } from './start.ts';

/** Walks a path of the machine's graph on the server: for each label a real artifact, judged like every call. */

const choiceFor = ({ snapshot: { context } }: Model, effect: string): string =>
  context.choices.find((choice) => choice.effect === effect)?.id ?? effect;

/** How many nodes a plan needs for the results that follow it. */
const nodesFor = (rest: Path): number => {
  const end = rest.indexOf('WorkPlan');
  const own = end < 0 ? rest : rest.slice(0, end);
  return 1 + own.filter((label) => label === 'WorkResult completed-more').length;
};

/** The call that a label stands for. */
export const callFor = (model: Model, label: string, nodes: number): Call => {
  const token = currentToken(model.snapshot.context);
  const [first, word = ''] = label.split(' ');
  if (label === 'CANCEL') return { kind: 'cancel', token };
  if (label === 'GROUND') return { kind: 'ground', token };
  if (first === 'ANSWER') return { kind: 'answer', token, choice: choiceFor(model, word) };
  return submission(token, productFor(model, label, nodes));
};

/** Captures what the pending node lacks. */
export const captureAll = async (run: RunUnderTest): Promise<void> => {
  for (let product = lackingEvidence(run.model()); product; product = lackingEvidence(run.model())) {
    const done = await run.perform(submission(currentToken(run.model().snapshot.context), product));
    if (done.outcome !== 'accepted') return;
  }
};

/** How far a path went. */
export interface Walked {
  readonly run: RunUnderTest;
  /** Labels that were taken; all of them unless a rule stopped the walk. */
  readonly taken: number;
  /** The rule that no artifact gets past on this path. */
  readonly stoppedBy: string | null;
}

/**
 * @param onLabel told the position of each label before it is tried
 * @throws DivergenceError where server and machine part
 */
export const walkPath = async (
  bench: Bench,
  start: StartRequest,
  path: Path,
  onLabel: (index: number) => void = () => {},
): Promise<Walked> => {
  const run = await startUnderTest(bench, start);
  if (!run) throw new Error(`A run of mode ${start.mode} cannot be started.`);
  for (const [index, label] of path.entries()) {
    onLabel(index);
    if (label.startsWith('WorkResult')) await captureAll(run);
    const done = await run.perform(callFor(run.model(), label, nodesFor(path.slice(index + 1))));
    if (done.outcome === 'refused') return { run, taken: index, stoppedBy: done.findings[0]?.code ?? done.code };
  }
  if (isEnded(run.model())) await run.read();
  return { run, taken: path.length, stoppedBy: null };
};
