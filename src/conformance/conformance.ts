import { exploreRun, pairs } from '../../machines/graph/runGraph.ts';
import type { Divergence } from './divergence.ts';
import { createExamination, EnoughError, type Examination, type Subject } from './examination.ts';
import { type FaultCount, plantFaults } from './faultPart.ts';
import { coverEdges, type PairCover, type Sample, samplePaths } from './pathPart.ts';
import { randomFrom } from './random.ts';
import { type SequenceCount, trySequences } from './sequencePart.ts';

export const parts = ['paths', 'faults', 'sequences'] as const;
export type Part = (typeof parts)[number];

/** What to examine, and how much. */
export interface ConformanceOptions extends Subject {
  /** The same seed draws the same paths and sequences. */
  readonly seed: number;
  /** So many whole paths are drawn, and so many random sequences. */
  readonly runs: number;
  /** What is done; everything unless named. */
  readonly parts?: readonly Part[];
  /** The types of the artifacts that get a fault; all unless named. */
  readonly types?: readonly string[];
  /** Told what is being done. */
  readonly onProgress?: (words: string) => void;
  /** Breaks the examination off: its servers are ended and its folder is removed before it throws. */
  readonly signal?: AbortSignal;
}

/** What was found of a server. */
export interface ConformanceReport {
  readonly ok: boolean;
  readonly server: readonly string[];
  readonly strict: boolean;
  readonly seed: number;
  readonly runs: number;
  readonly counts: Readonly<{ calls: number; accepted: number; refused: number }>;
  readonly covers: readonly (PairCover & Sample)[];
  readonly faults: FaultCount;
  readonly sequences: SequenceCount;
  /** Every rule that refused something, sorted. */
  readonly rules: readonly string[];
  readonly divergences: readonly Divergence[];
  /** Set when so much was found that the rest was not tried. */
  readonly cut: boolean;
}

type Results = Pick<ConformanceReport, 'covers' | 'faults' | 'sequences'>;

const nothing: Results = {
  covers: [],
  faults: { sent: 0, harmless: 0 },
  sequences: { sequences: 0, commands: 0 },
};

/** So many paths for each pair that the shares add up. */
const share = (runs: number, index: number): number =>
  Math.floor(((index + 1) * runs) / pairs.length) - Math.floor((index * runs) / pairs.length);

const examine = async (
  examination: Examination,
  { seed, runs, parts: wanted = parts, types, onProgress = () => {} }: ConformanceOptions,
  keep: (results: Partial<Results>) => void,
): Promise<void> => {
  const covers: (PairCover & Sample)[] = [];
  for (const [index, pair] of wanted.includes('paths') ? pairs.entries() : []) {
    onProgress(`paths of ${pair.join(' in ')}`);
    const graph = exploreRun(pair);
    const cover = await coverEdges(examination, pair, graph);
    const sample = await samplePaths(examination, pair, graph, share(runs, index), randomFrom(seed + index));
    covers.push({ ...cover, ...sample });
    keep({ covers });
  }
  if (wanted.includes('faults')) {
    onProgress('artifacts with one fault');
    keep({ faults: await plantFaults(examination, types) });
  }
  if (wanted.includes('sequences')) {
    onProgress('random sequences');
    keep({ sequences: await trySequences(examination, runs, seed) });
  }
};

/** Never resolves. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/**
 * Examines a Telic server over STDIO with our machine as the oracle: walks over every edge of the machine's graph for
 * each mode and topology with real artifacts, whole paths, every artifact with one fault, and random sequences. Each
 * server gets a repository and a state of its own; nothing of it is left afterwards.
 *
 * @throws Error when the server cannot be started or does not speak the protocol at all, and the reason of `signal` once
 *   that is aborted
 */
export const runConformance = async (options: ConformanceOptions): Promise<ConformanceReport> => {
  const { command, strict, seed, runs, signal } = options;
  const examination = createExamination(options);
  let results = nothing;
  let cut = false;
  const whole = async (): Promise<void> => {
    const { world } = await examination.bench();
    await world.call(0, 'telic_list_runs', { limit: 1 });
    await examine(examination, options, (more) => {
      results = { ...results, ...more };
    });
  };
  try {
    // What is left under way fails with its next call, for nobody.
    await Promise.race([whole(), ...(signal ? [aborted(signal)] : [])]);
  } catch (error) {
    if (!(error instanceof EnoughError)) throw error;
    cut = true;
  } finally {
    await examination.close();
  }
  const { calls, accepted, refused, rules } = examination.tally;
  const divergences = examination.divergences();
  return {
    ok: divergences.length === 0,
    server: command,
    strict,
    seed,
    runs,
    counts: { calls, accepted, refused },
    ...results,
    rules: [...rules].toSorted(),
    divergences,
    cut,
  };
};
