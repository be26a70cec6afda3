import { idleMilliseconds } from './connections.ts';
import type { Store } from './store.ts';

const day = 24 * 3_600_000;
/** How long what was done can be taken back (workspace-wire section 10). */
export const historyDays = 90;
/** How long an invocation's id is known at least, whatever history is set to (D-19). */
const invocationDays = 30;

/**
 * Drops what is older than kept: whole steps by their latest change, so that nothing of a step that can still be taken
 * back goes; ended invocations as long after as history is kept, at least 30 days, and never while a kept change names
 * them; sessions that ended and left nothing behind; codes and person sessions whose time is up. Open asks and running
 * invocations stay. The state of the apps does not change.
 *
 * @param now_ms the time, in milliseconds since 1970
 * @param days how long history is kept
 * @returns how many rows of each went
 */
export const trimHistory = (
  { db, transaction }: Store,
  now_ms: number,
  days: number = historyDays,
): Readonly<{ steps: number; invocations: number; connections: number }> =>
  transaction(() => {
    const gone = db
      .prepare<[number], number>('SELECT step FROM changes GROUP BY step HAVING max(time_ms) < ?')
      .pluck()
      .all(now_ms - days * day);
    // Their operations go with the changes.
    const dropChanges = db.prepare<[number]>('DELETE FROM changes WHERE step = ?');
    const dropStep = db.prepare<[number]>('DELETE FROM steps WHERE id = ?');
    for (const step of gone) {
      dropChanges.run(step);
      dropStep.run(step);
    }
    const invocations = db
      .prepare<[number]>(
        `DELETE FROM invocations
         WHERE state IN ('succeeded', 'failed', 'refused', 'cancelled', 'expired')
           AND max(created_ms, coalesce(decided_ms, 0), coalesce(ended_ms, 0)) < ?
           AND id NOT IN (SELECT invocation FROM changes)`,
      )
      .run(now_ms - Math.max(days, invocationDays) * day).changes;
    // A run's session lives as long as its token; a token's default connection has no session and never ends.
    const connections = db
      .prepare<[{ idle: number }]>(
        `DELETE FROM connections
         WHERE session IS NOT NULL
           AND (ended_ms < :idle OR last_used_ms < :idle AND token IN (SELECT id FROM tokens WHERE run IS NULL))
           AND id NOT IN (SELECT connection FROM steps)
           AND id NOT IN (SELECT connection FROM invocations)`,
      )
      .run({ idle: now_ms - idleMilliseconds }).changes;
    db.prepare('DELETE FROM refs WHERE connection NOT IN (SELECT id FROM connections)').run();
    db.prepare<[number]>('DELETE FROM login_codes WHERE expires_ms <= ?').run(now_ms);
    db.prepare<[number]>('DELETE FROM person_sessions WHERE expires_ms <= ?').run(now_ms);
    return { steps: gone.length, invocations, connections };
  });
