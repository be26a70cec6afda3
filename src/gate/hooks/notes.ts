import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCodeOf } from '../../ledger/errors.ts';
import { notesFolder } from './places.ts';

/**
 * What was put into a file of a host, so that it can be taken out again to the last character. The file's own text is
 * not kept, only ours: settings hold secrets.
 */
const Note = z.strictObject({
  schemaVersion: z.literal('1.0'),
  file: z.string(),
  /** Digest of the text before; null when there was no file. */
  before: z.string().nullable(),
  /** Digest of the text that was written. */
  after: z.string(),
  edits: z.array(z.strictObject({ start: z.int().min(0), end: z.int().min(0), text: z.string() })),
  made: z.array(z.string()),
  /** The folders that were made for the file, the outermost first. */
  folders: z.array(z.string()),
});
export type Note = z.infer<typeof Note>;

type Environment = Readonly<Record<string, string | undefined>>;

export const digestOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const placeOf = (env: Environment, file: string): string =>
  join(notesFolder(env), `${digestOf(file).slice(0, 24)}.json`);

/** The note about a file; null when there is none that can be read. */
export const readNote = (env: Environment, file: string): Note | null => {
  try {
    const note = Note.parse(JSON.parse(readFileSync(placeOf(env, file), 'utf8')));
    return note.file === file ? note : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || systemCodeOf(error) !== '') return null;
    throw error;
  }
};

/** @returns where the note is kept */
export const writeNote = (env: Environment, note: Note): string => {
  const place = placeOf(env, note.file);
  mkdirSync(notesFolder(env), { recursive: true, mode: 0o700 });
  rmSync(place, { force: true });
  writeFileSync(place, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' });
  return place;
};

export const dropNote = (env: Environment, file: string): void => rmSync(placeOf(env, file), { force: true });
