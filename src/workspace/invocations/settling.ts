import { takesNothing } from '../store/errors.ts';

/** How often it is tried again to store an end, while the database takes nothing. */
const againMilliseconds = 1000;

/** Some time later, or when the signal is aborted. */
const later = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', go);
      resolve();
    };
    const timer = setTimeout(go, againMilliseconds);
    timer.unref();
    signal.addEventListener('abort', go);
  });

/**
 * Stores how a run ended, again and again while the database takes nothing: nobody else knows that it did. What is not
 * stored when the host ends stays `running`: the next start decides on it.
 *
 * @param ending aborted when the host ends: it is tried no more after the attempt under way
 * @param tell hears of the first fault
 * @throws whatever `end` throws for another reason than that nothing can be stored
 */
export const settle = async (
  end: () => Promise<void> | void,
  ending: AbortSignal,
  tell: (error: unknown) => void,
): Promise<void> => {
  for (let told = false; ; told = true) {
    try {
      await end();
      return;
    } catch (error) {
      if (!takesNothing(error)) throw error;
      if (!told) tell(error);
      if (ending.aborted) return;
      await later(ending);
    }
  }
};
