import type { Connection, Token } from '../caller.ts';
import type { Clock, IdSource } from '../sources.ts';
import { noted } from './noted.ts';
import type { Registry, Store } from './store.ts';
import { touchMilliseconds } from './tokens.ts';

type Connections = Pick<Registry, 'openSession' | 'sessionOf' | 'defaultConnection' | 'endSession'>;

/** How long a session may rest before it ends (workspace-wire 2.4). */
export const idleMilliseconds = 30 * 24 * 3_600_000;

interface Row {
  readonly id: string;
  readonly label: string;
  readonly last_used_ms: number;
}

/** Client sessions, and the connections of those who open none (workspace-wire 2.4, D-10). */
export const createConnections = (
  { db, transaction }: Store,
  { clock, ids }: Readonly<{ clock: Clock; ids: IdSource }>,
): Connections => {
  const insert = db.prepare<
    [
      id: string,
      session: string | null,
      token: string,
      endpoint: string | null,
      label: string,
      name: string | null,
      version: string | null,
      protocol: string | null,
      created: number,
      used: number,
    ]
  >(
    `INSERT INTO connections
       (id, session, token, endpoint, label, client_name, client_version, protocol, created_ms, last_used_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const bySession = db.prepare<[string, string, string | null], Row>(
    `SELECT id, label, last_used_ms FROM connections
     WHERE session = ? AND token = ? AND endpoint IS ? AND ended_ms IS NULL`,
  );
  const byToken = db.prepare<[string, string | null], Row>(
    'SELECT id, label, last_used_ms FROM connections WHERE token = ? AND endpoint IS ? AND session IS NULL',
  );
  const touch = db.prepare<[number, string]>('UPDATE connections SET last_used_ms = ? WHERE id = ?');
  const end = db.prepare<[number, string]>('UPDATE connections SET ended_ms = ? WHERE id = ?');

  /** The session's row; one that rested too long is no more. A run's session lives as long as its token (section 11). */
  const living = (token: Token, endpoint: string | null, session: string): Row | null => {
    const row = bySession.get(session, token.id, endpoint);
    if (row === undefined) return null;
    return token.run !== null || clock.now() - row.last_used_ms <= idleMilliseconds ? row : null;
  };

  const used = (row: Row): void => {
    const now = clock.now();
    if (now - row.last_used_ms >= touchMilliseconds) noted(() => touch.run(now, row.id));
  };

  return {
    openSession: (token, endpoint, { label, name, version, protocol }) => {
      const id = ids.hex();
      const session = ids.hex();
      const now = clock.now();
      insert.run(id, session, token.id, endpoint, label, name, version, protocol, now, now);
      return { session, connection: { id, token, label, endpoint } };
    },
    sessionOf: (token, endpoint, session): Connection | null => {
      const row = living(token, endpoint, session);
      if (row === null) return null;
      used(row);
      return { id: row.id, token, label: row.label, endpoint };
    },
    defaultConnection: (token, endpoint): Connection => {
      const known = byToken.get(token.id, endpoint);
      if (known !== undefined) {
        used(known);
        return { id: known.id, token, label: token.label, endpoint };
      }
      return transaction(() => {
        // Another process may have been faster.
        const id = byToken.get(token.id, endpoint)?.id ?? ids.hex();
        const now = clock.now();
        if (byToken.get(token.id, endpoint) === undefined)
          insert.run(id, null, token.id, endpoint, token.label, null, null, null, now, now);
        return { id, token, label: token.label, endpoint };
      });
    },
    endSession: (token, endpoint, session) => {
      const row = living(token, endpoint, session);
      if (row === null) return null;
      end.run(clock.now(), row.id);
      return row.id;
    },
  };
};
