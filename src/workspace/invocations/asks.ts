import type { Ask } from '../../../schemas/wire/person.ts';
import type { InvocationRow } from './rows.ts';

/** An ask as the person's page shows it: from the row alone, with a stand-in for each secret (workspace-wire section 9). */
export const askOf = (row: InvocationRow & Readonly<{ ask_id: string }>): Ask => {
  const { action_row: action } = row;
  return {
    id: row.ask_id,
    state: row.state,
    version: row.version,
    by: row.label,
    ...(row.run_title !== null && { run: row.run_title }),
    path: row.path,
    app: row.app,
    action: {
      id: action.id,
      label: action.label,
      kind: action.kind,
      destroys: row.destroys,
      params: action.params,
    },
    resource: row.resource_label,
    args: row.args_json,
    ...(row.edited_json !== null && { edited: row.edited_json }),
    can_always: !row.destroys,
    created_ms: row.created_ms,
    ...(row.deadline_ms !== null && { deadline_ms: row.deadline_ms }),
    ...(row.decided_ms !== null && { decided_ms: row.decided_ms }),
    ...(row.decided_by !== null && { decided_by: row.decided_by }),
    ...(row.reason !== null && { reason: row.reason }),
    announced: row.announced,
  };
};

/** Whether the row was put to the person. */
export const wasAsked = (row: InvocationRow): row is InvocationRow & Readonly<{ ask_id: string }> =>
  row.ask_id !== null;
