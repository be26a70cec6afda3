import { type Bench, newTally, type Tally } from './bench.ts';
import { type Divergence, DivergenceError } from './divergence.ts';
import { createWorld, type World } from './world.ts';

/** The server that is examined. */
export interface Subject {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the command is started. */
  readonly cwd: string;
  /** Whether refusals are compared by code and rule, and artifacts to the letter. */
  readonly strict: boolean;
}

/** Beyond this many divergences a report helps nobody. */
const mostDivergences = 25;

/** Thrown where going on is no use: the same faults would only be found again. */
export class EnoughError extends Error {
  override readonly name = 'EnoughError';
}

/** One examination: a server, what was found so far, and a place for its runs. */
export interface Examination {
  readonly tally: Tally;
  divergences(): readonly Divergence[];
  /** The bench for the next run; another one, on a fresh state, after a divergence. */
  bench(): Promise<Bench>;
  /** Notes a divergence: of those that are alike the shortest is kept. */
  report(part: Divergence['part'], run: string, error: DivergenceError): Promise<void>;
  /**
   * Does one piece of work and notes where it diverges.
   * @returns null when it diverged
   * @throws EnoughError
   */
  watch<T>(part: Divergence['part'], run: string, work: (bench: Bench) => Promise<T>): Promise<T | null>;
  /** Leaves the state behind: what server and machine disagree about may have spoiled it. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** Alike: in the same phase the same field differs, for the same rule. */
const kindOf = ({ phase, rule, differences }: Divergence | DivergenceError['found']): string =>
  JSON.stringify([phase, rule, differences[0]?.field]);

export const createExamination = ({ command, env, cwd, strict }: Subject): Examination => {
  const tally = newTally();
  const found = new Map<string, Divergence>();
  let world: World | null = null;

  const bench = async (): Promise<Bench> => {
    world ??= createWorld(command, env, cwd);
    return { world, tally, strict };
  };

  const renew = async (): Promise<void> => {
    const spoiled = world;
    world = null;
    await spoiled?.close();
  };

  const report = async (part: Divergence['part'], run: string, error: DivergenceError): Promise<void> => {
    const divergence: Divergence = { part, run, ...error.found, stderr: world?.stderr() ?? '' };
    const kind = kindOf(divergence);
    const known = found.get(kind);
    if (!known || known.steps.length > divergence.steps.length) found.set(kind, divergence);
    await renew();
    if (found.size >= mostDivergences) throw new EnoughError(`${found.size} divergences were found.`);
  };

  return {
    tally,
    divergences: () => [...found.values()],
    bench,
    report,
    watch: async (part, run, work) => {
      try {
        return await work(await bench());
      } catch (error) {
        if (!(error instanceof DivergenceError)) throw error;
        await report(part, run, error);
        return null;
      }
    },
    renew,
    close: renew,
  };
};
