import { randomUUID } from 'node:crypto';

/** The only clock of a server: its value travels inside every event. */
export interface Clock {
  /** Now, ISO 8601 in UTC with milliseconds. */
  now(): string;
}

/** The only source of ids: runs, requests and answers. */
export interface IdSource {
  uuid(): string;
}

export const systemClock: Clock = { now: () => new Date().toISOString() };
export const systemIds: IdSource = { uuid: () => randomUUID() };
