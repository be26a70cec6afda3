import { createHash } from 'node:crypto';
import type { Action, Args, EffectAction, Outcome, PlanContext, PlannedAction } from '../apps/app.ts';
import { AppError } from '../apps/appError.ts';
import { checkOutcome } from '../apps/outcome.ts';
import { incident } from '../failedAnswer.ts';
import { type Failure, at as path, refuse, say, WireFailure } from '../failure.ts';
import type { History, Prepared } from '../history/history.ts';
import type { Clock, IdSource } from '../sources.ts';
import type { Registry, Store } from '../store/store.ts';
import type { Turns } from '../turns.ts';
import type { ActionPlace, World } from '../world/world.ts';
import { AppFailure, effectContext, planContext } from './appContext.ts';
import type { ItemKeys } from './itemKeys.ts';
import { judgeArgs, leadsInto } from './judgedArgs.ts';
import type { Carrier, Lives } from './lives.ts';
import type { InvocationRow } from './rows.ts';
import { type Redactor, redactorOf } from './secrets.ts';
import { settle } from './settling.ts';
import { publishCopy } from './signedCopies.ts';
import { authorOf, storedConnection } from './storedCaller.ts';
import { keyText } from './waiters.ts';

export interface RunnerPorts {
  readonly store: Pick<Store, 'states' | 'directory' | 'key'>;
  readonly registry: Pick<Registry, 'tokens'>;
  world(): World;
  readonly history: Pick<History, 'prepareChange' | 'prepareUndo'>;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly ids: Pick<IdSource, 'ask'>;
  readonly itemKeys: ItemKeys;
  lives(): Pick<Lives, 'send'>;
  /** Takes one line for the log. */
  report(line: string): void;
}

/** Runs the actions of invocations that are `running`, and tells the machine how they end. */
export interface Runner extends Carrier {
  /** Runs end by themselves, then are told to, then are left: each for so long. Nothing is stored after it. */
  end(milliseconds: number): Promise<void>;
}

/** One attempt. */
interface Attempt {
  readonly row: InvocationRow;
  readonly args: Args;
  readonly signal: AbortSignal;
  readonly redact: Redactor;
}

const nothingTouched = (result: Prepared['result']): Prepared => ({
  ...(result !== undefined && { result }),
  resources: [],
  commit: () => {},
});

/** What an app said of its action, without the secrets it was given; one that would store them is at fault. */
const withoutSecrets = (app: string, action: Action, outcome: Outcome, redact: Redactor): Outcome => {
  const { ops = [], result, touches } = outcome;
  if (ops.some(({ key, value }) => redact.finds(key) || redact.finds(value)))
    throw new AppError(app, `action ${action.id}`, 'would store a secret that it was given');
  return {
    ...outcome,
    ...(result !== undefined && { result: redact.json(result) }),
    ...(touches && {
      touches: touches.map(({ resource, sentence }) => ({ resource, sentence: redact.text(sentence) })),
    }),
  };
};

/** The same for every attempt of one invocation, and for no other: ids are the callers' own and may be used again years later. */
const idempotencyKey = ({ token, id, created_ms }: InvocationRow): string =>
  createHash('sha256').update(`${token}\0${id}\0${created_ms}`, 'utf8').digest('hex').slice(0, 32);

/** An app that offers another kind of action under the same id: what was admitted, and perhaps allowed, is not this one. */
const changedKind = (row: InvocationRow): WireFailure =>
  refuse('unknown_action', say`${row.action} is another kind of action now.`, [
    say`tilo_ls ${path(row.path)} shows what it does now`,
  ]);

const pause = (milliseconds: number): Promise<void> & { cancel(): void } => {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return Object.assign(promise, { cancel: () => clearTimeout(timer) });
};

