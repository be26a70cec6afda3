import { PageEvent } from '../../../schemas/wire/person.ts';
import type { PersonClient } from './support.ts';

/** One event as it came. */
export interface Streamed {
  readonly id: string;
  readonly name: string;
  readonly event: PageEvent;
}

/** The event stream of a page, read as a browser reads it. */
export interface EventStream {
  readonly response: Response;
  /** The next event; null when the stream has ended. */
  next(): Promise<Streamed | null>;
  /** Events until one is as wanted, that one last. */
  until(wanted: (streamed: Streamed) => boolean): Promise<readonly Streamed[]>;
  /** The last id that was told, of an event or alone. */
  lastId(): string;
  close(): void;
}

export const openStream = async (
  person: PersonClient,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> => {
  const response = await person.get(path, headers);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error('The stream has no body.');
  let text = '';
  let id = '';

  const block = async (): Promise<string | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      text += value;
    }
  };

  const next = async (): Promise<Streamed | null> => {
    for (;;) {
      const lines = (await block())?.split('\n');
      if (lines === undefined) return null;
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      id = field('id') ?? id;
      const data = field('data');
      if (data !== undefined) return { id, name: field('event') ?? '', event: PageEvent.parse(JSON.parse(data)) };
    }
  };

  return {
    response,
    next,
    until: async (wanted) => {
      const seen: Streamed[] = [];
      for (;;) {
        const streamed = await next();
        if (streamed === null) throw new Error(`The stream ended after ${JSON.stringify(seen)}.`);
        seen.push(streamed);
        if (wanted(streamed)) return seen;
      }
    },
    lastId: () => id,
    close: () => {
      void reader.cancel();
    },
  };
};
