import { Watched } from '../../../schemas/wire/answers.ts';
import { eventLine } from '../../wireText/watch.ts';
import type { Told } from './told.ts';

interface From {
  readonly cursor: string | undefined;
  readonly waitMs: number | undefined;
  readonly print: (told: Told) => void;
}

/**
 * Watches on and on and prints each answer in which something happened: its events alone, for the cursors between them
 * are no news. Ends with the answer that says why it cannot go on.
 *
 * @param once one call from a cursor on
 */
export const following = async (
  once: (cursor: string | undefined, waitMs: number | undefined) => Promise<Told>,
  { cursor, waitMs, print }: From,
): Promise<Told> => {
  // The first call only tells where "now" is, so that what happens while the next one is on its way is not missed.
  for (let from = cursor; ; ) {
    const told = await once(from, from === undefined ? 0 : waitMs).catch((error: unknown) => {
      if (from === undefined || !(error instanceof Error)) throw error;
      throw new Error(`${error.message} With --cursor ${from} it goes on from there.`, { cause: error });
    });
    if (told.exit !== 0) return told;
    const { events, cursor: next } = Watched.parse(told.answer);
    if (events.length > 0) print({ ...told, text: events.map(eventLine).join('\n') });
    from = next;
  }
};
