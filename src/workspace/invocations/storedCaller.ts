import type { Connection, Token } from '../caller.ts';
import type { Author } from '../history/history.ts';
import type { Registry } from '../store/store.ts';
import type { InvocationRow } from './rows.ts';

/**
 * The connection of an invocation as it was admitted, at the endpoint of its workspace: what its action is looked up and
 * run with, whoever calls again and after a restart. What the token allows is not decided here.
 */
export const storedConnection = (registry: Pick<Registry, 'tokens'>, row: InvocationRow): Connection => {
  const known = registry.tokens().find(({ id }) => id === row.token);
  const token: Token = {
    id: row.token,
    label: known?.label ?? row.label,
    workspace: row.workspace,
    max: known?.max ?? row.action_kind,
    run: known?.run ?? null,
  };
  return { id: row.connection, token, label: row.label, endpoint: row.workspace };
};

/** Whose work it is, fixed when it was admitted (workspace-wire 4.3). */
export const authorOf = (row: InvocationRow): Author => ({
  token: row.token,
  connection: row.connection,
  invocation: row.id,
  label: row.label,
  stepKey: row.step,
  run: row.run_id === null ? null : { id: row.run_id, title: row.run_title },
});
