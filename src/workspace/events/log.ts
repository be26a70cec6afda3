import type { Presence, Watched } from '../../../schemas/wire/answers.ts';
import type { WatchArguments } from '../../../schemas/wire/arguments.ts';
import type { Caller } from '../caller.ts';

/** One row of the log, to be written. */
export interface NewEvent {
  readonly workspace: string;
  /** Run events: the connection whose invocation it is. */
  readonly connection: string | null;
  readonly kind: 'change' | 'run' | 'presence' | 'ask';
  /** Change events: the resource by its path of keys. */
  readonly ref: string | null;
  /** The wire's event without the workspace in its path; made with the row's own sequence number. */
  body(sequence: number): object;
  readonly time_ms: number;
}

export interface StoredEvent {
  readonly seq: number;
  readonly workspace: string;
  readonly connection: string | null;
  readonly kind: NewEvent['kind'];
  readonly ref: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly time_ms: number;
}

/** The one append-only log of the host (workspace-wire 4.7). */
export interface EventLog {
  /** Inside the caller's transaction, the same that stores what the event tells of; gives its sequence number. */
  append(event: NewEvent): number;
  /** After a commit: whoever waits looks again. */
  wake(): void;
  /** The last sequence number, 0 when nothing happened yet. */
  last(): number;
  /** The lowest sequence number from which a reader misses nothing that is kept. */
  oldest(): number;
  /** Rows after a sequence number, oldest first. */
  after(seq: number, limit: number): readonly StoredEvent[];
  /** Waits until something was appended after `seq`, the time is up, or the signal aborts. */
  wait(seq: number, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Drops what is older than kept: 14 days or 200,000 rows, whichever keeps more. */
  trim(): void;
}

export interface Watch {
  /** @throws WireFailure invalid_cursor, cursor_expired, unknown_path */
  watch(caller: Caller, args: WatchArguments): Promise<Watched>;
  /** Ends every held watch with what it has. */
  release(): void;
}

/** Who is in the workspaces (workspace-wire 4.7). Changes go into the log, 300 ms after the last. */
export interface RosterKeeper {
  /** At the beginning and end of each call: an agent is here from its first call until 90 s after its last. */
  called(caller: Pick<Caller, 'connection' | 'group'>, workspace: string): () => void;
  /** The session ended. */
  left(connection: string): void;
  /** A person's page opened its event stream; the result closes it. */
  personHere(workspace: string, person: Readonly<{ id: string; name: string }>): () => void;
  here(workspace: string): readonly Presence[];
  stop(): void;
}
