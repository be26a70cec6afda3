import type { Presence } from '../../../schemas/wire/answers.ts';
import type { Clock } from '../sources.ts';
import type { Store } from '../store/store.ts';
import type { EventLog, RosterKeeper } from './log.ts';
import { eventStatements } from './rows.ts';

/** How long after the last call an agent still counts as here (workspace-wire 4.7). */
const stayMilliseconds = 90_000;
/** How long changes are gathered before they are told. */
const settleMilliseconds = 300;
/** However much goes on changing: told after this long, so that it reaches a watch within a second. */
const latestMilliseconds = 600;
/** How often it is looked at who has gone. */
const lookMilliseconds = 1000;

interface Agent {
  name: string;
  /** Calls that are running or held. */
  calls: number;
  /** When the last one began or ended. */
  last: number;
}

interface Room {
  readonly people: Map<string, { readonly name: string; pages: number }>;
  readonly agents: Map<string, Agent>;
  /** The roster last told to the log, as JSON. */
  told: string;
  /** The log did not take what it was told last. */
  failing: boolean;
  /** A roster that is about to be told, and since when it or an earlier one was. */
  settling: { readonly roster: string; readonly since: number; readonly timer: NodeJS.Timeout } | null;
}

/**
 * Keeps who is in each workspace, in memory; what changed goes into the log.
 *
 * @param report takes one line about a log that takes nothing
 */
export const createRoster = (
  { store, events, clock }: Readonly<{ store: Store; events: EventLog; clock: Clock }>,
  report: (line: string) => void = () => {},
): RosterKeeper => {
  const sql = eventStatements(store.db);
  const rooms = new Map<string, Room>();
  let stopped = false;

  const roomOf = (workspace: string): Room => {
    let room = rooms.get(workspace);
    if (room === undefined) {
      // What the last process told counts: whoever resumes a watch learns who left with it.
      const told = sql.presence.get(workspace);
      room = {
        people: new Map(),
        agents: new Map(),
        told: JSON.stringify(told === undefined ? [] : JSON.parse(told).here),
        failing: false,
        settling: null,
      };
      rooms.set(workspace, room);
    }
    return room;
  };

  const isHere = ({ calls, last }: Agent): boolean => calls > 0 || clock.now() - last < stayMilliseconds;

  const here = (workspace: string): readonly Presence[] => {
    const room = rooms.get(workspace);
    if (room === undefined) return [];
    return [
      ...[...room.people].map(([id, { name }]) => ({ who: `person:${id}`, name, kind: 'person' as const })),
      ...[...room.agents]
        .filter(([, agent]) => isHere(agent))
        .map(([id, { name }]) => ({ who: `agent:${id}`, name, kind: 'agent' as const })),
    ];
  };

  const tell = (workspace: string, room: Room): void => {
    const now = here(workspace);
    const roster = JSON.stringify(now);
    if (roster === room.told) return;
    const time_ms = clock.now();
    store.transaction(() =>
      events.append({
        workspace,
        connection: null,
        kind: 'presence',
        ref: null,
        body: () => ({ kind: 'presence', here: now }),
        time_ms,
      }),
    );
    room.told = roster;
    events.wake();
  };

  /** Something may have changed: told when nothing more has for a moment. */
  const settle = (workspace: string, room: Room): void => {
    if (stopped) return;
    const roster = JSON.stringify(here(workspace));
    const { settling } = room;
    if (settling?.roster === roster) return;
    if (settling !== null) clearTimeout(settling.timer);
    room.settling = null;
    if (roster === room.told) return;
    const since = settling?.since ?? clock.now();
    const left = Math.max(0, Math.min(settleMilliseconds, since + latestMilliseconds - clock.now()));
    const timer = setTimeout(() => {
      room.settling = null;
      try {
        tell(workspace, room);
        room.failing = false;
      } catch (error) {
        // Nobody waits for this: a full disk ends no host. The lookout tries again, and the log hears of it once.
        if (!room.failing)
          report(`the roster of ${workspace} was not told: ${error instanceof Error ? error.stack : error}`);
        room.failing = true;
      }
    }, left);
    timer.unref();
    room.settling = { roster, since, timer };
  };

  const lookout = setInterval(() => {
    for (const [workspace, room] of rooms) {
      let gone = room.failing;
      for (const [id, agent] of room.agents) {
        // A clock that was set back must not keep everyone here until it has caught up.
        agent.last = Math.min(agent.last, clock.now());
        if (isHere(agent)) continue;
        room.agents.delete(id);
        gone = true;
      }
      if (gone) settle(workspace, room);
    }
  }, lookMilliseconds);
  lookout.unref();

  return {
    called: ({ connection, group }, workspace) => {
      const room = roomOf(workspace);
      const name = group?.title ?? connection.label;
      const agent = room.agents.get(connection.id) ?? { name, calls: 0, last: 0 };
      agent.name = name;
      agent.calls += 1;
      agent.last = clock.now();
      room.agents.set(connection.id, agent);
      settle(workspace, room);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        agent.calls -= 1;
        agent.last = clock.now();
      };
    },
    left: (connection) => {
      for (const [workspace, room] of rooms) if (room.agents.delete(connection)) settle(workspace, room);
    },
    personHere: (workspace, { id, name }) => {
      const room = roomOf(workspace);
      room.people.set(id, { name, pages: (room.people.get(id)?.pages ?? 0) + 1 });
      settle(workspace, room);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        const person = room.people.get(id);
        if (person === undefined) return;
        if (person.pages > 1) person.pages -= 1;
        else room.people.delete(id);
        settle(workspace, room);
      };
    },
    here,
    stop: () => {
      stopped = true;
      clearInterval(lookout);
      for (const { settling } of rooms.values()) if (settling !== null) clearTimeout(settling.timer);
    },
  };
};
