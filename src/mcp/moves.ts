/** A run that moved: its id and its new version. */
export type Move = Readonly<{ runId: string; version: number }>;

/** Tells whoever listens of the runs that this process moves; what other processes move is not heard here. */
export interface Moves {
  readonly tell: (move: Move) => void;
  /** @returns ends the listening */
  readonly listen: (listener: (move: Move) => void) => () => void;
}

export const createMoves = (): Moves => {
  const listeners = new Set<(move: Move) => void>();
  return {
    tell: ({ runId, version }) => {
      for (const listener of [...listeners]) listener({ runId, version });
    },
    listen: (listener) => {
      // A function of its own, so that the same listener may listen twice.
      const own = (move: Move): void => listener(move);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
};
