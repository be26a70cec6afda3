import { drawPath, edgeTargets, type Target } from '../../machines/graph/cover.ts';
import { type Pair, type RunGraph, without } from '../../machines/graph/runGraph.ts';
import type { Examination } from './examination.ts';
import { startOf } from './starts.ts';
import { walkPath } from './walk.ts';

/** How the edges of one mode and topology were covered. */
export interface PairCover {
  readonly pair: Pair;
  /** Named edges of the machine's graph. */
  readonly edges: number;
  readonly covered: number;
  /** Edges that no artifact takes, with the rule that stops it. */
  readonly closed: readonly Readonly<{ edge: string; rule: string }>[];
  readonly walks: number;
}

/** Ways that are tried over an edge before it counts as closed. */
const mostWays = 3;

const words = (pair: Pair): string => pair.join(' in ');

const coverTarget = async (
  examination: Examination,
  pair: Pair,
  { name, ways }: Target,
  covered: Set<string>,
): Promise<Readonly<{ walks: number; stoppedBy: string | null }>> => {
  let stoppedBy: string | null = null;
  let walks = 0;
  for (const way of ways) {
    walks += 1;
    const walked = await examination.watch('paths', words(pair), (bench) => walkPath(bench, startOf(pair), way.labels));
    if (!walked) return { walks, stoppedBy: null };
    for (const edge of way.edges.slice(0, walked.taken)) covered.add(edge);
    if (covered.has(name)) return { walks, stoppedBy: null };
    stoppedBy = walked.stoppedBy;
  }
  return { walks, stoppedBy };
};

/** Walks over every named edge of a graph: a state of the machine, a label, and the state that it leads to. */
export const coverEdges = async (examination: Examination, pair: Pair, graph: RunGraph): Promise<PairCover> => {
  const targets = edgeTargets(graph, mostWays);
  const covered = new Set<string>();
  const closed: { edge: string; rule: string }[] = [];
  let walks = 0;
  for (const target of targets) {
    if (covered.has(target.name)) continue;
    const done = await coverTarget(examination, pair, target, covered);
    walks += done.walks;
    if (done.stoppedBy !== null) closed.push({ edge: target.name, rule: done.stoppedBy });
  }
  return { pair, edges: targets.length, covered: covered.size, closed, walks };
};

export interface Sample {
  /** Paths that were walked to their end. */
  readonly whole: number;
  /** Paths that a rule ended before. */
  readonly stopped: number;
}

/** Walks paths drawn from the whole graph but for cancelling, which the cover tries in every state. */
export const samplePaths = async (
  examination: Examination,
  pair: Pair,
  graph: RunGraph,
  count: number,
  random: () => number,
): Promise<Sample> => {
  const calm = without(graph, 'CANCEL');
  let whole = 0;
  let stopped = 0;
  for (let drawn = 0; drawn < count; drawn += 1) {
    const path = drawPath(calm, random);
    const walked = await examination.watch('paths', words(pair), (bench) => walkPath(bench, startOf(pair), path));
    if (!walked) continue;
    if (walked.stoppedBy === null) whole += 1;
    else stopped += 1;
  }
  return { whole, stopped };
};
