import { createHash } from 'node:crypto';
import type { CallMeta } from '../../schemas/wire/meta.ts';
import type { ActionKind } from '../../schemas/wire/vocabulary.ts';

/** Who may call, and how far their calls may reach (workspace-wire 2.3). */
export interface Token {
  readonly id: string;
  readonly label: string;
  /** The one workspace it opens, or null for all. */
  readonly workspace: string | null;
  readonly max: ActionKind;
  /** The governed run it is bound to. */
  readonly run: string | null;
}

/** One client session, or a token's calls without one (workspace-wire 2.4). */
export interface Connection {
  readonly id: string;
  readonly token: Token;
  /** What the client calls itself: the `by` of its changes. */
  readonly label: string;
  /** The workspace of its endpoint; null at the account endpoint. */
  readonly endpoint: string | null;
}

/** Whose changes are taken back together (D-11). */
export interface Group {
  /** `mcp:` and 16 hex digits, derived from the connection and the caller's word. */
  readonly runId: string;
  /** Absent for a bare `step`. */
  readonly title?: string;
}

/** What a call is made with. It does not say whether the answer is typed: one read feeds both (workspace-wire 3.1). */
export interface Caller {
  readonly connection: Connection;
  readonly group: Group | null;
  /** Aborted when the caller gave the call up. */
  readonly signal: AbortSignal;
}

/** The group that a call names, or null. `run.id` and `step` derive alike; when both are given the run decides. */
export const groupOf = (connection: string, { run, step }: CallMeta): Group | null => {
  const word = run?.id ?? step;
  if (word === undefined) return null;
  const digest = createHash('sha256').update(`${connection}\0${word}`, 'utf8').digest('hex');
  return { runId: `mcp:${digest.slice(0, 16)}`, ...(run && { title: run.title }) };
};

/** What stands before a path in this caller's answers: the workspace at the account endpoint, else nothing. */
export const prefixFor = ({ connection }: Pick<Caller, 'connection'>, workspace: string): string | null =>
  connection.endpoint === null ? workspace : null;
