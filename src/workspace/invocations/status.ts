import { prefixFor } from '../caller.ts';
import { failedAnswer } from '../failedAnswer.ts';
import { doneOf } from './answers.ts';
import { unknownInvocation } from './failures.ts';
import type { Invocations } from './invocations.ts';
import type { Lives } from './lives.ts';
import type { InvocationRow } from './rows.ts';
import { isSettled } from './settled.ts';
import type { Key, Waiters } from './waiters.ts';

export interface StatusPorts {
  readonly lives: Lives;
  readonly waiters: Waiters;
  address(): string;
  /** How long a cancel waits for the app to stop. */
  readonly stopMs: number;
}

/** `tilo_status` (workspace-wire 4.4): tells what became of an invocation, waits for it, cancels it; never runs it. */
export const createStatus =
  ({ lives, waiters, address, stopMs }: StatusPorts): Invocations['status'] =>
  async (caller, args) => {
    const { connection } = caller;
    const key: Key = { token: connection.token.id, id: args.invocation_id };
    /** Null where the endpoint does not show the invocation's workspace: its paths would read as this one's. */
    const present = (): InvocationRow | null => {
      const row = lives.find(key);
      return row !== null && (connection.endpoint === null || connection.endpoint === row.workspace) ? row : null;
    };
    const unknown = failedAnswer(unknownInvocation(args.invocation_id), null);

    let row = present();
    if (row === null) return unknown;
    let wait = args.wait_ms ?? 0;
    if (args.cancel === true) {
      ({ row } = lives.send(key, { type: 'CANCEL', by: 'caller' }));
      if (row.state === 'cancelling') wait = Math.max(wait, stopMs);
    }
    const hold = waiters.hold(wait, caller.signal);
    try {
      while (!isSettled(row) && !hold.over) {
        await hold.next(key);
        row = present();
        if (row === null) return unknown;
      }
    } finally {
      hold.end();
    }
    return doneOf(row, address(), prefixFor(caller, row.workspace));
  };
