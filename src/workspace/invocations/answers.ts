import { isFinal, wireStatus } from '../../../machines/invocation/index.ts';
import type { ActionRow, AskRef, Done, DoneStep } from '../../../schemas/wire/answers.ts';
import type { Args } from '../apps/app.ts';
import { wireError } from '../failedAnswer.ts';
import type { Failure } from '../failure.ts';
import { askExpired, cancelledByCaller, interrupted, refusedBy } from './failures.ts';
import type { InvocationRow } from './rows.ts';
import { withoutSecrets } from './secrets.ts';

/** What an answer says of a call that is no invocation: it failed before admission, or its id stands for another. */
export interface FailedCall {
  readonly id: string;
  /** As printed, or as the caller wrote it when nothing is there; with its workspace where that stands before it. */
  readonly path: string;
  readonly failure: Failure;
  /** The action's row, whenever the action exists. */
  readonly action: ActionRow | null;
}

/** `prefix` is the workspace at the account endpoint, else null. */
export const failedCall = ({ id, path, failure, action }: FailedCall, prefix: string | null): Done => ({
  status: 'failed',
  error: wireError(failure, prefix),
  invocation_id: id,
  path,
  ...(action && { action }),
});

const failureOf = (row: InvocationRow, code: 'refused' | 'ask_expired' | 'cancelled' | null): Failure => {
  switch (code) {
    case 'refused':
      return refusedBy(row.decided_by ?? '', row.reason);
    case 'ask_expired':
      return askExpired(row);
    case 'cancelled':
      return cancelledByCaller;
    case null:
      return row.error_json ?? interrupted(row);
  }
};

/**
 * Edited arguments as answers tell them: complete, without secrets, in the order of the parameters, each path among them
 * as the caller's endpoint takes it.
 */
const editedArgs = (
  { action_row: action, edited_json: edited }: InvocationRow,
  printed: (path: string) => string,
): Args => {
  const told = withoutSecrets(action, edited ?? {});
  return Object.fromEntries(
    action.params.flatMap(({ name, ty }) => {
      const value = told[name];
      if (value === undefined) return [];
      return [[name, ty === 'resource' && typeof value === 'string' ? printed(value) : value]];
    }),
  );
};

/**
 * The answer of one action, from its row alone: the same to the call that ran it, to a repeated one and to `tilo_status`
 * (workspace-wire 4.3, 4.4). Keys in the order of the wire.
 *
 * @param address where the person's page is, without a slash at its end
 * @param prefix the workspace at the account endpoint, else null
 */
export const doneOf = (row: InvocationRow, address: string, prefix: string | null): Done => {
  const printed = (path: string): string => (prefix === null ? path : `${prefix}/${path}`);
  const told = wireStatus(row.state);
  const ran = isFinal(row.state) && row.started_ms !== null;
  const ask: AskRef = {
    invocation_id: row.id,
    ...(row.ask_id !== null && { url: `${address}/w/${row.workspace}/asks/${row.ask_id}` }),
  };
  const { result, resources = [] } = row.result_json ?? {};
  return {
    status: told.status,
    ...(told.status === 'failed' && { error: wireError(failureOf(row, told.code), prefix) }),
    invocation_id: row.id,
    path: printed(row.path),
    ...(result !== undefined && { result }),
    ...(resources.length > 0 && { resources: resources.map(printed) }),
    ...(ran && row.edited_json !== null && { edited_by_person: editedArgs(row, printed) }),
    ...(told.status === 'pending' && told.ask && { ask }),
    ...(told.status === 'failed' && { action: row.action_row }),
  };
};

/** The same as a step of several actions: its keys in their order there. */
export const stepOf = ({ status, error, invocation_id, path, ...rest }: Done): DoneStep => ({
  path,
  status,
  invocation_id,
  ...(error && { error }),
  ...rest,
});
