import type { Done, DoneAll } from '../../../schemas/wire/answers.ts';
import type { DoArguments, OneCall } from '../../../schemas/wire/arguments.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import { type Caller, prefixFor } from '../caller.ts';
import { refuse, say } from '../failure.ts';
import type { IdSource } from '../sources.ts';
import type { Registry } from '../store/store.ts';
import type { Admission, Taken } from './admission.ts';
import { doneOf, failedCall, stepOf } from './answers.ts';
import { notGranted, refusedTwice } from './failures.ts';
import type { Grants } from './grants.ts';
import type { Lives, Sent } from './lives.ts';
import type { InvocationRow } from './rows.ts';
import { isSettled } from './settled.ts';
import type { Hold, Key, Waiters } from './waiters.ts';

/**
 * How long a call lets what runs end, however short its own wait: who does not want to be held by a person or by a long
 * action still gets the answer of a short one (conformance tilo_do.calls-pending).
 */
const briefMs = 250;

export interface CallPorts {
  readonly admission: Admission;
  readonly lives: Lives;
  readonly grants: Grants;
  readonly waiters: Waiters;
  readonly registry: Pick<Registry, 'person'>;
  readonly ids: Pick<IdSource, 'hex'>;
  address(): string;
}

/** `tilo_do`: one action or several, held until they end or the time is up (workspace-wire 4.3). */
export interface Calls {
  /** @throws WireFailure `invalid_arguments` where the call is neither one action nor several */
  do(caller: Caller, args: DoArguments): Promise<Done | DoneAll>;
}

export const createCalls = ({ admission, lives, grants, waiters, registry, ids, address }: CallPorts): Calls => {
  const present = (key: Key): InvocationRow => {
    const row = lives.find(key);
    if (row === null) throw new Error(`Invocation ${key.id} is gone while it is called.`);
    return row;
  };

  /** The call as an event: puts an ask anew, runs what was allowed, changes nothing else. */
  const call = (row: InvocationRow, secrets: Extract<Taken, { again: boolean }>['secrets']): Sent =>
    lives.send(
      row,
      { type: 'CALL', by: 'caller', sameArgs: true, deadlineMs: lives.deadline(), ...grants.ruling(row) },
      { secrets },
    );

  const refused = (caller: Caller, row: InvocationRow, why: 'not_granted' | 'worn_down'): Done => {
    const prefix = prefixFor(caller, row.workspace);
    const failure =
      why === 'worn_down'
        ? refusedTwice(registry.person().name)
        : notGranted(row, row.action, row.action_kind, grants.bound({ id: row.token }, row.workspace));
    const path = prefix === null ? row.path : `${prefix}/${row.path}`;
    return failedCall({ id: row.id, path, failure, action: row.action_row }, prefix);
  };

  const whileRunning = async (first: InvocationRow, caller: Caller): Promise<InvocationRow> => {
    const brief = waiters.hold(briefMs, caller.signal);
    try {
      let row = first;
      while (row.state === 'running' && !brief.over) {
        await brief.next(row);
        row = present(row);
      }
      return row;
    } finally {
      brief.end();
    }
  };

  const one = async (
    caller: Caller,
    { path, args = {}, id }: OneCall & Key,
    step: string,
    hold: Hold,
  ): Promise<Done> => {
    const taken = await admission.take(caller, { id, path, args, step });
    if (taken.row === null) return taken.answer;
    const { secrets } = taken;
    let row = present(taken.row);
    let calls = taken.again;
    for (;;) {
      if (calls) {
        const sent = call(row, secrets);
        if (sent.outcome === 'stayed' && (sent.why === 'not_granted' || sent.why === 'worn_down'))
          return refused(caller, sent.row, sent.why);
        row = sent.row;
      }
      if (isSettled(row) || hold.over) break;
      await hold.next(row);
      row = present(row);
      // Allowed while this call is held: it runs it. One that was given up does not (D-21).
      calls = row.state === 'allowed' && !hold.over;
    }
    if (row.state === 'running' && !hold.left) row = await whileRunning(row, caller);
    return doneOf(row, address(), prefixFor(caller, row.workspace));
  };

  /** A caller in whose name the connection and the run of an invocation go on. */
  const asAuthorOf = ({ connection, label, run_id, run_title }: InvocationRow, caller: Caller): Caller => ({
    ...caller,
    connection: { ...caller.connection, id: connection, label },
    group: run_id === null ? null : { runId: run_id, ...(run_title !== null && { title: run_title }) },
  });

  const idOf = (sent: Pick<OneCall, 'invocation_id'>): string => sent.invocation_id ?? ids.hex();

  const several = async (caller: Caller, sent: readonly OneCall[], hold: Hold): Promise<DoneAll> => {
    const token = caller.connection.token.id;
    const calls = sent.map((each) => ({ ...each, token, id: idOf(each) }));
    const steps: Done[] = [];
    const [first] = calls;
    const begun = first === undefined ? null : lives.find(first);
    // What goes on where an earlier call with these ids stopped is of one step with it, also from another connection.
    const author = begun === null ? caller : asAuthorOf(begun, caller);
    const step = begun?.step ?? caller.group?.runId ?? first?.id ?? '';
    for (const each of calls) {
      const done = await one(author, each, step, hold);
      steps.push(done);
      if (done.status !== 'ok') break;
    }
    const last = steps.at(-1);
    if (last === undefined) throw new Error('Several actions are at least one.');
    return {
      status: last.status,
      ...(last.status !== 'ok' && { stopped_at: steps.length - 1 }),
      ...(last.status === 'pending' && { invocation_id: last.invocation_id, ...(last.ask && { ask: last.ask }) }),
      steps: steps.map(stepOf),
    };
  };

  const wrongFor =
    ({ connection }: Caller) =>
    (sentence: string): Error => {
      const top = connection.endpoint === null ? 'workspaces' : 'apps';
      return refuse(
        'invalid_arguments',
        [sentence],
        [say`tilo_ls ${top} lists what there is; each path lists its actions`],
      );
    };

  return {
    do: async (caller, args) => {
      const { path, calls } = args;
      const wrong = wrongFor(caller);
      if ((path === undefined) === (calls === undefined))
        throw wrong('tilo_do takes either the path of one action or calls, one of the two.');
      if (calls !== undefined && (args.args !== undefined || args.invocation_id !== undefined))
        throw wrong('Beside calls stand no args and no invocation_id: each call has its own.');
      const named = (calls ?? []).flatMap(({ invocation_id: id }) => (id === undefined ? [] : [id]));
      if (new Set(named).size < named.length) throw wrong('The invocation ids of calls must all be different.');

      const hold = waiters.hold(args.wait_ms ?? wireLimits.defaultWaitMs, caller.signal);
      try {
        if (calls !== undefined) return await several(caller, calls, hold);
        if (path === undefined) throw wrong('tilo_do needs a path.');
        const id = idOf(args);
        const token = caller.connection.token.id;
        return await one(caller, { path, args: args.args, token, id }, caller.group?.runId ?? id, hold);
      } finally {
        hold.end();
      }
    },
  };
};
