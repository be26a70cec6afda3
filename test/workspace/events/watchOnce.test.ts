import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';
import type { Connection } from '../../../src/workspace/caller.ts';
import type { NewEvent, StoredEvent } from '../../../src/workspace/events/log.ts';
import { type Bench, callerOf, garden, openBench } from '../history/bench.ts';

/** An event that somebody writes; the number picks its connection. */
interface Written {
  readonly workspace: 'home' | 'studio';
  readonly kind: NewEvent['kind'];
  readonly ref: string;
  readonly connection: number;
}

const refs = ['notes', 'notes/0a01', 'notes/0a01/a101', 'notes/0a011', 'notes/0a011/a101', 'notes/0b02/b201', 'notesy'];

const written = fc.record<Written>({
  workspace: fc.constantFrom('home', 'home', 'studio'),
  kind: fc.constantFrom('change', 'change', 'run', 'presence', 'ask'),
  ref: fc.constantFrom(...refs),
  connection: fc.nat(2),
});
const batch = fc.array(written, { minLength: 1, maxLength: 12 });

type Command =
  | Readonly<{ do: 'write'; events: readonly Written[] }>
  | Readonly<{ do: 'look' | 'cancel' | 'release'; chain: number }>
  | Readonly<{ do: 'hold'; chain: number; events: readonly Written[] }>
  | Readonly<{ do: 'restart' }>;

const commands = fc.array(
  fc.oneof<fc.Arbitrary<Command>[]>(
    fc.record({ do: fc.constant('write'), events: batch }),
    fc.record({ do: fc.constantFrom('look', 'look', 'cancel', 'release'), chain: fc.nat(4) }),
    fc.record({ do: fc.constant('hold'), chain: fc.nat(4), events: batch }),
    fc.record({ do: fc.constant('restart') }),
  ),
  { maxLength: 25 },
);

const bodyOf = ({ kind, ref }: Written, seq: number): object => {
  const time_ms = 1;
  if (kind === 'change')
    return { kind, path: ref, change: cursorOf(seq), sentence: `did ${seq}`, by: 'Mira', time_ms, undone: false };
  if (kind === 'run') return { kind, phase: 'started', invocation_id: `i${seq}`, path: `${ref}#act`, time_ms };
  if (kind === 'presence') return { kind, here: [{ who: `agent:${seq}`, name: 'Desk', kind: 'agent' }] };
  return { ask: `a${seq}` };
};

/** Somebody who watches, from cursor to cursor, and what they were told. */
interface Chain {
  readonly connection: Connection;
  readonly path: string | null;
  cursor: string;
  readonly start: number;
  readonly told: Record<string, unknown>[];
}

const isUnder = (ref: string | null, path: string | null): boolean => {
  if (path === null) return true;
  const [above, below] = [path.split('/'), (ref ?? '').split('/')];
  return above.every((segment, index) => below[index] === segment);
};

/** What of the log is a chain's own, said once more in other words. */
const isOwn = ({ connection, path }: Chain, event: StoredEvent): boolean => {
  const account = connection.endpoint === null;
  const here = account || connection.endpoint === event.workspace;
  if (event.kind === 'ask' || !here) return false;
  if (event.kind === 'presence') return !account;
  if (event.kind === 'run') return event.connection === connection.id;
  const [workspace, within] = account
    ? [path?.split('/')[0], path?.split('/').slice(1).join('/') || null]
    : [null, path];
  return (workspace === null || workspace === undefined || workspace === event.workspace) && isUnder(event.ref, within);
};

const shown = ({ connection }: Chain, { workspace, body }: StoredEvent): Record<string, unknown> =>
  connection.endpoint === null && typeof body.path === 'string' ? { ...body, path: `${workspace}/${body.path}` } : body;

