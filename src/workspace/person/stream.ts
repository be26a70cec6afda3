import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { Presence } from '../../../schemas/wire/answers.ts';
import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';
import type { PageEvent } from '../../../schemas/wire/person.ts';
import type { StoredEvent } from '../events/log.ts';
import type { Host } from '../host.ts';
import type { Person } from './admit.ts';
import { guards } from './send.ts';

/** What the stream is made from. */
export type StreamHost = Pick<Host, 'events' | 'roster' | 'invocations' | 'watching' | 'stopping'>;

/** A line is sent after this long without one, so that whatever lies between does not take the stream for dead. */
const keepAliveMilliseconds = 15_000;
/** How soon a browser that lost the stream comes back, in milliseconds. */
const retry = 2000;
const rowsAtOnce = 200;

const AskRow = z.object({ ask: z.string() });
const ChangeRow = z.object({ change: z.string() });
const PresenceRow = z.object({ here: z.array(Presence) });

/** What a row of the log tells the page; null when it is nothing for it. */
const pageEvent = async (host: StreamHost, workspace: string, row: StoredEvent): Promise<PageEvent | null> => {
  switch (row.kind) {
    case 'ask': {
      const ask = await host.invocations.ask(workspace, AskRow.parse(row.body).ask);
      return ask && { type: 'ask', ask };
    }
    case 'change':
      return { type: 'change', change: ChangeRow.parse(row.body).change, app: row.ref?.split('/')[0] ?? '' };
    case 'presence':
      return { type: 'roster', here: PresenceRow.parse(row.body).here };
    case 'run':
      return null;
  }
};

/** Where a browser left off, as far as the log still goes; else now: the page loads anew what it shows when it opens a stream. */
const startOf = ({ headers }: IncomingMessage, query: URLSearchParams, { events }: StreamHost): number => {
  const told = headers['last-event-id'] ?? query.get('cursor');
  const seq = typeof told === 'string' ? sequenceOf(told) : null;
  return seq !== null && seq >= events.oldest() && seq <= events.last() ? seq : events.last();
};

/**
 * Streams asks, changes and the roster of a workspace to a page until it is closed or the host stops; meanwhile its
 * person is here (workspace-wire sections 4.7 and 9). The id of an event is a watch cursor.
 */
export const streamEvents = async (
  host: StreamHost,
  workspace: string,
  person: Person,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): Promise<void> => {
  const { events } = host;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // Whatever breaks the connection, nothing more is written to it.
  response.on('error', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, host.stopping]);

  let seq = startOf(request, query, host);
  let told = seq;
  response.writeHead(200, {
    ...guards,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const write = async (text: string): Promise<void> => {
    if (!response.write(text)) await once(response, 'drain', { signal });
  };

  const ends = [host.roster.personHere(workspace, person), host.watching()];
  const keepAlive = setInterval(() => {
    if (signal.aborted) return;
    // An id without data moves the browser's cursor and tells it nothing.
    response.write(told === seq ? ': still here\n\n' : `id: ${cursorOf(seq)}\n\n`);
    told = seq;
  }, keepAliveMilliseconds);
  keepAlive.unref();
  try {
    await write(`retry: ${retry}\nid: ${cursorOf(seq)}\n\n`);
    while (!signal.aborted) {
      const rows = events.after(seq, rowsAtOnce);
      if (rows.length === 0) await events.wait(seq, keepAliveMilliseconds, signal);
      for (const row of rows) {
        const event = row.workspace === workspace ? await pageEvent(host, workspace, row) : null;
        if (signal.aborted) return;
        seq = row.seq;
        if (event === null) continue;
        told = seq;
        await write(`event: ${event.type}\nid: ${cursorOf(seq)}\ndata: ${JSON.stringify(event)}\n\n`);
      }
    }
  } catch (error) {
    // A page that closed while something waited for it is no fault.
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(keepAlive);
    for (const end of ends) end();
    if (!response.destroyed) response.end();
  }
};
