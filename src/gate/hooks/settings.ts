import type { GateHost } from '../hosts.ts';
import { startsGate } from './command.ts';
import {
  appendPart,
  applyEdits,
  type Edit,
  JsonTextError,
  type Member,
  memberOf,
  parseJsonText,
  plainOf,
  removePart,
} from './jsonText.ts';

/** The hosts whose hooks are entries of a JSON file: what an entry looks like, and how it goes in and out. */
export type SettingsHost = Exclude<GateHost, 'opencode' | 'cline'>;

/** Longer than the gate ever takes; the gate's own deadline is what refuses. */
const patience = { seconds: 5, milliseconds: 5000 } as const;

/** The events of a host under `hooks`, each with the entry that asks the gate (hosts section 7). */
export const entriesOf = (
  host: SettingsHost,
  command: string,
): readonly Readonly<{ event: string; entry: object }>[] => {
  const group = (matcher: string, timeout: number, name?: string): object => ({
    matcher,
    hooks: [{ type: 'command', command, timeout, ...(name !== undefined && { name }) }],
  });
  switch (host) {
    case 'claude':
      return [{ event: 'PreToolUse', entry: group('*', patience.seconds) }];
    case 'codex':
      return [{ event: 'PreToolUse', entry: group('.*', patience.seconds) }];
    case 'gemini':
      return [{ event: 'BeforeTool', entry: group('*', patience.milliseconds, 'telic-gate') }];
    case 'qwen':
      return [{ event: 'PreToolUse', entry: group('*', patience.milliseconds, 'telic-gate') }];
    case 'cursor': {
      const entry = { command, timeout: patience.seconds, failClosed: true };
      return ['preToolUse', 'beforeShellExecution'].map((event) => ({ event, entry }));
    }
  }
};

/** A text with the hooks in it, and how it came about: each edit puts something into what the one before it left. */
export interface Insertion {
  readonly after: string;
  readonly edits: readonly Edit[];
  /** The members that were made for them, by their path: `hooks`, `hooks.PreToolUse`. */
  readonly made: readonly string[];
}

/** The file is no settings file as it should be. */
const wrong = (what: string): JsonTextError => new JsonTextError(`${what}, so that the hook has no place`);

/** Where the entry of an event goes in: into its list, else as a new list, else with a new `hooks`. */
const placeOf = (text: string, event: string, entry: object): Readonly<{ edit: Edit; made: readonly string[] }> => {
  const whole = parseJsonText(text);
  if (whole.kind !== 'object') throw wrong('the whole is no object');
  const hooks = memberOf(whole, 'hooks');
  if (hooks === undefined)
    return {
      edit: appendPart(text, whole, 'hooks', { [event]: [entry] }),
      made: ['hooks', `hooks.${event}`],
    };
  if (hooks.kind !== 'object') throw wrong('`hooks` is no object');
  const list = memberOf(hooks, event);
  if (list === undefined) return { edit: appendPart(text, hooks, event, [entry]), made: [`hooks.${event}`] };
  if (list.kind !== 'array') throw wrong(`\`hooks.${event}\` is no list`);
  return { edit: appendPart(text, list, null, entry), made: [] };
};

/**
 * Puts the entries of a host into its settings.
 *
 * @param before the text of the file, empty when there is none
 * @throws JsonTextError when the text is no JSON or has something else where hooks belong
 */
export const insertHooks = (before: string, host: SettingsHost, command: string): Insertion => {
  const entries = entriesOf(host, command);
  if (before.trim() === '') {
    const hooks = Object.fromEntries(entries.map(({ event, entry }) => [event, [entry]]));
    const text = `${JSON.stringify({ ...(host === 'cursor' && { version: 1 }), hooks }, null, 2)}\n`;
    const edit = { start: before.length, end: before.length, text };
    return { after: before + text, edits: [edit], made: [] };
  }
  let after = before;
  const edits: Edit[] = [];
  const made: string[] = [];
  for (const { event, entry } of entries) {
    const place = placeOf(after, event, entry);
    after = applyEdits(after, [place.edit]);
    edits.push(place.edit);
    made.push(...place.made);
  }
  return { after, edits, made };
};

/** What the text was before edits that `insertHooks` made. */
export const undoEdits = (after: string, edits: readonly Edit[]): string =>
  edits.reduceRight(
    (text, { start, text: inserted }) => text.slice(0, start) + text.slice(start + inserted.length),
    after,
  );

/** One command of ours in a file. */
export interface FoundHook {
  readonly event: string;
  readonly command: string;
}

const commandsOf = (item: unknown): readonly unknown[] => {
  if (typeof item !== 'object' || item === null) return [];
  const inner = 'hooks' in item && Array.isArray(item.hooks) ? item.hooks.flatMap(commandsOf) : [];
  return 'command' in item ? [item.command, ...inner] : inner;
};

/** Every command of the text that starts the gate. @throws JsonTextError */
export const findHooks = (text: string): readonly FoundHook[] => {
  if (text.trim() === '') return [];
  const hooks = memberOf(parseJsonText(text), 'hooks');
  if (hooks?.kind !== 'object') return [];
  return hooks.parts.flatMap(({ key: event, value }) => {
    const items: unknown = plainOf(value);
    const commands = Array.isArray(items) ? items.flatMap(commandsOf) : [];
    return commands.filter(startsGate).map((command) => ({ event, command }));
  });
};

/** The edits that take one entry of ours out; empty when there is none. A group that holds others keeps them. */
const nextRemoval = (text: string): readonly Edit[] => {
  const hooks = memberOf(parseJsonText(text), 'hooks');
  for (const { value: list } of hooks?.kind === 'object' ? hooks.parts : []) {
    if (list.kind !== 'array') continue;
    for (const [index, item] of list.parts.entries()) {
      if (commandsOf(plainOf(item)).every((command) => !startsGate(command))) continue;
      const inner = memberOf(item, 'hooks');
      if (inner?.kind !== 'array' || inner.parts.length < 2) return removePart(text, list, index);
      const at = inner.parts.findIndex((part) => commandsOf(plainOf(part)).some(startsGate));
      return removePart(text, inner, at);
    }
  }
  return [];
};

/** The edit that takes out a member which was made for the hooks and holds nothing any more. */
const emptyMember = (text: string, made: readonly string[]): readonly Edit[] => {
  const whole = parseJsonText(text);
  const hooks = memberOf(whole, 'hooks');
  if (whole.kind !== 'object' || hooks?.kind !== 'object') return [];
  const isEmpty = ({ value }: Member): boolean => value.kind !== 'scalar' && value.parts.length === 0;
  const at = hooks.parts.findIndex((part) => made.includes(`hooks.${part.key}`) && isEmpty(part));
  if (at >= 0) return removePart(text, hooks, at);
  const own = whole.parts.findIndex((part) => part.key === 'hooks' && made.includes('hooks') && isEmpty(part));
  return removePart(text, whole, own);
};

/**
 * Takes every entry of ours out of a text that others have changed since, and what was made to hold them.
 *
 * @param made as `insertHooks` told it
 * @throws JsonTextError
 */
export const removeHooks = (text: string, made: readonly string[]): string => {
  let left = text;
  for (;;) {
    if (left.trim() === '') return left;
    const removal = nextRemoval(left);
    const edits = removal.length > 0 ? removal : emptyMember(left, made);
    if (edits.length === 0) return left;
    left = applyEdits(left, edits);
  }
};
