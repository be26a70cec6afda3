/**
 * Compares an answer with a recorded one in which ids, item keys, links, times and cursors are samples: wherever the two
 * differ, the recorded word must look like a sample, and must stand for the same word of ours each time it appears.
 */
export interface Samples {
  /** @throws Error that says where the two differ */
  same(recorded: unknown, ours: unknown, where: string): void;
  /** Says that a recorded word stands for one of ours. @throws Error when it stands for another one already */
  bind(recorded: string, ours: string, where: string): void;
  /** Ours in place of the recorded words, in any JSON value. */
  ours<T>(recorded: T): T;
}

/** What may stand for something else: an item key, an ask's id, a change or cursor, a made invocation id, a run's digits, an agent. */
const looksLikeSample = /^(?:[0-9a-f]{4}|k[0-9a-z]{3}|c[0-9][0-9a-z]*|[0-9a-f]{8}|[0-9a-f]{16})$/;
/** Seen from ours: what such words look like here. */
const looksMade = /^(?:[0-9a-z]{4,64}|c[0-9a-z]+)$/;

/** Milliseconds since 1970: two that differ in the record may be the same here. */
const isTime = /^1\d{12}$/;

const pieces = (text: string): readonly string[] => text.split(/([A-Za-z0-9]+)/);
const address = /http:\/\/127\.0\.0\.1:\d+/g;

export const createSamples = (): Samples => {
  const there = new Map<string, string>();
  const back = new Map<string, string>();

  const bind = (recorded: string, ours: string, where: string): void => {
    const known = there.get(recorded);
    if (known !== undefined && known !== ours)
      throw new Error(`${where}: ${recorded} stood for ${known} before and for ${ours} here.`);
    const other = back.get(ours);
    if (other !== undefined && other !== recorded)
      throw new Error(`${where}: ${ours} was ${other} before and is ${recorded} here.`);
    there.set(recorded, ours);
    back.set(ours, recorded);
  };

  const sameText = (recorded: string, ours: string, where: string): void => {
    // The port is the sample in a link.
    const [a, b] = [recorded, ours].map((text) => pieces(text.replace(address, 'HOST')));
    const differ = (): Error =>
      new Error(`${where}:\n  recorded ${JSON.stringify(recorded)}\n  ours     ${JSON.stringify(ours)}`);
    if (a === undefined || b === undefined || a.length !== b.length) throw differ();
    a.forEach((piece, index) => {
      const mine = b[index] ?? '';
      if (isTime.test(piece) && isTime.test(mine)) return;
      const known = there.get(piece);
      if (known !== undefined ? known === mine : piece === mine && !back.has(mine)) return;
      if (!looksLikeSample.test(piece) || !looksMade.test(mine)) throw differ();
      bind(piece, mine, where);
    });
  };

  const same = (recorded: unknown, ours: unknown, where: string): void => {
    if (typeof recorded === 'string' && typeof ours === 'string') {
      sameText(recorded, ours, where);
      return;
    }
    if (typeof recorded === 'number' && typeof ours === 'number' && where.endsWith('.time_ms')) return;
    if (typeof recorded !== 'object' || recorded === null || typeof ours !== 'object' || ours === null) {
      if (recorded !== ours)
        throw new Error(`${where}: recorded ${JSON.stringify(recorded)}, ours ${JSON.stringify(ours)}.`);
      return;
    }
    const keys = Object.keys(recorded);
    const mine = Object.keys(ours);
    // The order of keys is a part of the wire.
    if (keys.join() !== mine.join()) throw new Error(`${where}: recorded keys ${keys.join()}, ours ${mine.join()}.`);
    const values = Object.values(ours);
    Object.values(recorded).forEach((value, index) => {
      same(value, values[index], `${where}.${keys[index]}`);
    });
  };

  const ours = <T>(recorded: T): T => {
    const text = JSON.stringify(recorded);
    const put = pieces(text)
      .map((piece) => there.get(piece) ?? piece)
      .join('');
    const value: T = JSON.parse(put);
    return value;
  };

  return { same, bind, ours };
};
