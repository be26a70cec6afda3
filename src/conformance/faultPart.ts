import type { Path } from '../../machines/graph/cover.ts';
import type { Pair } from '../../machines/graph/runGraph.ts';
import { artifactUri, uriOf } from '../../machines/record.ts';
import type { Product } from '../sdk/author.ts';
import type { Bench } from './bench.ts';
import { type Call, currentToken } from './calls.ts';
import { DivergenceError } from './divergence.ts';
import type { Examination } from './examination.ts';
import type { Model } from './model.ts';
import { mutationsOf } from './mutations.ts';
import { judge } from './oracle.ts';
import { lackingEvidence, productFor, scenario } from './products.ts';
import type { RunUnderTest } from './runUnderTest.ts';
import { startOf } from './starts.ts';
import { captureAll, walkPath } from './walk.ts';

/** One place in a run where every body with one fault is tried. */
interface Stop {
  readonly pair: Pair;
  /** Labels that lead there. */
  readonly path: Path;
  /** The label whose artifact is spoiled, or a supporting type. */
  readonly label: string;
}

const straight = ['GROUND', 'ProblemFrame', 'TaskContract v1', 'PromptReview pass', 'WorkPlan'] as const;
const [, frame, contract, review, plan] = straight;
const result = 'WorkResult completed-last';
const looked: Pair = ['analyze_only', 'standard'];
const micro: Pair = ['fix_only', 'micro'];
const forensic: Pair = ['analyze_and_fix', 'forensic'];
const fixed: Pair = ['fix_only', 'forensic'];

const upTo = (label: string, path: Path): Path => path.slice(0, path.indexOf(label));
const judged: Path = [...straight, result];
const remediated: Path = [...judged, 'QualityReview remediate'];
const diagnosed: Path = [...judged, 'QualityReview proceed_to_fix'];

const stops: readonly Stop[] = [
  ...[frame, contract, 'ScenarioSpec', review, plan].flatMap((label) =>
    [looked, forensic].map((pair) => ({
      pair,
      path: upTo(label === 'ScenarioSpec' ? contract : label, straight),
      label,
    })),
  ),
  { pair: looked, path: straight, label: 'Evidence' },
  { pair: looked, path: straight, label: result },
  { pair: fixed, path: straight, label: result },
  { pair: looked, path: straight, label: 'ClarificationRequest first' },
  { pair: looked, path: [...upTo(review, straight), 'PromptReview revise'], label: 'TaskContract v2' },
  { pair: looked, path: upTo(review, straight), label: 'PromptReview revise' },
  { pair: looked, path: judged, label: 'QualityReview pass' },
  { pair: looked, path: judged, label: 'QualityReview remediate' },
  { pair: fixed, path: judged, label: 'QualityReview pass' },
  { pair: forensic, path: judged, label: 'QualityReview proceed_to_fix' },
  { pair: forensic, path: diagnosed, label: plan },
  { pair: forensic, path: [...diagnosed, plan, result], label: 'QualityReview pass' },
  { pair: looked, path: remediated, label: plan },
  { pair: looked, path: [...judged, 'QualityReview pass'], label: 'ReleaseAudit release' },
  { pair: looked, path: [...judged, 'QualityReview pass'], label: 'ReleaseAudit remediate' },
  { pair: looked, path: [...judged, 'QualityReview pass', 'ReleaseAudit release'], label: 'UserReport completed' },
  { pair: looked, path: [...judged, 'QualityReview partial', 'ReleaseAudit partial'], label: 'UserReport partial' },
  { pair: looked, path: [...upTo(review, straight), 'PromptReview block'], label: 'UserReport blocked' },
  { pair: micro, path: ['GROUND'], label: frame },
  { pair: micro, path: ['GROUND', frame], label: result },
  { pair: micro, path: ['GROUND', frame, result], label: 'QualityReview pass' },
  { pair: micro, path: ['GROUND', frame, result, 'QualityReview pass'], label: 'UserReport completed' },
];

/** References that are wrong at most places: each type's latest artifact, the envelope, one that is not there, another run's. */
const otherRefs = ({ record }: Model): readonly string[] => {
  const latest = new Map(record.entries().map((artifact) => [artifact.type, uriOf(artifact)]));
  return [...latest.values(), artifactUri(record.runId, 'nowhere'), artifactUri('another-run', 'frame-01')];
};

const legalProduct = (model: Model, label: string): Product | null => {
  if (label === 'Evidence') return lackingEvidence(model);
  if (label === 'ScenarioSpec') return scenario(model);
  return productFor(model, label, 2);
};

