import type { Database } from 'better-sqlite3';
import type { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import type { Json, State, Write } from '../apps/app.ts';
import type { Connection, Token } from '../caller.ts';

/** Where the states of apps come from: the database, or a program's overlay of it. */
export interface StateSource {
  of(workspace: string, app: string): State;
}

/** The database of a host, open. Rooms keep their own statements on `db`; the tables are in `migrations.ts`. */
export interface Store {
  readonly db: Database;
  /** The data directory. */
  readonly directory: string;
  /** Runs the work in one transaction (a savepoint inside another). */
  transaction<T>(work: () => T): T;
  /** What apps' states are in the database. */
  readonly states: StateSource;
  /** Applies writes to an app's state and raises its version; inside a transaction. */
  write(workspace: string, app: string, writes: readonly Write[]): void;
  /** The next item number of an app, and its new value after a plan; the latter inside a transaction, never lowered. */
  counter(workspace: string, app: string): number;
  raiseCounter(workspace: string, app: string, next: number): void;
  /** The version of an app's state: rises with each commit that writes. */
  stateVersion(workspace: string, app: string): number;
  /** The host's key for MACs and signed copies, made at the first start. */
  readonly key: Buffer;
  close(): void;
}

/**
 * Overlay of planned writes over a state: what a plan, a program or the end of a turn sees. The writes are by
 * `spaceOf(workspace, app)` of overlay.ts, `home/notes`.
 */
export type Overlay = (base: StateSource, writes: ReadonlyMap<string, readonly Write[]>) => StateSource;

/** Workspaces, people, tokens and sessions: the rows that commands and doors work with. */
export interface Registry {
  workspaces(): readonly Readonly<{ name: string; label: string; apps: readonly string[] }>[];
  createWorkspace(name: string, label: string, apps: readonly string[]): void;
  person(): Readonly<{ id: string; name: string }>;
  setPerson(name: string): void;
  /** A new token: the text is told once and kept as its digest. */
  createToken(input: {
    label: string;
    workspace: string | null;
    max: ActionKind;
    expires_ms: number | null;
    run: string | null;
  }): Readonly<{ id: string; text: string }>;
  tokens(): readonly TokenRow[];
  revokeToken(id: string): boolean;
  /** The token of a text; null when it is unknown, expired or revoked, which nobody is told apart. */
  tokenOf(text: string): Token | null;
  /** A new session of a token at an endpoint. */
  openSession(
    token: Token,
    endpoint: string | null,
    client: Readonly<{ label: string; name: string; version: string; protocol: string }>,
  ): Readonly<{ session: string; connection: Connection }>;
  /** The connection of a session of this token and endpoint; null when there is none. */
  sessionOf(token: Token, endpoint: string | null, session: string): Connection | null;
  /** The token's default connection at an endpoint, made when it is missing; its label is the token's. */
  defaultConnection(token: Token, endpoint: string | null): Connection;
  endSession(token: Token, endpoint: string | null, session: string): string | null;
  /** A one-use code of five minutes for the person's page. */
  createLoginCode(workspace: string): string;
  /** Uses a code up; gives the text of a new person session and where to go, or null. */
  enter(code: string): Readonly<{ session: string; workspace: string }> | null;
  personOf(session: string): Readonly<{ id: string; name: string }> | null;
  isPreallowed(workspace: string, kind: string, action: string): boolean;
  preallowed(workspace: string): readonly Readonly<{ kind: string; action: string }>[];
  setPreallow(workspace: string, kind: string, action: string, allowed: boolean, by: string): void;
}

export interface TokenRow {
  readonly id: string;
  readonly label: string;
  readonly workspace: string | null;
  readonly max: ActionKind;
  readonly run: string | null;
  readonly created_ms: number;
  readonly expires_ms: number | null;
  readonly revoked_ms: number | null;
  readonly last_used_ms: number | null;
}

/** One workspace as one JSON file (`telic workspace export`). */
export interface WorkspaceExport {
  readonly format: 1;
  readonly workspace: string;
  readonly label: string;
  readonly apps: readonly Readonly<{ id: string; docs: readonly (readonly [string, Json])[] }>[];
  readonly history: readonly object[];
}
