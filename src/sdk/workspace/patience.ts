import { setTimeout as after } from 'node:timers/promises';
import { wireLimits } from '../../../schemas/wire/limits.ts';

/** Waits, or throws the reason of the signal as soon as it is aborted. */
export const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted();
  try {
    await after(milliseconds, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

/** A promise that others wait for, too: this caller alone leaves when the signal is aborted. */
export const orAborted = async <T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> => {
  if (!signal) return promise;
  signal.throwIfAborted();
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
};

/** A host that does not hold calls, or is about to stop, would else be asked without a break. */
const leastMilliseconds = 1000;

/**
 * Makes a call that the host holds as long as it may, again and again until it says something.
 *
 * @param call gives null when there is nothing to say yet
 */
export const untilSaid = async <T>(
  call: (waitMs: number) => Promise<Readonly<{ value: T }> | null>,
  signal?: AbortSignal,
): Promise<T> => {
  for (;;) {
    const begun = performance.now();
    const said = await call(wireLimits.waitMs);
    if (said) return said.value;
    const rest = leastMilliseconds - (performance.now() - begun);
    if (rest > 0) await pause(rest, signal);
  }
};
