import { cursorOf } from '../../../schemas/wire/cursor.ts';
import { StoreError } from './errors.ts';
import type { Store, WorkspaceExport } from './store.ts';
import { AppIds } from './workspaceRows.ts';

interface ChangeRow {
  readonly seq: number;
  readonly step: number;
  readonly label: string;
  readonly run_id: string | null;
  readonly run_title: string | null;
  readonly app: string;
  readonly path: string;
  readonly action: string;
  readonly sentence: string;
  readonly by: string;
  readonly time_ms: number;
  readonly undone: number;
}

/** A change as an export tells it: who did what, when, in which step, and whether it was taken back. */
const told = ({ seq, step, label, run_id, run_title, undone, ...row }: ChangeRow): object => ({
  change: cursorOf(seq),
  step,
  connection: label,
  ...(run_id !== null && { run_id }),
  ...(run_title !== null && { run: run_title }),
  ...row,
  undone: undone > 0,
});

/**
 * Everything of a workspace that people would keep, as one JSON value: the state of each app by keys, the history
 * oldest change first (workspace-wire section 10). Tokens, asks, arguments of calls and the operations behind a change
 * are not in it.
 *
 * @throws StoreError `unknown`
 */
export const exportWorkspace = ({ db, states }: Store, name: string): WorkspaceExport => {
  const read = db.transaction((): WorkspaceExport => {
    const row = db
      .prepare<[string], { label: string; apps: string }>('SELECT label, apps FROM workspaces WHERE name = ?')
      .get(name);
    if (row === undefined) throw new StoreError('unknown', `There is no workspace ${name}.`);
    const listed = AppIds.parse(JSON.parse(row.apps));
    // An app that the workspace no longer shows may still have left something in it.
    const stored = db
      .prepare<[string], string>('SELECT DISTINCT app FROM docs WHERE workspace = ? ORDER BY app')
      .pluck()
      .all(name);
    const history = db
      .prepare<[string], ChangeRow>(
        `SELECT c.seq, s.number AS step, s.label, s.run_id, s.run_title, c.app, c.path, c.action, c.sentence, c.by,
           c.time_ms, c.undone
         FROM changes c JOIN steps s ON s.id = c.step WHERE c.workspace = ? ORDER BY c.seq`,
      )
      .all(name);
    return {
      format: 1,
      workspace: name,
      label: row.label,
      apps: [...new Set([...listed, ...stored])].map((id) => ({ id, docs: states.of(name, id).list('') })),
      history: history.map(told),
    };
  });
  return read.deferred();
};
