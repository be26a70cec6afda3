/** How much one token may ask at once (D-09): a runaway client must not starve the person's page. */
export interface MeterLimits {
  readonly heldCalls: number;
  readonly callsPerSecond: number;
  /**
   * Milliseconds that a call may wait for another of its token to end before it is refused: a burst of short calls is
   * over by then, and no held call is.
   */
  readonly patience: number;
}

export type Admitted =
  | Readonly<{ ok: true; done: () => void }>
  | Readonly<{ ok: false; why: 'too many held' | 'too many calls' | 'given up' }>;

export interface Meter {
  /** Counts a call of a token; `done` is to be called at its end. */
  admit(token: string, signal: AbortSignal): Promise<Admitted>;
}

interface Use {
  held: number;
  /** When the calls of the last second came, oldest first. */
  times: number[];
  readonly waiting: Set<() => void>;
}

/** @param now milliseconds of a clock that never steps back */
export const createMeter = (
  { heldCalls, callsPerSecond, patience }: MeterLimits,
  now: () => number = () => performance.now(),
): Meter => {
  const uses = new Map<string, Use>();
  const useOf = (token: string): Use => {
    const known = uses.get(token);
    if (known) return known;
    const made: Use = { held: 0, times: [], waiting: new Set() };
    uses.set(token, made);
    return made;
  };

  /** Waits until a place is free, the patience is over or the caller gave up; true with a place. */
  const place = (use: Use, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (given: boolean): void => {
        clearTimeout(timer);
        use.waiting.delete(take);
        signal.removeEventListener('abort', leave);
        resolve(given);
      };
      const take = (): void => end(true);
      const leave = (): void => end(false);
      const timer = setTimeout(leave, patience);
      timer.unref();
      use.waiting.add(take);
      signal.addEventListener('abort', leave);
    });

  const done = (use: Use) => {
    let over = false;
    return (): void => {
      if (over) return;
      over = true;
      const [next] = use.waiting;
      // The place goes over to the one that waits longest.
      if (next) next();
      else use.held -= 1;
    };
  };

  return {
    admit: async (token, signal) => {
      const use = useOf(token);
      const second = now() - 1000;
      use.times = use.times.filter((time) => time > second);
      if (use.times.length >= callsPerSecond) return { ok: false, why: 'too many calls' };
      use.times.push(now());
      if (signal.aborted) return { ok: false, why: 'given up' };
      if (use.held < heldCalls) use.held += 1;
      else if (!(await place(use, signal))) return { ok: false, why: signal.aborted ? 'given up' : 'too many held' };
      return { ok: true, done: done(use) };
    },
  };
};
