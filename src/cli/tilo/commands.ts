import { z } from 'zod';
import type { Calls } from '../../sdk/workspace/calls.ts';
import type { Terminal } from '../terminal.ts';
import { argsOfJson, argsOfWords } from './actionArgs.ts';
import { type Option, type Options, options } from './options.ts';
import type { Told } from './told.ts';
import { UsageError } from './usageError.ts';

/** What a command works with. */
export interface Asked {
  readonly calls: Calls;
  readonly words: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
  /** Prints one answer before the last. */
  readonly print: (told: Told) => void;
}

export interface TiloCommand {
  readonly name: string;
  /** Its arguments: `<needed>`, `[optional]`, `[any number...]`. */
  readonly takes: readonly string[];
  readonly summary: string;
  readonly options: readonly Option[];
  run(asked: Asked): Promise<Told>;
}

/** Loaded when a command runs, so that help and usage errors come at once. */
const telling = async () => (await import('./told.ts')).told;

const argsOf = async ({ calls, words, options: { args } }: Asked, path: string) => {
  const rest = words.slice(1);
  if (args !== undefined && rest.length > 0) throw new UsageError('Give key=value words or --args, not both.');
  if (args !== undefined) return argsOfJson(args);
  const { Refused } = await import('../../sdk/workspace/refused.ts');
  return argsOfWords(rest, async () => {
    try {
      const { actions } = await calls.ls(path);
      return actions.flatMap(({ params }) => params);
    } catch (error) {
      // The action itself will say what is wrong with its path.
      if (error instanceof Refused) return [];
      throw error;
    }
  });
};

const textOfInput = async (terminal: Terminal): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of terminal.input()) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

const Cancelled = z.looseObject({ error: z.looseObject({ code: z.literal('cancelled') }) });
const isCancelled = ({ answer }: Told): boolean => Cancelled.safeParse(answer).success;

/** The commands of `tilo`, one a tool, in the order of help. Parsing and help are made from this table alone. */
export const commands: readonly TiloCommand[] = [
  {
    name: 'ls',
    takes: ['[path]'],
    summary: 'list what is at a path and the actions there; the apps without a path',
    options: [options.kind, options.rows, options.rowsFrom],
    run: async ({ calls, words: [path], options: { kind, limit, cursor } }) =>
      (await telling())('tilo_ls', () => calls.ls(path, { kind, limit, cursor })),
  },
  {
    name: 'read',
    takes: ['<path>'],
    summary: 'read the fields and children of a resource',
    options: [options.item, options.readFrom],
    run: async ({ calls, words: [path = ''], options: { item, cursor } }) =>
      (await telling())('tilo_read', () => calls.read(path, { item, cursor })),
  },
  {
    name: 'do',
    takes: ['<path#action>', '[key=value...]'],
    summary: 'run an action',
    options: [options.args, options.doWait, options.doId],
    run: async (asked) => {
      const { calls, words, options: given } = asked;
      const path = words[0] ?? '';
      const args = await argsOf(asked, path);
      return (await telling())('tilo_do', () => calls.do(path, args, { waitMs: given.wait, invocationId: given.id }));
    },
  },
  {
    name: 'find',
    takes: ['<query...>'],
    summary: 'find resources by words',
    options: [options.app, options.kind, options.hits],
    run: async ({ calls, words, options: { app, kind, limit } }) =>
      (await telling())('tilo_find', () => calls.find(words.join(' '), { app, kind, limit })),
  },
  {
    name: 'status',
    takes: ['<invocation_id>'],
    summary: 'tell what became of an action, or stop it',
    options: [options.statusWait, options.cancel],
    run: async ({ calls, words: [id = ''], options: { wait, cancel } }) => {
      const tell = await telling();
      if (cancel === true && wait !== undefined) throw new UsageError('Give --wait or --cancel, not both.');
      const answered = await tell('tilo_status', () =>
        cancel === true ? calls.cancel(id) : calls.status(id, { waitMs: wait }),
      );
      // It was asked to be cancelled, and was.
      return cancel === true && isCancelled(answered) ? { ...answered, exit: 0 } : answered;
    },
  },
  {
    name: 'watch',
    takes: [],
    summary: 'show what happens, as soon as it happens',
    options: [options.path, options.eventsFrom, options.watchWait, options.follow],
    run: async ({ calls, options: { path, cursor, wait, follow }, print }) => {
      const tell = await telling();
      if (follow !== true) return tell('tilo_watch', () => calls.watchOnce({ path, cursor, waitMs: wait }));
      const { following } = await import('./following.ts');
      return following((from, waitMs) => tell('tilo_watch', () => calls.watchOnce({ path, cursor: from, waitMs })), {
        cursor,
        waitMs: wait,
        print,
      });
    },
  },
  {
    name: 'run',
    takes: ['<program>'],
    summary: 'run a tilo program; - reads it from standard input',
    options: [options.confirm, options.runId],
    run: async ({ calls, words: [word = ''], options: { confirm, id }, terminal }) => {
      const program = word === '-' ? await textOfInput(terminal) : word;
      return (await telling())('tilo', () => calls.tilo(program, { confirm, invocationId: id }));
    },
  },
];
