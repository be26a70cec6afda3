const ends = ['succeeded', 'failed', 'refused', 'cancelled'] as const;

/** The states in which nothing more can happen. */
export type FinalState = (typeof ends)[number];

/** The states that a stored invocation can be in. */
export type StoredState = 'asking' | 'allowed' | 'running' | 'cancelling' | 'expired' | FinalState;

/** All states of the table (workspace-wire 5.1); `checking` is decided at once and never stored. */
export type InvocationState = 'checking' | StoredState;

/** Whether nothing more can happen; `expired` is not final, for a repeated call asks again (D-50). */
export const isFinal = (state: InvocationState): state is FinalState => ends.some((end) => end === state);

/** What the wire tells of a state. */
export type WireStatus =
  | Readonly<{ status: 'ok' }>
  /** `ask`: the answer carries the ask. */
  | Readonly<{ status: 'pending'; ask: boolean }>
  /** `code` is null where the stored failure names it. */
  | Readonly<{ status: 'failed'; code: 'refused' | 'ask_expired' | 'cancelled' | null }>;

const told: Readonly<Record<StoredState, WireStatus>> = {
  asking: { status: 'pending', ask: true },
  allowed: { status: 'pending', ask: true },
  running: { status: 'pending', ask: false },
  cancelling: { status: 'pending', ask: false },
  expired: { status: 'failed', code: 'ask_expired' },
  succeeded: { status: 'ok' },
  failed: { status: 'failed', code: null },
  refused: { status: 'failed', code: 'refused' },
  cancelled: { status: 'failed', code: 'cancelled' },
};

/** The status that answers give for a stored state, with the code of the failure where the state fixes it. */
export const wireStatus = (state: StoredState): WireStatus => told[state];