/** A run at the stop; null when a rule keeps it from there. */
const reach = async (bench: Bench, { pair, path, label }: Stop): Promise<RunUnderTest | null> => {
  const { run, stoppedBy } = await walkPath(bench, startOf(pair), path);
  if (stoppedBy !== null) return null;
  if (label.startsWith('WorkResult')) await captureAll(run);
  return run;
};

export interface FaultCount {
  /** Bodies that our machine refuses, each of which the server was sent. */
  readonly sent: number;
  /** Bodies with a change that our machine takes all the same; they are left to the sequences. */
  readonly harmless: number;
}

/** A call with one thing wrong, and what that is. */
type Fault = Readonly<{ words: string; call: Call }>;

const faultsAt = (run: RunUnderTest, label: string): readonly Fault[] => {
  const model = run.model();
  const product = legalProduct(model, label);
  if (!product) return [];
  const { type, body, sourceRefs = [] } = product;
  const refs = otherRefs(model);
  const head = { kind: 'submit', token: currentToken(model.snapshot.context), type, body } as const;
  const cited = [...new Set(sourceRefs)];
  return [
    ...mutationsOf(type, body, refs).map((mutation) => ({
      words: `${type}: ${mutation.words}`,
      call: { ...head, body: mutation.body, sourceRefs: cited },
    })),
    ...refs.map((ref) => ({
      words: `${type}: ${ref} cited too`,
      call: { ...head, sourceRefs: [...new Set([...cited, ref])] },
    })),
    ...cited.map((ref) => ({
      words: `${type}: ${ref} not cited`,
      call: { ...head, sourceRefs: cited.filter((one) => one !== ref) },
    })),
    {
      words: `${type}: a reference cited twice`,
      call: { ...head, sourceRefs: [...refs.slice(0, 1), ...refs.slice(0, 1)] },
    },
  ];
};

/** One fault on a run of its own, so that the steps of a divergence are only those that it needs. */
const alone = async (examination: Examination, stop: Stop, index: number): Promise<void> => {
  await examination.watch('faults', stop.pair.join(' in '), async (bench) => {
    const run = await reach(bench, stop);
    const fault = run ? faultsAt(run, stop.label)[index] : undefined;
    if (!run || !fault) return;
    run.note(`spoil ${fault.words}`);
    await run.perform(fault.call);
  });
};

/** The rule by which our machine refuses a call to a run as it stands; null when it takes the call. */
const refusedBy = (run: RunUnderTest, root: string, call: Call): string | null => {
  const model = run.model();
  const expected = judge(model, root, call, { at: model.snapshot.context.updatedAt, stored: [] });
  return expected.outcome === 'refused' ? (expected.findings[0]?.code ?? expected.code) : null;
};

interface Place {
  readonly run: RunUnderTest;
  readonly faults: readonly Fault[];
}

/**
 * Tries every call with one fault at a stop, on one run: what is refused leaves it as it was.
 *
 * @param known rules that the server was seen to break; one divergence of each is enough
 */
const tryFaults = async (examination: Examination, stop: Stop, known: Set<string>): Promise<FaultCount> => {
  const arrive = async (): Promise<Place | null> => {
    const run = await examination.watch('faults', stop.pair.join(' in '), (bench) => reach(bench, stop));
    return run && { run, faults: faultsAt(run, stop.label) };
  };
  let sent = 0;
  let harmless = 0;
  let place = await arrive();
  for (let index = 0; place && index < place.faults.length; index += 1) {
    const { run, faults }: Place = place;
    const fault = faults[index];
    const { world } = await examination.bench();
    const rule = fault ? refusedBy(run, world.root, fault.call) : null;
    if (!fault || rule === null) {
      harmless += 1;
      continue;
    }
    if (known.has(rule)) continue;
    sent += 1;
    try {
      await run.perform(fault.call);
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      known.add(rule);
      await alone(examination, stop, index);
      place = await arrive();
    }
  }
  return { sent, harmless };
};

/**
 * Sends every artifact with one fault at the places of the protocol where artifacts of each type are due.
 *
 * @param types the types to spoil; all when absent
 */
export const plantFaults = async (examination: Examination, types?: readonly string[]): Promise<FaultCount> => {
  const known = new Set<string>();
  let total: FaultCount = { sent: 0, harmless: 0 };
  for (const stop of stops) {
    if (types && !types.some((type) => stop.label.startsWith(type))) continue;
    const { sent, harmless } = await tryFaults(examination, stop, known);
    total = { sent: total.sent + sent, harmless: total.harmless + harmless };
  }
  return total;
};
