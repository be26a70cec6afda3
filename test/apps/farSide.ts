import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What the lab's outside actions reach: it keeps what arrived in a directory, where it outlives a killed process. */
export interface FarSide {
  /** Takes what was sent with a key; drops it when something came with that key before. Tells whether it was new. */
  keyed(key: string, note: string): boolean;
  /** Takes whatever comes. */
  keyless(note: string): void;
  /** What arrived and was not dropped; of the keyless in order. */
  arrived(way: 'keyed' | 'keyless'): readonly string[];
  /** How often something came with a key, the dropped ones too. */
  attempts(): number;
  /** Keeps the digest of a secret, to show later that the right one came. */
  secret(value: string): void;
  secrets(): readonly string[];
}

const lines = (file: string): readonly string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => z.string().parse(JSON.parse(line)))
    : [];

/** What `secret` keeps of a value. */
export const digestOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

export const createFarSide = (directory: string): FarSide => {
  const append = (name: string, text: string): void =>
    appendFileSync(join(directory, name), `${JSON.stringify(text)}\n`);
  return {
    keyed: (key, note) => {
      append('keyed.attempts', key);
      try {
        writeFileSync(join(directory, `${digestOf(key)}.keyed`), note, { flag: 'wx' });
        return true;
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
    },
    keyless: (note) => append('keyless', note),
    arrived: (way) =>
      way === 'keyless'
        ? lines(join(directory, 'keyless'))
        : readdirSync(directory)
            .filter((name) => name.endsWith('.keyed'))
            .map((name) => readFileSync(join(directory, name), 'utf8')),
    attempts: () => lines(join(directory, 'keyed.attempts')).length,
    secret: (value) => append('secrets', digestOf(value)),
    secrets: () => lines(join(directory, 'secrets')),
  };
};
