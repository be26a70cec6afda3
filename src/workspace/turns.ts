/** Takes turns per workspace: the plan of a change and its commit are one turn (workspace-wire 2.4). */
export interface Turns {
  /** Runs the work when every earlier turn of the workspace has ended; gives what the work gives. */
  take<T>(workspace: string, work: () => Promise<T>): Promise<T>;
}

/** Turns of one process. A turn that fails does not hold up the next. */
export const createTurns = (): Turns => {
  const tails = new Map<string, Promise<unknown>>();
  return {
    take: (workspace, work) => {
      const before = tails.get(workspace) ?? Promise.resolve();
      const turn = before.then(work);
      // The failure belongs to whoever took the turn; those who wait only need its end.
      const tail = turn.then(
        () => {},
        () => {},
      );
      tails.set(workspace, tail);
      void tail.then(() => {
        if (tails.get(workspace) === tail) tails.delete(workspace);
      });
      return turn;
    },
  };
};
