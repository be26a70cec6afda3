import type { WatchEvent, Watched } from '../../../schemas/wire/answers.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { WatchOptions } from './options.ts';
import { pause } from './patience.ts';

/** What happens in a workspace, event by event, until the loop is left or the signal aborted. */
export interface Watch extends AsyncIterable<WatchEvent> {
  /**
   * Where another watch goes on without losing an event: behind those that were handed out, except that within one
   * answer of the host it stands before all its events until the last was handed out. Undefined before the first answer.
   */
  readonly cursor: string | undefined;
}

/** A host that answers "nothing" at once is not asked again sooner than this. */
const leastMilliseconds = 1000;

/**
 * `tilo_watch` in a loop. One loop at a time goes over it; a later one goes on where the last stopped.
 *
 * @param once makes one call
 */
export const createWatch = (once: (options: WatchOptions) => Promise<Watched>, options: WatchOptions): Watch => {
  let cursor = options.cursor;
  const events = async function* (): AsyncGenerator<WatchEvent, void, undefined> {
    for (;;) {
      const begun = performance.now();
      // The first answer without a cursor says where "now" is. It is not held, so that a try that is made again cannot
      // pass over what happened since.
      const first = cursor === undefined;
      const waitMs = first ? 0 : (options.waitMs ?? wireLimits.defaultWaitMs);
      const page = await once({ ...options, waitMs, cursor });
      const last = page.events.length - 1;
      if (last < 0) cursor = page.cursor;
      for (const [index, event] of page.events.entries()) {
        if (index === last) cursor = page.cursor;
        yield event;
      }
      const rest = Math.min(leastMilliseconds, waitMs) - (performance.now() - begun);
      if (last < 0 && rest > 0) await pause(rest, options.signal);
    }
  };
  return {
    get cursor() {
      return cursor;
    },
    [Symbol.asyncIterator]: events,
  };
};
