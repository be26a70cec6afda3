import type { Clock } from '../sources.ts';
import type { Turns } from '../turns.ts';
import { activityOf } from './activity.ts';
import { personsTurns } from './byPerson.ts';
import type { History } from './history.ts';
import type { HistoryParts } from './parts.ts';
import { changePreparer } from './prepareChange.ts';
import { undoPreparer } from './prepareUndo.ts';
import { historyStatements } from './rows.ts';
import { lastTakenBack } from './stepView.ts';

/**
 * The history of a host's workspaces, in its database (workspace-wire 6.3).
 *
 * @param world told each time, since the rooms of a host know each other
 */
export const createHistory = (parts: Omit<HistoryParts, 'sql'> & Readonly<{ turns: Turns; clock: Clock }>): History => {
  const sql = historyStatements(parts.store.db);
  return {
    prepareChange: changePreparer({ ...parts, sql }),
    prepareUndo: undoPreparer({ ...parts, sql }),
    byPerson: personsTurns({ ...parts, sql }),
    canRedo: (connection, workspace, app) =>
      lastTakenBack(sql, { workspace, app, connection, key: null }, 1).length > 0,
    lastChanges: (workspace, app) => new Map(sql.lastChanges.all(workspace, app)),
    activity: activityOf(sql),
  };
};
