import type { Clock } from '../sources.ts';
import type { Registry, Store } from './store.ts';

type Preallow = Pick<Registry, 'isPreallowed' | 'preallowed' | 'setPreallow'>;

/** The outside actions that the person always allows, by workspace and kind (workspace-wire 5.3). */
export const createPreallow = ({ db }: Store, clock: Clock): Preallow => {
  const find = db
    .prepare<[string, string, string], number>('SELECT 1 FROM preallow WHERE workspace = ? AND kind = ? AND action = ?')
    .pluck();
  const all = db.prepare<[string], { kind: string; action: string }>(
    'SELECT kind, action FROM preallow WHERE workspace = ? ORDER BY kind, action',
  );
  const insert = db.prepare<[string, string, string, number, string]>(
    'INSERT OR IGNORE INTO preallow (workspace, kind, action, set_ms, set_by) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = db.prepare<[string, string, string]>(
    'DELETE FROM preallow WHERE workspace = ? AND kind = ? AND action = ?',
  );
  return {
    isPreallowed: (workspace, kind, action) => find.get(workspace, kind, action) !== undefined,
    preallowed: (workspace) => all.all(workspace),
    setPreallow: (workspace, kind, action, allowed, by) => {
      if (allowed) insert.run(workspace, kind, action, clock.now(), by);
      else remove.run(workspace, kind, action);
    },
  };
};
