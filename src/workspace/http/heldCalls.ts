/** The id of a JSON-RPC request; 0 is one like any other (workspace-wire F14). */
export type MessageId = string | number;

/** Which calls are held, so that a cancel that comes in another request reaches them (workspace-wire F8). */
export interface HeldCalls {
  /** Notes a call until the result is called. */
  hold(connection: string, id: MessageId, cancel: () => void): () => void;
  /** Cancels the call of a connection with this id, when exactly one has it. */
  cancel(connection: string, id: MessageId): void;
}

export const createHeldCalls = (): HeldCalls => {
  const held = new Map<string, Set<() => void>>();
  // 1 and "1" are two ids.
  const keyOf = (connection: string, id: MessageId): string => `${connection} ${JSON.stringify(id)}`;
  return {
    hold: (connection, id, cancel) => {
      const key = keyOf(connection, id);
      const calls = held.get(key) ?? new Set();
      calls.add(cancel);
      held.set(key, calls);
      return () => {
        calls.delete(cancel);
        if (calls.size === 0 && held.get(key) === calls) held.delete(key);
      };
    },
    cancel: (connection, id) => {
      const calls = held.get(keyOf(connection, id));
      // Clients without a session share a connection and may use one id at once: nobody's call is ended on a guess.
      if (calls?.size === 1) for (const cancel of calls) cancel();
    },
  };
};
