import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';
import { actionIdOf, type RunContext } from '../../machines/context.ts';
import { Id, Ts } from '../../schemas/primitives.ts';
import { IntentMode, schemaVersion } from '../../schemas/vocabulary.ts';

/** What `active-session.json` says: which run a gate should ask about. It points, it never permits (permissions section 10). */
export const ActiveSession = z.strictObject({
  schemaVersion: z.literal(schemaVersion),
  runId: Id,
  actionId: z.string().min(1).max(256),
  runVersion: z.int().min(1),
  repositoryRoot: z.string().min(1).max(4096),
  requestedMode: IntentMode,
  updatedAt: Ts,
});
export type ActiveSession = z.infer<typeof ActiveSession>;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Reads the session file; a link, an unreadable file or one that fails its schema is no session.
 * @param path absolute path of `active-session.json`
 */
export const readActiveSession = (path: string): ActiveSession | null => {
  try {
    if (!lstatSync(path).isFile()) return null;
    return ActiveSession.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || codeOf(error) !== undefined) return null;
    throw error;
  }
};

const sessionOf = (run: RunContext): ActiveSession => ({
  schemaVersion,
  runId: run.runId,
  actionId: actionIdOf(run),
  runVersion: run.version,
  repositoryRoot: run.repositoryRoot,
  requestedMode: run.mode,
  updatedAt: run.updatedAt,
});

/** Replaces the file in one step: a reader sees the old session or the new one, never a half (permissions section 10). */
const replace = (path: string, session: ActiveSession, mark: string): void => {
  const temporary = `${path}.${process.pid}.${mark}`;
  // A process that was killed may have left one, and process ids come again.
  rmSync(temporary, { force: true });
  const file = openSync(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    try {
      writeSync(file, `${JSON.stringify(session)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

/**
 * Removes the session file if it names a run that is over or gone; a session of another run stays.
 * @param path absolute path of `active-session.json`
 */
export const dropActiveSession = (path: string, runId: string): void => {
  if (readActiveSession(path)?.runId === runId) rmSync(path, { force: true });
};

/**
 * Keeps the session file in step with a run that moved: written while the run is running, removed when the run that it
 * names stops running. The last writer wins; the end of one run never removes the file of another.
 *
 * @param path absolute path of `active-session.json`
 * @param complain told why the file could not be written; the ledger is the truth, so the run goes on
 */
export const trackActiveSession =
  (path: string, complain: (why: string) => void) =>
  (run: RunContext): void => {
    try {
      if (run.status === 'running') replace(path, sessionOf(run), String(run.version));
      else dropActiveSession(path, run.runId);
    } catch (error) {
      complain(`active-session.json was not updated: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
