import { z } from 'zod';
import { ChangeEvent, PresenceEvent, RunEvent, type WatchEvent } from '../../../schemas/wire/answers.ts';
import { type Caller, prefixFor } from '../caller.ts';
import type { StoredEvent } from './log.ts';

/** What a watch is narrowed to: a resource by its reference and what is under it, or a whole workspace. */
export interface Narrowing {
  readonly workspace: string;
  /** Null: everything in the workspace. */
  readonly ref: string | null;
}

/** Whether a reference is the other or below it: by segments, so that `notes/0a011` is not under `notes/0a01`. */
export const isAtOrUnder = (ref: string, above: string): boolean => ref === above || ref.startsWith(`${above}/`);

/** The body of a row, read by its kind: the log is the host's own, and an event of another shape is its fault. */
const bodies = z.discriminatedUnion('kind', [ChangeEvent, RunEvent, PresenceEvent]);

/** Whether the caller's endpoint and token show a workspace. */
const shows = ({ connection }: Pick<Caller, 'connection'>, workspace: string): boolean =>
  connection.endpoint === null
    ? connection.token.workspace === null || connection.token.workspace === workspace
    : connection.endpoint === workspace;

/**
 * Whether a row of the log is for this caller (workspace-wire 4.7): changes at or under what it watches, runs of its
 * own connection, presence at the endpoint of a workspace. Asks are for the person's page alone.
 */
export const isFor = (
  caller: Pick<Caller, 'connection'>,
  narrowing: Narrowing | null,
  { workspace, connection, kind, ref }: Omit<StoredEvent, 'body'>,
): boolean => {
  if (!shows(caller, workspace)) return false;
  switch (kind) {
    case 'change':
      if (narrowing === null) return true;
      return (
        workspace === narrowing.workspace &&
        (narrowing.ref === null || (ref !== null && isAtOrUnder(ref, narrowing.ref)))
      );
    case 'run':
      return connection === caller.connection.id;
    case 'presence':
      return caller.connection.endpoint !== null;
    case 'ask':
      return false;
  }
};

/** A row as the wire tells it to this caller; at the account endpoint its path begins with the workspace. */
export const toldTo = (caller: Pick<Caller, 'connection'>, { workspace, body }: StoredEvent): WatchEvent => {
  const event = bodies.parse(body);
  const prefix = prefixFor(caller, workspace);
  return prefix === null || event.kind === 'presence' ? event : { ...event, path: `${prefix}/${event.path}` };
};
