/**
 * Streams that one browser holds open at once. It opens at most six connections to a host: tabs that each held one
 * would leave none for what a person decides. Tabs beyond these poll.
 */
const slots = ['telic-stream-1', 'telic-stream-2', 'telic-stream-3'] as const;

const take = (name: string): Promise<(() => void) | null> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null);
          return;
        }
        return new Promise<void>((release) => {
          resolve(() => release());
        });
      })
      .catch(reject);
  });

/** Takes a slot for a stream; null when all are taken. The result gives it back, as the end of the page does. */
export const takeStreamSlot = async (): Promise<(() => void) | null> => {
  // Pages without TLS on other names than the machine's own have no locks.
  if (!('locks' in navigator)) return () => {};
  for (const name of slots) {
    const release = await take(name);
    if (release !== null) return release;
  }
  return null;
};
