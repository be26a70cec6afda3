import { randomBytes, randomInt } from 'node:crypto';

/** Time, for everything that is stored or waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** What differs from run to run and is no time. Handed in, so that two hosts can be made to store the same. */
export interface IdSource {
  /** 32 hex digits: invocations, connections, sessions. */
  hex(): string;
  /** A short unguessable id of an ask, `[a-z0-9]{12}`. */
  ask(): string;
  /** This many random bytes: tokens, codes, keys. */
  bytes(count: number): Buffer;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

const letters = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Ids from the system's source of randomness. */
export const systemIds: IdSource = {
  hex: () => randomBytes(16).toString('hex'),
  ask: () => Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join(''),
  bytes: (count) => randomBytes(count),
};