export const createRunner = ({
  store,
  registry,
  world,
  history,
  turns,
  clock,
  ids,
  itemKeys,
  lives,
  report,
}: RunnerPorts): Runner => {
  const runs = new Map<string, Readonly<{ controller: AbortController; done: Promise<void> }>>();
  const ending = new AbortController();
  let closed = false;

  const lost = ({ redact }: Attempt, error: unknown): Failure =>
    incident(error, null, ids, (line) => report(redact.text(line)));

  /** An end is stored as long as the host lives. */
  const settled = (attempt: Attempt, end: () => Promise<void> | void): Promise<void> =>
    settle(
      async () => {
        if (!closed) await end();
      },
      ending.signal,
      (error) => {
        lost(attempt, error);
      },
    );

  const succeed = (row: InvocationRow, outcome: Prepared): void => {
    if (!closed) lives().send(row, { type: 'APP_OK', by: 'app', outcome });
  };

  /** The action as it can be tried now, by its resource's identity: names may have changed since it was admitted. */
  const locate = ({ row }: Attempt): Promise<ActionPlace> =>
    world().locateAction({ connection: storedConnection(registry, row) }, `${row.ref}#${row.action}`);

  const argsFor = async (at: ActionPlace, { row, args }: Attempt): Promise<Args> => {
    const connection = storedConnection(registry, row);
    const checked = await judgeArgs(at, args, leadsInto(world(), { connection }, row.workspace));
    if (!checked.ok) throw new WireFailure(checked.failure);
    return checked.args;
  };

  const contextOf = (at: ActionPlace, { row, signal }: Attempt, newItem: PlanContext['newItem']): PlanContext =>
    planContext({
      place: at.place,
      state: store.states.of(row.workspace, at.place.app.id),
      now_ms: clock.now(),
      newItem,
      signal,
    });

  const planned = async (
    at: ActionPlace,
    action: PlannedAction,
    attempt: Attempt,
    newItem: PlanContext['newItem'],
  ): Promise<Outcome> => {
    const args = await argsFor(at, attempt);
    const outcome = await action.plan(contextOf(at, attempt, newItem), args);
    checkOutcome(at.place.app, action, outcome);
    return withoutSecrets(at.place.app.id, action, outcome, attempt.redact);
  };

  /** Reads hold no turn: they change nothing (workspace-wire 2.4). */
  const reading = async (attempt: Attempt): Promise<Prepared> => {
    const at = await locate(attempt);
    if (at.offered.by === 'host' || at.offered.action.kind !== 'read') throw changedKind(attempt.row);
    const { result } = await planned(at, at.offered.action, attempt, () => {
      throw new AppError(attempt.row.app, `action ${attempt.row.action}`, 'reads, so it makes no item');
    });
    return nothingTouched(result);
  };

  /** Within its turn: the plan, and what it comes to on the state that it saw. */
  const changing = async (attempt: Attempt): Promise<void> => {
    const { row, signal } = attempt;
    signal.throwIfAborted();
    const at = await locate(attempt);
    if (at.offered.by === 'host') {
      const args = await argsFor(at, attempt);
      succeed(row, await history.prepareUndo(at, at.offered.way, args, authorOf(row)));
      return;
    }
    const { action } = at.offered;
    if (action.kind !== 'undoable') throw changedKind(row);
    const keys = itemKeys.forPlan(row.workspace, row.app);
    try {
      const outcome = await planned(at, action, attempt, keys.take);
      const counter = keys.next();
      succeed(row, await history.prepareChange(at, outcome, authorOf(row), { effect: false, counter }));
    } finally {
      // Not before the commit has raised the counter: an effect beside this turn may ask for a key at any time.
      keys.end();
    }
  };

  /** The effect outside of any turn; gives what makes its operations on the state of the turn that follows. */
  const affecting = async (attempt: Attempt): Promise<() => Promise<Prepared>> => {
    const { row } = attempt;
    const at = await locate(attempt);
    if (at.offered.by === 'host' || at.offered.action.kind !== 'outside') throw changedKind(row);
    const action: EffectAction = at.offered.action;
    const { app } = at.place;
    const args = await argsFor(at, attempt);
    const plan = contextOf(at, attempt, itemKeys.forEffect(row.workspace, app.id));
    const context = effectContext(plan, {
      idempotencyKey: idempotencyKey(row),
      publish: (content) =>
        publishCopy(
          store,
          { workspace: row.workspace, app: app.id, action: action.id, resource: row.ref, time_ms: clock.now() },
          attempt.redact.json(content),
        ),
    });
    const { ops: makeOps, ...rest } = await action.effect(context, args);
    return async () => {
      const ops = makeOps?.(store.states.of(row.workspace, app.id)) ?? [];
      const outcome: Outcome = { ...rest, ops };
      checkOutcome(app, action, outcome);
      return history.prepareChange(at, withoutSecrets(app.id, action, outcome, attempt.redact), authorOf(row), {
        effect: action.operationsOnly !== true,
        counter: null,
      });
    };
  };

  /** Why it failed, as answers tell it; null when it stopped because it was told to. */
  const failureOf = async ({ row, signal, redact }: Attempt, error: unknown): Promise<Failure | null> => {
    if (error instanceof AppFailure) {
      const next = await world().phrases(row.workspace, error.next);
      return redact.failure({ code: error.code === '' ? 'failed' : error.code, message: [error.message], next });
    }
    if (error instanceof WireFailure) return redact.failure(error.failure);
    const told = signal.aborted && error instanceof Error && error.name === 'AbortError';
    if (told) return null;
    const failure = incident(error, row.app, ids, (line) => report(redact.text(line)));
    return signal.aborted ? null : failure;
  };

  const fail = async (attempt: Attempt, error: unknown): Promise<void> => {
    if (closed) return;
    const failure = await failureOf(attempt, error);
    if (closed) return;
    // One that the host's end aborted stays `running` in the store: the next start decides on it as on any cut off.
    await settled(attempt, () => {
      if (failure === null) lives().send(attempt.row, { type: 'APP_ABORTED', by: 'app' });
      else lives().send(attempt.row, { type: 'APP_FAIL', by: 'app', failure });
    });
  };

  const run = async (attempt: Attempt): Promise<void> => {
    const { row } = attempt;
    try {
      switch (row.action_kind) {
        case 'read':
          succeed(row, await reading(attempt));
          return;
        case 'undoable':
          await turns.take(row.workspace, () => changing(attempt));
          return;
        case 'outside': {
          const prepare = await affecting(attempt);
          // Its effect has happened: to call it failed would have it done twice.
          await settled(attempt, () => turns.take(row.workspace, async () => succeed(row, await prepare())));
        }
      }
    } catch (error) {
      await fail(attempt, error);
    }
  };

  return {
    start: (row, secrets) => {
      const controller = new AbortController();
      const name = keyText(row);
      const args = { ...(row.edited_json ?? row.args_json), ...secrets };
      const attempt: Attempt = { row, args, signal: controller.signal, redact: redactorOf(secrets) };
      const done = run(attempt)
        .catch((error: unknown) => {
          const failure = lost(attempt, error);
          if (!closed) lives().send(row, { type: 'APP_FAIL', by: 'app', failure });
        })
        // Not even its failure could be stored: it stays `running` until the next start.
        .catch((error: unknown) => {
          lost(attempt, error);
        })
        .then(() => {
          runs.delete(name);
        });
      runs.set(name, { controller, done });
    },
    abort: (key) => {
      runs.get(keyText(key))?.controller.abort();
    },
    end: async (milliseconds) => {
      ending.abort();
      const ended = async (): Promise<void> => {
        const time = pause(milliseconds);
        await Promise.race([Promise.all([...runs.values()].map(({ done }) => done)), time]);
        time.cancel();
      };
      await ended();
      for (const { controller } of runs.values()) controller.abort();
      if (runs.size > 0) await ended();
      closed = true;
    },
  };
};