describe('a watch', () => {
  it('W-35 tells each event exactly once along its cursors, over cancels, page sizes and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(commands, fc.integer({ min: 1, max: 6 }), async (script, most) => {
        let bench: Bench = openBench({ pages: garden, most });
        const home = [bench.connect('One'), bench.connect('Two')];
        const account = bench.connect('Account', { endpoint: null });
        const connections = [...home, account];
        const chainOf = async (connection: Connection | undefined, path: string | null): Promise<Chain> => {
          if (connection === undefined) throw new Error('no connection');
          const { events, cursor } = await bench.watch.watch(callerOf(connection), {
            wait_ms: 0,
            ...(path && { path }),
          });
          expect(events).toEqual([]);
          return { connection, path, cursor, start: sequenceOf(cursor) ?? Number.NaN, told: [] };
        };
        const write = (events: readonly Written[]): void => {
          bench.store.transaction(() => {
            for (const event of events)
              bench.events.append({
                workspace: event.workspace,
                connection: event.kind === 'run' ? (connections[event.connection]?.id ?? null) : null,
                kind: event.kind,
                ref: event.kind === 'change' ? event.ref : null,
                body: (seq) => bodyOf(event, seq),
                time_ms: 1,
              });
          });
          bench.events.wake();
        };
        write([{ workspace: 'home', kind: 'change', ref: 'notes', connection: 0 }]);
        const chains = [
          await chainOf(home[0], null),
          await chainOf(home[1], 'notes/0a01'),
          await chainOf(account, null),
          await chainOf(account, 'home/notes/0a01'),
          await chainOf(account, 'studio'),
        ];

        const ask = (chain: Chain, wait_ms: number, signal?: AbortSignal): ReturnType<Bench['watch']['watch']> =>
          bench.watch.watch(callerOf(chain.connection, {}, signal), {
            cursor: chain.cursor,
            wait_ms,
            ...(chain.path !== null && { path: chain.path }),
          });
        /** Takes an answer, which must hold just what lies between the two cursors. */
        const take = (chain: Chain, { events, cursor }: Awaited<ReturnType<typeof ask>>): number => {
          const [from, to] = [sequenceOf(chain.cursor) ?? 0, sequenceOf(cursor) ?? 0];
          const between = bench.events.after(from, 10_000).filter((event) => event.seq <= to && isOwn(chain, event));
          const last = between.findLast(({ kind }) => kind === 'presence');
          const expected = between.filter((event) => event.kind !== 'presence' || event === last);
          expect(events).toEqual(expected.map((event) => shown(chain, event)));
          expect(events.length).toBeLessThanOrEqual(most);
          chain.cursor = cursor;
          chain.told.push(...events);
          return events.length;
        };

        for (const command of script) {
          const chain = 'chain' in command ? chains[command.chain] : undefined;
          if (command.do === 'write') write(command.events);
          if (command.do === 'restart') bench = bench.reopen();
          if (chain === undefined) continue;
          if (command.do === 'look') take(chain, await ask(chain, 0));
          else {
            const giveUp = new AbortController();
            const held = ask(chain, 60_000, giveUp.signal);
            if (command.do === 'cancel') {
              // Its answer is lost: the chain asks again from where it was.
              giveUp.abort();
              await held;
            }
            if (command.do === 'release') {
              bench.watch.release();
              take(chain, await held);
              bench = bench.reopen();
            }
            if (command.do === 'hold') {
              write(command.events);
              const comes = bench.events
                .after(sequenceOf(chain.cursor) ?? 0, 10_000)
                .some((event) => isOwn(chain, event));
              if (!comes) giveUp.abort();
              take(chain, await held);
            }
          }
        }
        for (const chain of chains) {
          while (take(chain, await ask(chain, 0)) > 0);
          const all = bench.events.after(chain.start, 10_000).filter((event) => isOwn(chain, event));
          const changesAndRuns = (event: Record<string, unknown>): boolean => event.kind !== 'presence';
          expect(chain.told.filter(changesAndRuns)).toEqual(
            all.map((event) => shown(chain, event)).filter(changesAndRuns),
          );
        }
      }),
      { numRuns: 40 },
    );
  });
});
