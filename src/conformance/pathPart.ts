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

/** What is known of the edges of one graph. */
interface Known {
  readonly covered: Set<string>;
  /** Edges on which server and machine part: nothing behind them can be judged on a way over them. */
  readonly broken: Set<string>;
}

const coverTarget = async (
  examination: Examination,
  pair: Pair,
  { name, ways }: Target,
  { covered, broken }: Known,
): Promise<Readonly<{ walks: number; stoppedBy: string | null }>> => {
  let stoppedBy: string | null = null;
  let walks = 0;
  for (const { labels, edges } of ways) {
    if (edges.some((edge) => broken.has(edge))) continue;
    walks += 1;
    let at = 0;
    const walked = await examination.watch('paths', words(pair), (bench) =>
      walkPath(bench, startOf(pair), labels, (index) => {
        at = index;
      }),
    );
    for (const edge of edges.slice(0, walked?.taken ?? at)) covered.add(edge);
    if (!walked) broken.add(edges[at] ?? name);
    if (!walked || covered.has(name)) return { walks, stoppedBy: null };
    stoppedBy = walked.stoppedBy;
  }
  return { walks, stoppedBy };
};

/** Walks over every named edge of a graph: a state of the machine, a label, and the state that it leads to. */
export const coverEdges = async (examination: Examination, pair: Pair, graph: RunGraph): Promise<PairCover> => {
  const targets = edgeTargets(graph, mostWays);
  const known: Known = { covered: new Set(), broken: new Set() };
  const closed: { edge: string; rule: string }[] = [];
  let walks = 0;
  for (const target of targets) {
    if (known.covered.has(target.name)) continue;
    const done = await coverTarget(examination, pair, target, known);
    walks += done.walks;
    if (done.stoppedBy !== null) closed.push({ edge: target.name, rule: done.stoppedBy });
  }
  return { pair, edges: targets.length, covered: known.covered.size, closed, walks };
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
