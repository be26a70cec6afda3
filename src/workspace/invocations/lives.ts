import {
  beginInvocation,
  type Denial,
  type InvocationInput,
  isStored,
  type LaterEffect,
  type Ruling,
  type Stay,
  stepInvocation,
} from '../../../machines/invocation/index.ts';
import type { Args } from '../apps/app.ts';
import type { EventLog } from '../events/log.ts';
import type { Clock, IdSource } from '../sources.ts';
import type { Store } from '../store/store.ts';
import { advancedRow, type LifeEvent, type LifeStep } from './advancedRow.ts';
import type { InvocationRow, InvocationRows, Moved } from './rows.ts';
import { askEvent, endPhase, runEvent } from './runEvents.ts';
import type { Key, Waiters } from './waiters.ts';

/** What is known of a call when it is admitted and never changes after. */
export type Admitted = Omit<InvocationRow, keyof Moved | 'created_ms'>;

/** What came of an event. */
export type Sent = Readonly<{ row: InvocationRow }> &
  (Readonly<{ outcome: 'moved' | 'noted' }> | Readonly<{ outcome: 'stayed'; why: Stay }>);

interface Aside {
  /** The secrets of the call that may run the action now. */
  readonly secrets?: Args;
  /** The name of the person who decides. */
  readonly by?: string;
  /** Stored in the same transaction, when the event is taken. */
  also?(): void;
}

/**
 * The one place where invocations move. A transition is one transaction (workspace-wire 5.2): load, step, write where the
 * version is still the old one, append the rows of the log, commit; only then what is left of the step is carried out.
 */
export interface Lives {
  /** As it stands; what is overdue has expired first, for the machine looks at no clock. */
  find(key: Key): InvocationRow | null;
  byAsk(workspace: string, ask: string): InvocationRow | null;
  /** Admits a new call, or says why not; then nothing is stored. */
  open(call: Admitted, input: InvocationInput, ruling: Ruling, secrets: Args): InvocationRow | Denial;
  /** @throws Error when there is no such invocation */
  send(key: Key, event: LifeEvent, aside?: Aside): Sent;
  /** When an ask that opens now, or a permission given now, expires. */
  deadline(): number;
}

/** What carries out the effects that lie outside the database. */
export interface Carrier {
  /** Runs the action of a row that is `running` now. */
  start(row: InvocationRow, secrets: Args): void;
  abort(key: Key): void;
}

export interface LivesPorts {
  readonly store: Pick<Store, 'transaction'>;
  readonly rows: InvocationRows;
  readonly events: Pick<EventLog, 'append' | 'wake'>;
  readonly waiters: Pick<Waiters, 'wake'>;
  readonly clock: Clock;
  readonly ids: Pick<IdSource, 'ask'>;
  readonly askMs: number;
  carrier(): Carrier;
}

const noArgs: Args = {};

export const createLives = ({ store, rows, events, waiters, clock, ids, askMs, carrier }: LivesPorts): Lives => {
  const carryOut = (row: InvocationRow, effects: readonly LaterEffect[], secrets: Args): void => {
    events.wake();
    for (const effect of effects) {
      if (effect.type === 'wakeWaiters') waiters.wake(row);
      if (effect.type === 'runApp') carrier().start(row, secrets);
      if (effect.type === 'abortApp') carrier().abort(row);
    }
  };

  const find = (key: Key): InvocationRow | null => {
    const row = rows.find(key);
    if (row === null || row.deadline_ms === null || row.deadline_ms > clock.now()) return row;
    return send(key, { type: 'EXPIRE', by: 'host', nowMs: clock.now() }).row;
  };

  const open: Lives['open'] = (call, input, ruling, secrets) => {
    const begun = beginInvocation(input, { ...ruling, deadlineMs: clock.now() + askMs });
    if (begun.outcome === 'denied') return begun.denied;
    const time_ms = clock.now();
    const asks = begun.effects.some(({ type }) => type === 'openAsk');
    const row: InvocationRow = {
      ...call,
      ask_id: asks ? ids.ask() : null,
      announced: asks ? 1 : 0,
      state: begun.state,
      version: begun.context.version,
      context_json: begun.context,
      edited_json: null,
      result_json: null,
      error_json: null,
      reason: null,
      created_ms: time_ms,
      decided_ms: null,
      decided_by: null,
      started_ms: begun.state === 'running' ? time_ms : null,
      ended_ms: null,
      deadline_ms: begun.context.deadlineMs,
    };
    store.transaction(() => {
      rows.insert(row);
      events.append(runEvent(row, 'started', time_ms));
      if (row.ask_id !== null) events.append(askEvent(row.workspace, row.ask_id, time_ms));
    });
    carryOut(
      row,
      begun.effects.filter((effect) => !isStored(effect)),
      secrets,
    );
    return row;
  };

  /** Inside the transaction. */
  const move = (
    row: InvocationRow,
    step: Extract<LifeStep, { outcome: 'moved' }>,
    time_ms: number,
    by: string | null,
  ): InvocationRow => {
    const next = advancedRow(row, step, { time_ms, by, newAsk: ids.ask });
    for (const effect of step.effects) if (effect.type === 'commit') effect.params.outcome.commit(time_ms);
    rows.move(row, row.version, next);
    const phase = endPhase(next.state);
    // One end, whatever follows: an expired ask that is put again has ended for watchers (D-43, D-50).
    if (phase !== null && row.ended_ms === null) events.append(runEvent(next, phase, time_ms));
    return next;
  };

  /** Inside the transaction: what is taken without a move is a repeated call, which puts the open ask anew. */
  const announce = (row: InvocationRow): InvocationRow => {
    rows.announce(row);
    return { ...row, announced: row.announced + 1 };
  };

  const send: Lives['send'] = (key, event, { secrets = noArgs, by, also } = {}) => {
    const [sent, later] = store.transaction((): readonly [Sent, readonly LaterEffect[]] => {
      const row = rows.find(key);
      if (row === null) throw new Error(`There is no invocation ${key.id}.`);
      const step: LifeStep = stepInvocation({ state: row.state, context: row.context_json }, event);
      if (step.outcome === 'stayed') return [{ row, outcome: 'stayed', why: step.why }, []];

      const time_ms = clock.now();
      const next = step.outcome === 'moved' ? move(row, step, time_ms, by ?? null) : announce(row);
      if (next.ask_id !== null) events.append(askEvent(next.workspace, next.ask_id, time_ms));
      also?.();
      return [{ row: next, outcome: step.outcome }, step.effects.filter((effect) => !isStored(effect))];
    });
    if (sent.outcome !== 'stayed') carryOut(sent.row, later, secrets);
    return sent;
  };

  return {
    find,
    byAsk: (workspace, ask) => {
      const row = rows.byAsk(workspace, ask);
      return row === null ? null : find(row);
    },
    open,
    send,
    deadline: () => clock.now() + askMs,
  };
};
