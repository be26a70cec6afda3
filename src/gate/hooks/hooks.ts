import type { GateHost } from '../hosts.ts';
import { gateCommand, wordsOfCommand } from './command.ts';
import { HookError } from './hookError.ts';
import { readHookFile, removeHookFile, writeHookFile } from './hookFiles.ts';
import { JsonTextError } from './jsonText.ts';
import { digestOf, dropNote, type Note, readNote, writeNote } from './notes.ts';
import { isOwnFile, ownFile, wordsOfOwnFile } from './ownFiles.ts';
import { type HookScope, hookFile } from './places.ts';
import { entriesOf, findHooks, insertHooks, removeHooks, type SettingsHost, undoEdits } from './settings.ts';

/** Puts the hook of the gate into the files of hosts, takes it out again, and tells whether it is there. */

/** Which hook of which host. */
export interface HookPlace {
  readonly host: GateHost;
  readonly scope: HookScope;
  /** Real path of the repository; null when none is known, which is enough for hooks of the user. */
  readonly root: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Installed extends Pick<HookPlace, 'host' | 'scope'> {
  readonly file: string;
  readonly changed: boolean;
  readonly strict: boolean;
  /** The file that says how to take the hook out again to the last character; null when nothing was written. */
  readonly note: string | null;
}

export interface Removed extends Pick<HookPlace, 'host' | 'scope'> {
  readonly file: string;
  readonly changed: boolean;
  /** Whether the file is what it was before the hook was put in; false where others have changed it since. */
  readonly restored: boolean;
}

export interface HookStatus extends Pick<HookPlace, 'host' | 'scope'> {
  readonly file: string;
  readonly installed: boolean;
  readonly strict: boolean | null;
  /** The program and its arguments; null when there is no hook, or one that was not written by us. */
  readonly words: readonly string[] | null;
  /** Why it cannot be told; null when it can. */
  readonly problem: string | null;
}

const isSettingsHost = (host: GateHost): host is SettingsHost => host !== 'opencode' && host !== 'cline';

const parsing = <T>(file: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new HookError(`${file} cannot be used: it has ${error.message}. It was left as it is; mend it first.`);
  }
};

/** What a file was before the hook: to the last character where the note still fits it. */
const withoutHook = (text: string, note: Note | null): Readonly<{ text: string | null; exact: boolean }> => {
  if (note && digestOf(text) === note.after) {
    if (note.before === null) return { text: null, exact: true };
    const before = undoEdits(text, note.edits);
    if (digestOf(before) === note.before) return { text: before, exact: true };
  }
  return { text: removeHooks(text, note?.made ?? []), exact: false };
};

type Start = Readonly<{ node: string; entry: string; strict: boolean; state?: string | null }>;

const isThere = (text: string, host: SettingsHost, command: string): boolean => {
  const found = findHooks(text);
  const wanted = entriesOf(host, command);
  return (
    found.length === wanted.length &&
    wanted.every(({ event }) => found.some((one) => one.event === event && one.command === command))
  );
};

const newFileMode = 0o644;

const installSettings = (place: HookPlace, host: SettingsHost, file: string, start: Start): Installed => {
  const { scope, root, env } = place;
  const { strict } = start;
  const command = gateCommand({ ...start, host, repo: scope === 'project' ? root : null });
  const current = readHookFile(file);
  const note = readNote(env, file);
  return parsing(file, () => {
    if (current !== null && isThere(current, host, command))
      return { host, scope, file, changed: false, strict, note: null };
    const hadOurs = current !== null && findHooks(current).length > 0;
    const base = hadOurs ? withoutHook(current, note) : { text: current, exact: false };
    const { after, edits, made } = insertHooks(base.text ?? '', host, command);
    const folders = [...(base.exact ? (note?.folders ?? []) : []), ...writeHookFile(file, after, newFileMode)];
    const before = base.text === null ? null : digestOf(base.text);
    const kept = writeNote(env, {
      schemaVersion: '1.0',
      file,
      before,
      after: digestOf(after),
      edits: [...edits],
      made: [...made],
      folders,
    });
    return { host, scope, file, changed: true, strict, note: kept };
  });
};

const installOwn = ({ host, scope, root, env }: HookPlace, file: string, start: Start): Installed => {
  const { strict } = start;
  const { text, mode } = ownFile({ ...start, host, repo: scope === 'project' ? root : null });
  const current = readHookFile(file);
  if (current !== null && !isOwnFile(current))
    throw new HookError(`${file} is there already and is not ours; it was left as it is. Move it away first.`);
  if (current === text) return { host, scope, file, changed: false, strict, note: null };
  const known = current === null ? [] : (readNote(env, file)?.folders ?? []);
  const folders = [...known, ...writeHookFile(file, text, mode)];
  const after = digestOf(text);
  const note = writeNote(env, { schemaVersion: '1.0', file, before: null, after, edits: [], made: [], folders });
  return { host, scope, file, changed: true, strict, note };
};

/**
 * Puts the hook of a host in its place; one that is there already is replaced. Nothing but the file and the note that
 * the answer names is written.
 *
 * @param start absolute paths of Node and of the executable file
 * @throws HookError when the file cannot be read, parsed or written; it is left as it is
 */
export const installHook = (place: HookPlace, start: Start): Installed => {
  const { host, scope, root, env } = place;
  const file = hookFile(host, scope, root, env);
  return isSettingsHost(host) ? installSettings(place, host, file, start) : installOwn(place, file, start);
};

/**
 * Takes the hook of a host out again: the file is then what it was before, where nothing else in it has changed; else
 * only what is ours goes.
 *
 * @throws HookError as `installHook`
 */
export const removeHook = ({ host, scope, root, env }: HookPlace): Removed => {
  const file = hookFile(host, scope, root, env);
  const current = readHookFile(file);
  const unchanged = { host, scope, file, changed: false, restored: false };
  if (current === null) return unchanged;
  const note = readNote(env, file);
  if (!isSettingsHost(host)) {
    if (!isOwnFile(current)) return unchanged;
    removeHookFile(file, note?.folders ?? []);
    dropNote(env, file);
    return { host, scope, file, changed: true, restored: true };
  }
  return parsing(file, () => {
    if (findHooks(current).length === 0) return unchanged;
    const { text, exact } = withoutHook(current, note);
    if (text === null) removeHookFile(file, note?.folders ?? []);
    else writeHookFile(file, text, newFileMode);
    dropNote(env, file);
    return { host, scope, file, changed: true, restored: exact };
  });
};

const wordsIn = (host: GateHost, text: string): readonly string[] | null | undefined => {
  if (!isSettingsHost(host)) return isOwnFile(text) ? wordsOfOwnFile(text, wordsOfCommand) : undefined;
  const [first] = findHooks(text);
  return first && wordsOfCommand(first.command);
};

/** Whether the hook of a host is in its place. @throws HookError when the place cannot be told */
export const hookStatus = ({ host, scope, root, env }: HookPlace): HookStatus => {
  const file = hookFile(host, scope, root, env);
  const none = { host, scope, file, installed: false, strict: null, words: null, problem: null };
  try {
    const text = readHookFile(file);
    const words = text === null ? undefined : parsing(file, () => wordsIn(host, text));
    if (words === undefined) return none;
    return { ...none, installed: true, words, strict: words?.includes('--strict') ?? null };
  } catch (error) {
    if (!(error instanceof HookError)) throw error;
    return { ...none, problem: error.message };
  }
};
