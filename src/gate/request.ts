import { type GateHost, isGateHost } from './hosts.ts';

/** How a gate was started. */
export interface GateWords {
  readonly host: GateHost | null;
  readonly repo: string | null;
  /** In place of TELIC_STATE_DIR: hosts start hooks without the variables of the server. */
  readonly state: string | null;
  /** Whether the starter asks for strictness; the environment can say otherwise. */
  readonly strict: boolean;
}

/**
 * Reads the words after `broker-gate`; null when one of them means nothing here.
 * They are few, and parsing them here keeps the command line's parser out of every tool call.
 */
export const readWords = (words: readonly string[]): GateWords | null => {
  let read: GateWords = { host: null, repo: null, state: null, strict: false };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const value = words[at + 1];
    if (word === '--strict') read = { ...read, strict: true };
    else if (word === '--host' && isGateHost(value)) read = { ...read, host: value };
    else if (word === '--repo' && value !== undefined && value !== '') read = { ...read, repo: value };
    else if (word === '--state' && value !== undefined && value !== '') read = { ...read, state: value };
    // The answer is one line of JSON anyway.
    else if (word !== '--json') return null;
    if (word === '--host' || word === '--repo' || word === '--state') at += 1;
  }
  return read;
};

/**
 * Whether the gate is strict. `TELIC_BROKER_PERMISSIVE=1` cancels it, `TELIC_BROKER_STRICT` set to anything else than
 * `1` says no to the starter's wish. Rule: permissions section 10, modes.
 */
export const isStrict = (env: Readonly<Record<string, string | undefined>>, wished: boolean): boolean => {
  if (env.TELIC_BROKER_PERMISSIVE === '1') return false;
  const said = env.TELIC_BROKER_STRICT ?? '';
  return said === '' ? wished : said === '1';
};

/** From the start of the process to the answer; hosts wait for seconds, people for less (permissions section 10). */
const usualDeadline = 700;

/** A hook that is installed by us is given up by its host after five seconds, and then the host carries on. */
const deadlineBounds = { least: 100, most: 4000 } as const;

/**
 * How many milliseconds after its start the process has to have answered. `TELIC_BROKER_DEADLINE_MS` sets it where a
 * machine is too slow for the usual time, 100 to 4000; anything else counts as not set.
 */
export const deadlineOf = (env: Readonly<Record<string, string | undefined>>): number => {
  const said = env.TELIC_BROKER_DEADLINE_MS ?? '';
  const { least, most } = deadlineBounds;
  const set = /^\d{1,5}$/.test(said) ? Number(said) : usualDeadline;
  return set >= least && set <= most ? set : usualDeadline;
};
