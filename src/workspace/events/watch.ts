import type { WatchEvent, Watched } from '../../../schemas/wire/answers.ts';
import type { WatchArguments } from '../../../schemas/wire/arguments.ts';
import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import { parsePath } from '../../../schemas/wire/path.ts';
import type { Caller } from '../caller.ts';
import { type Phrase, refuse, say } from '../failure.ts';
import type { Store } from '../store/store.ts';
import { shownWord } from '../world/refusals.ts';
import type { World } from '../world/world.ts';
import type { EventLog, Watch } from './log.ts';
import { isFor, type Narrowing, toldTo } from './view.ts';

/** Rows of one look; between two looks other calls get their turn. */
const batch = 1000;

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a watch gathered, and the last sequence number examined, or delivered when the answer is full. */
interface Gathered {
  readonly events: readonly WatchEvent[];
  readonly seq: number;
}

/**
 * The long poll over the log (workspace-wire 4.7).
 *
 * @param world told each time, since the rooms of a host know each other
 * @param most how many events one answer has at most
 */
export const createWatch = (
  { store, events: log, world }: Readonly<{ store: Store; events: EventLog; world: () => World }>,
  most: number = wireLimits.events,
): Watch => {
  const held = new Set<AbortController>();
  let released = false;
  const known = store.db.prepare<[string], number>('SELECT 1 FROM workspaces WHERE name = ?').pluck();

  const startingFrom = (caller: Caller, cursor: string | undefined): number => {
    if (cursor === undefined) return log.last();
    const { endpoint } = caller.connection;
    const next: readonly Phrase[] = [
      say`tilo_ls ${endpoint === null ? 'workspaces' : 'apps'} reads what is there, then tilo_watch without a cursor starts from now`,
    ];
    const seq = sequenceOf(cursor);
    if (seq === null || seq > log.last())
      throw refuse('invalid_cursor', say`${shownWord(cursor)} is not a cursor of this host.`, next);
    const oldest = log.oldest();
    if (seq < oldest)
      throw refuse('cursor_expired', say`Events before ${cursorOf(oldest + 1)} are no longer kept.`, next);
    return seq;
  };

  /** The workspace that a path of the account endpoint names by itself; null when it names something in one. */
  const wholeWorkspace = (caller: Caller, path: string): string | null => {
    const { endpoint, token } = caller.connection;
    if (endpoint !== null) return null;
    const parsed = parsePath(path);
    const [name, ...more] = parsed.ok && parsed.path.action === undefined ? parsed.path.segments : [];
    if (name === undefined || more.length > 0 || known.get(name) === undefined) return null;
    return token.workspace === null || token.workspace === name ? name : null;
  };

  const narrowingOf = async (caller: Caller, path: string | undefined): Promise<Narrowing | null> => {
    if (path === undefined) return null;
    const workspace = wholeWorkspace(caller, path);
    if (workspace !== null) return { workspace, ref: null };
    const place = await world().locate(caller, path);
    return { workspace: place.workspace, ref: place.ref };
  };

  const gather = async (caller: Caller, narrowing: Narrowing | null, from: number): Promise<Gathered> => {
    const events: WatchEvent[] = [];
    let seq = from;
    for (;;) {
      const rows = log.after(seq, batch);
      for (const row of rows) {
        seq = row.seq;
        if (!isFor(caller, narrowing, row)) continue;
        // Who is here now replaces who was here a moment ago.
        if (row.kind === 'presence') {
          const earlier = events.findIndex(({ kind }) => kind === 'presence');
          if (earlier >= 0) events.splice(earlier, 1);
        }
        events.push(toldTo(caller, row));
        if (events.length === most) return { events, seq };
      }
      if (rows.length < batch) return { events, seq };
      await breathe();
    }
  };

  /** Holds until something is there for the caller, its time is up, or it or the host has given up. */
  const hold = async (
    caller: Caller,
    narrowing: Narrowing | null,
    nothing: Gathered,
    milliseconds: number,
  ): Promise<Gathered> => {
    const ender = new AbortController();
    const giveUp = (): void => ender.abort();
    // By a timer: the clock of the host may be set while a call is held.
    const timer = setTimeout(giveUp, milliseconds);
    timer.unref();
    if (released || caller.signal.aborted) giveUp();
    held.add(ender);
    caller.signal.addEventListener('abort', giveUp, { once: true });
    try {
      let found = nothing;
      while (found.events.length === 0 && !ender.signal.aborted) {
        await log.wait(found.seq, milliseconds, ender.signal);
        if (log.last() <= found.seq) break;
        found = await gather(caller, narrowing, found.seq);
      }
      return found;
    } finally {
      clearTimeout(timer);
      held.delete(ender);
      caller.signal.removeEventListener('abort', giveUp);
    }
  };

  return {
    watch: async (caller, { cursor, wait_ms = wireLimits.defaultWaitMs, path }: WatchArguments): Promise<Watched> => {
      // Before the path is resolved: what happens meanwhile is after "now".
      const from = startingFrom(caller, cursor);
      const narrowing = await narrowingOf(caller, path);
      let found = await gather(caller, narrowing, from);
      if (found.events.length === 0) found = await hold(caller, narrowing, found, wait_ms);
      return { events: [...found.events], cursor: cursorOf(found.seq) };
    },
    release: () => {
      released = true;
      for (const ender of held) ender.abort();
    },
  };
};
