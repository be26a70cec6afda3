import type { Store } from '../store/store.ts';

/** Gives numbers for item keys that nothing in an app had or will have (workspace-wire section 1). */
export interface ItemKeys {
  /**
   * For a plan, inside its turn: nothing is stored before its commit, which raises the counter to `next`. `end` when the
   * plan came to nothing or is stored.
   */
  forPlan(workspace: string, app: string): PlannedKeys;
  /** For an effect, which runs beside turns: each key is given for good. */
  forEffect(workspace: string, app: string): () => string;
}

export interface PlannedKeys {
  take(): string;
  /** The next number after those taken; null when none was. */
  next(): number | null;
  end(): void;
}

const keyOf = (number: number): string => number.toString(36).padStart(4, '0');

export const createItemKeys = (store: Pick<Store, 'counter' | 'raiseCounter' | 'transaction'>): ItemKeys => {
  // What a plan has taken and not stored yet, so that an effect beside it takes none of the same.
  const planned = new Map<string, number>();
  const nextOf = (workspace: string, app: string): number =>
    Math.max(store.counter(workspace, app), planned.get(`${workspace}/${app}`) ?? 0);

  return {
    forPlan: (workspace, app) => {
      const name = `${workspace}/${app}`;
      let next: number | null = null;
      return {
        take: () => {
          const number = nextOf(workspace, app);
          next = number + 1;
          planned.set(name, next);
          return keyOf(number);
        },
        next: () => next,
        end: () => {
          planned.delete(name);
        },
      };
    },
    forEffect: (workspace, app) => () =>
      store.transaction(() => {
        const number = nextOf(workspace, app);
        store.raiseCounter(workspace, app, number + 1);
        return keyOf(number);
      }),
  };
};
