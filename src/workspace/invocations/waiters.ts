/** Which invocation: ids belong to their token. */
export interface Key {
  readonly token: string;
  readonly id: string;
}

export const keyText = ({ token, id }: Key): string => `${token} ${id}`;

/** How long one call is held. */
export interface Hold {
  /** The time is up, the caller gave up, or the host stops. */
  readonly over: boolean;
  /** The caller gave up or the host stops: nobody waits for an answer. */
  readonly left: boolean;
  /** Resolves at the invocation's next wake, or when the hold is over. */
  next(key: Key): Promise<void>;
  /** To be called when the answer is made. */
  end(): void;
}

/** Who waits for which invocation, one registry a process. */
export interface Waiters {
  hold(milliseconds: number, signal: AbortSignal): Hold;
  /** Something became of the invocation: whoever waits for it looks again. */
  wake(key: Key): void;
  /** Ends every hold, now and from now on. */
  release(): void;
}

export const createWaiters = (): Waiters => {
  const waiting = new Map<string, Set<() => void>>();
  const leaving = new Set<() => void>();
  let released = false;

  return {
    hold: (milliseconds, signal) => {
      let left = released || signal.aborted;
      let over = left || milliseconds <= 0;
      const sleepers = new Set<() => void>();
      const finish = (): void => {
        over = true;
        for (const wake of [...sleepers]) wake();
      };
      const leave = (): void => {
        left = true;
        finish();
      };
      const timer = over ? undefined : setTimeout(finish, milliseconds);
      signal.addEventListener('abort', leave);
      leaving.add(leave);
      return {
        get over() {
          return over;
        },
        get left() {
          return left;
        },
        next: (key) =>
          new Promise((resolve) => {
            if (over) {
              resolve();
              return;
            }
            const name = keyText(key);
            const here = waiting.get(name) ?? new Set();
            waiting.set(name, here);
            const wake = (): void => {
              sleepers.delete(wake);
              here.delete(wake);
              if (here.size === 0 && waiting.get(name) === here) waiting.delete(name);
              resolve();
            };
            sleepers.add(wake);
            here.add(wake);
          }),
        end: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', leave);
          leaving.delete(leave);
          finish();
        },
      };
    },
    wake: (key) => {
      for (const wake of [...(waiting.get(keyText(key)) ?? [])]) wake();
    },
    release: () => {
      released = true;
      for (const leave of [...leaving]) leave();
    },
  };
};
