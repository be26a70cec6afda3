import type { z } from 'zod';
import type {
  Done,
  DoneAll,
  Found,
  Listing,
  ListRow,
  ProgramAnswer,
  Reading,
  Watched,
} from '../../../schemas/wire/answers.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { NamedRun } from '../../../schemas/wire/meta.ts';
import type { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { expected, isBareFailure, orRefused, typedIn } from './answers.ts';
import { AskPending, type Repeat } from './askPending.ts';
import { newInvocationId } from './invocationIds.ts';
import type { Link } from './link.ts';
import type {
  ActionCall,
  CallOptions,
  DoAllOptions,
  DoOptions,
  FindOptions,
  HeldOptions,
  LsOptions,
  ReadOptions,
  TiloOptions,
  WatchOptions,
} from './options.ts';
import { untilSaid } from './patience.ts';
import { ProtocolError } from './protocolError.ts';
import { joinPages } from './readAll.ts';
import { Refused } from './refused.ts';
import { Run, type Waiting } from './run.ts';
import { createWatch, type Watch } from './watch.ts';

/** A listing to come: awaited, its first page; gone over, the rows of all pages. */
export type ListingCall = Promise<Listing> & AsyncIterable<ListRow>;

/** What a program answered; a preview is a value, not an error. */
export type TiloAnswer = ProgramAnswer;

/**
 * The seven tools as functions (workspace-wire section 8). Results keep the keys of the wire. Each throws `Refused` when
 * the host says no, `ProtocolError` when the call itself goes wrong, and the reason of an aborted signal.
 */
export interface Calls {
  /** Lists what is at a path; the apps (at the account: the workspaces) without one. */
  ls(path?: string, options?: LsOptions): ListingCall;
  /** The rows of a listing, over all its pages. */
  rows(path?: string, options?: LsOptions): AsyncIterable<ListRow>;
  /** Reads a resource: the first page, or the one at a cursor. */
  read(path: string, options?: ReadOptions): Promise<Reading>;
  /** Reads a resource whole: the children of all pages, and paged texts put together. */
  readAll(path: string, options?: Omit<ReadOptions, 'cursor'>): Promise<Reading>;
  /**
   * Runs one action. Gives a `Run` when it runs longer than `waitMs` (25,000 when absent); throws `AskPending` when it
   * waits for its person.
   */
  do(path: string, args?: Readonly<Record<string, unknown>>, options?: DoOptions): Promise<Done | Run>;
  /** Runs several actions in order, up to the first that is not ok; `Refused.steps` has those before it. */
  doAll(calls: readonly ActionCall[], options?: DoAllOptions): Promise<DoneAll | Run<DoneAll>>;
  /** How an invocation of this token stands, as `do` would tell it; `waitMs` is 0 when absent. */
  status(invocationId: string, options?: HeldOptions): Promise<Done | Run>;
  /** Stops an invocation. Gives its end, which may be `cancelled` or, too late, `ok`; a `Run` while it still runs. */
  cancel(invocationId: string, options?: CallOptions): Promise<Done | Run>;
  find(query: string, options?: FindOptions): Promise<Found>;
  /** Runs a program. */
  tilo(program: string, options?: TiloOptions): Promise<TiloAnswer>;
  /** What happens from the cursor, or from now, until the loop is left. */
  watch(options?: WatchOptions): Watch;
  /** One call of `tilo_watch`: what happened since the cursor, and the next one. `waitMs` is 25,000 when absent. */
  watchOnce(options?: WatchOptions): Promise<Watched>;
}

interface Asked<T> {
  readonly tool: WireTool;
  readonly schema: z.ZodType<T>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly waitMs?: number | undefined;
  readonly run: NamedRun | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The calls of one connection that are known to wait for their person, by invocation: what makes them again. */
export type Open = Map<string, Repeat>;

/**
 * @param link where the calls go
 * @param open kept by the connection, so that `status` of an ask can make the call again that opened it
 * @param runNow the named run that a call made now is a step of
 */
export const createCalls = (link: Link, open: Open, runNow: () => NamedRun | undefined): Calls => {
  const ask = async <T>({ tool, schema, args, waitMs = 0, run, signal }: Asked<T>): Promise<T> =>
    typedIn(tool, schema, await link.call({ tool, args, waitMs, run, signal }));

  /** Aborted calls of actions go on at the host, unless the caller wants them cancelled with it. */
  const cancelling = async <T>(
    ids: readonly string[],
    { signal, cancelOnAbort }: DoAllOptions,
    call: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (signal?.aborted && cancelOnAbort)
        for (const invocation_id of ids)
          await ask({
            tool: 'tilo_status',
            schema: expected.do,
            args: { invocation_id, cancel: true },
            run: undefined,
            signal: undefined,
          });
      throw error;
    }
  };

  const follow = (invocationId: string) => ({
    status: ({ signal }: Waiting) => status(invocationId, { signal }),
    cancel: ({ signal }: Waiting) => cancel(invocationId, { signal }),
  });

  const ended = (id: string, { signal }: Waiting): Promise<Done> =>
    untilSaid(async (waitMs) => {
      const done = await status(id, { waitMs, signal });
      return done instanceof Run ? null : { value: done };
    }, signal);

  /** One action's answer as the SDK gives it. */
  const settled = (answer: z.infer<typeof expected.do>, repeat: Repeat): Done | Run => {
    if (isBareFailure(answer)) throw new Refused(answer.error, answer);
    const { status: state, invocation_id: id } = answer;
    if (state === 'pending' && answer.ask) {
      open.set(id, repeat);
      throw new AskPending(answer.ask, answer, repeat);
    }
    if (state === 'pending') return new Run(id, answer, { ...follow(id), wait: (waiting) => ended(id, waiting) });
    open.delete(id);
    if (state === 'ok') return answer;
    if (!answer.error) throw new ProtocolError(`The answer for ${id} failed and does not say why.`);
    throw new Refused(answer.error, answer, { action: answer.action });
  };

  const settledAll = (answer: DoneAll, repeat: (options: HeldOptions) => Promise<DoneAll | Run<DoneAll>>) => {
    const { status: state, steps } = answer;
    if (state === 'ok') return answer;
    const stopped = steps[answer.stopped_at ?? steps.length - 1];
    if (stopped === undefined) throw new ProtocolError('The answer for several actions stopped at none of them.');
    const ref = answer.ask ?? stopped.ask;
    if (state === 'pending' && ref) throw new AskPending(ref, answer, repeat);
    const id = answer.invocation_id ?? stopped.invocation_id;
    if (state === 'pending')
      return new Run<DoneAll>(id, answer, {
        ...follow(id),
        // The steps before it answer from store, and the batch goes on behind it.
        wait: ({ signal }) =>
          untilSaid(async (waitMs) => {
            const all = await repeat({ waitMs, signal });
            return all instanceof Run ? null : { value: all };
          }, signal),
      });
    if (!stopped.error) throw new ProtocolError(`The answer for ${id} failed and does not say why.`);
    throw new Refused(stopped.error, answer, { action: stopped.action, steps });
  };

  const status = async (invocationId: string, options: HeldOptions = {}): Promise<Done | Run> => {
    const { waitMs, signal } = options;
    const answer = await ask({
      tool: 'tilo_status',
      schema: expected.do,
      args: { invocation_id: invocationId, wait_ms: waitMs },
      waitMs,
      run: runNow(),
      signal,
    });
    // Only the call itself can be put again; where another process made it, its status is asked again.
    return settled(answer, open.get(invocationId) ?? ((again) => status(invocationId, again)));
  };

  const cancel = async (invocationId: string, { signal }: CallOptions = {}): Promise<Done | Run> => {
    const answer = await ask({
      tool: 'tilo_status',
      schema: expected.do,
      args: { invocation_id: invocationId, cancel: true },
      // The host gives the action 5 s to stop.
      waitMs: 5000,
      run: runNow(),
      signal,
    });
    open.delete(invocationId);
    if (!isBareFailure(answer) && answer.error?.code === 'cancelled') return answer;
    return settled(answer, (again) => status(invocationId, again));
  };

  const pageOf = async (run: NamedRun | undefined, path: string | undefined, options: LsOptions): Promise<Listing> => {
    const { kind, limit, cursor, signal } = options;
    return orRefused(
      await ask({ tool: 'tilo_ls', schema: expected.ls, args: { path, kind, limit, cursor }, run, signal }),
    );
  };

  const ls = (path?: string, options: LsOptions = {}): ListingCall => {
    const run = runNow();
    const first = pageOf(run, path, options);
    const rows = async function* (): AsyncGenerator<ListRow, void, undefined> {
      let page = await first;
      for (;;) {
        yield* page.rows;
        const cursor = page.next_cursor;
        if (cursor === undefined) return;
        page = await pageOf(run, path, { ...options, cursor });
        if (page.next_cursor === cursor) throw new ProtocolError(`The listing does not go on behind cursor ${cursor}.`);
      }
    };
    return Object.assign(first, { [Symbol.asyncIterator]: rows });
  };

  const readPage = async (run: NamedRun | undefined, path: string, options: ReadOptions): Promise<Reading> => {
    const { item, cursor, signal } = options;
    return orRefused(
      await ask({ tool: 'tilo_read', schema: expected.read, args: { path, item, cursor }, run, signal }),
    );
  };

  const watchOnce = async ({ path, cursor, waitMs, signal }: WatchOptions = {}): Promise<Watched> => {
    const args = { cursor, wait_ms: waitMs, path };
    const held = waitMs ?? wireLimits.defaultWaitMs;
    return orRefused(
      await ask({ tool: 'tilo_watch', schema: expected.watch, args, waitMs: held, run: runNow(), signal }),
    );
  };

  return {
    ls,
    rows: (path, options) => ({ [Symbol.asyncIterator]: () => ls(path, options)[Symbol.asyncIterator]() }),
    read: (path, options = {}) => readPage(runNow(), path, options),
    readAll: async (path, options = {}) => {
      const run = runNow();
      const first = await readPage(run, path, options);
      const rest: Reading[] = [];
      for (let { cursor } = first; cursor !== undefined; ) {
        const page = await readPage(run, path, { ...options, cursor });
        if (page.cursor === cursor) throw new ProtocolError(`The reading does not go on behind cursor ${cursor}.`);
        rest.push(page);
        cursor = page.cursor;
      }
      return joinPages(first, rest);
    },
    do: (path, args, options = {}) => {
      const { invocationId = newInvocationId(), waitMs } = options;
      const run = runNow();
      const sent = { path, args, invocation_id: invocationId };
      const make = async (held: HeldOptions): Promise<Done | Run> => {
        const wait = held.waitMs ?? waitMs;
        const answer = await ask({
          tool: 'tilo_do',
          schema: expected.do,
          args: { ...sent, wait_ms: wait },
          waitMs: wait ?? wireLimits.defaultWaitMs,
          run,
          signal: held.signal,
        });
        return settled(answer, make);
      };
      return cancelling([invocationId], options, () => make(options));
    },
    doAll: (calls, options = {}) => {
      const run = runNow();
      const sent = calls.map(({ path, args, invocationId = newInvocationId() }) => ({
        path,
        args,
        invocation_id: invocationId,
      }));
      const make = async (held: HeldOptions): Promise<DoneAll | Run<DoneAll>> => {
        const wait = held.waitMs ?? options.waitMs;
        const answer = await ask({
          tool: 'tilo_do',
          schema: expected.doAll,
          args: { calls: sent, wait_ms: wait },
          waitMs: wait ?? wireLimits.defaultWaitMs,
          run,
          signal: held.signal,
        });
        return settledAll(orRefused(answer), make);
      };
      const ids = sent.map(({ invocation_id }) => invocation_id);
      return cancelling(ids, options, () => make(options));
    },
    status,
    cancel,
    find: async (query, { app, kind, limit, signal } = {}) => {
      const args = { query, app, kind, limit };
      return orRefused(await ask({ tool: 'tilo_find', schema: expected.find, args, run: runNow(), signal }));
    },
    tilo: async (program, { confirm, invocationId = newInvocationId(), signal } = {}) => {
      const args = { program, confirm, invocation_id: invocationId };
      const answer = await ask({ tool: 'tilo', schema: expected.tilo, args, run: runNow(), signal });
      if (answer.status !== 'failed') return answer;
      if (!answer.error) throw new ProtocolError('The program failed, and its answer does not say why.');
      throw new Refused(answer.error, answer);
    },
    watch: (options = {}) => createWatch(watchOnce, options),
    watchOnce,
  };
};
