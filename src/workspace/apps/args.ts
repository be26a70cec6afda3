import { isJsonObject } from '../../../schemas/jsonObject.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import { parsePath, utf8Bytes } from '../../../schemas/wire/path.ts';
import { at, type Failure, type Phrase, say } from '../failure.ts';
import type { Args, Json, Param, Params } from './app.ts';
import { isDatetime } from './datetime.ts';
import { valueSchema } from './valueSchema.ts';

/** What the arguments of a call are judged with. */
export interface ArgsContext {
  /** The printed path of the action, `notes/Garden#append-paragraph`, for the next step. */
  readonly path: string;
  /** The item key of the resource it is called at: what "from item" parameters are filled with. */
  readonly item: string;
  /** Whether a path, as the caller wrote it, leads to a resource. */
  resolves(path: string): boolean | Promise<boolean>;
}

/** The complete arguments, or why they are none: for the caller, and by parameter for the person's page. */
export type CheckedArgs =
  | Readonly<{ ok: true; args: Args }>
  | Readonly<{ ok: false; failure: Failure; messages: Readonly<Record<string, string>> }>;

/** How many words one clause of a message lists before it says how many more there are. */
const mostListed = 8;

const listed = (words: readonly string[], last: 'and' | 'or'): string => {
  const told = words.length > mostListed ? [...words.slice(0, mostListed), `${words.length - mostListed} more`] : words;
  return told.length < 2 ? told.join('') : `${told.slice(0, -1).join(', ')} ${last} ${told.at(-1)}`;
};

/** Names that a caller made up, as far as a message can show them. */
const shown = (name: string): string => (/^[\w.-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64)));

const nextStep = (path: string): readonly Phrase[] => [say`tilo_ls ${at(path)} lists its parameters`];

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** How deep a value nests, counted layer by layer so that no depth is too much to count. */
const nestsDeeper = (value: object, most: number): boolean => {
  let layer: readonly object[] = [value];
  for (let depth = 1; layer.length > 0; depth += 1) {
    if (depth > most) return true;
    layer = layer.flatMap((part) => Object.values(part).filter(isContainer));
  }
  return false;
};

/**
 * Why the arguments of a call are too large to be looked at: 256 KiB as JSON, 32 deep (workspace-wire 4.3); null when
 * they are not. To be asked before anything walks through them.
 */
export const argsTooLarge = (args: Readonly<Record<string, unknown>>, path: string): Failure | null => {
  const over = nestsDeeper(args, wireLimits.argsDepth)
    ? `Arguments nest at most ${wireLimits.argsDepth} deep.`
    : utf8Bytes(JSON.stringify(args)) > wireLimits.argsBytes
      ? `Arguments have at most ${wireLimits.argsBytes} bytes as JSON.`
      : null;
  return over === null ? null : { code: 'limit_exceeded', message: [over], next: nextStep(path) };
};

const isJson = (value: unknown): value is Json => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isJsonObject(value) && Object.values(value).every(isJson);
};

const isPlace = async (value: unknown, { resolves }: ArgsContext): Promise<boolean> => {
  if (typeof value !== 'string') return false;
  const parsed = parsePath(value);
  return parsed.ok && parsed.path.action === undefined && (await resolves(value));
};

/** Whether a value is of the parameter's type (workspace-wire section 1); nothing is coerced. */
const isOfType = async (value: Json, { type }: Param, context: ArgsContext): Promise<boolean> => {
  switch (type) {
    case 'text':
    case 'secret':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'datetime':
      return typeof value === 'string' && isDatetime(value);
    case 'resource':
      return isPlace(value, context);
  }
};

const typeWords: Readonly<Record<Param['type'], string>> = {
  text: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  resource: 'the path of a resource that is there',
  datetime: 'a date and time with its offset, like 2026-03-02T09:14:05Z',
  secret: 'a secret text',
};

/** What a value would have to be; null when it is that. */
const wantedInstead = async (value: unknown, param: Param, context: ArgsContext): Promise<string | null> => {
  const { type, choices, fromItem } = param;
  if (!isJson(value) || !(await isOfType(value, param, context))) return typeWords[type];
  if (fromItem && value !== context.item) return `${shown(context.item)}, the item it is called at`;
  if (choices && !choices.some((choice) => choice === value)) return listed(choices.map(String), 'or');
  const judged = valueSchema(param)?.safeParse(value);
  if (!judged || judged.success) return null;
  const where = judged.error.issues[0]?.path.map(String).join('.') ?? '';
  return `what its schema allows${where === '' ? '' : ` (not so at ${shown(where)})`}`;
};

/**
 * Judges the arguments of one call exactly: every required parameter, no unknown one, each value of its type, among its
 * choices and as its schema says; fills what comes from the item (workspace-wire 4.1, 4.3, 6.1).
 *
 * @returns the complete arguments in the order of the parameters, or the failure `invalid_arguments` (`limit_exceeded`
 * when they are too large) with one sentence a parameter. No sentence holds a value that the caller sent.
 */
export const checkArgs = async (
  action: Readonly<{ id: string; params: Params }>,
  args: Readonly<Record<string, unknown>>,
  context: ArgsContext,
): Promise<CheckedArgs> => {
  const tooLarge = argsTooLarge(args, context.path);
  if (tooLarge) {
    const sentence = tooLarge.message.join('');
    return {
      ok: false,
      failure: tooLarge,
      messages: Object.fromEntries(Object.keys(args).map((name) => [name, sentence])),
    };
  }
  const complete: [string, Json][] = [];
  const missing: string[] = [];
  const misfits: [name: string, wanted: string][] = [];
  for (const [name, param] of Object.entries(action.params)) {
    const value: unknown = Object.hasOwn(args, name) ? args[name] : param.fromItem ? context.item : undefined;
    if (value === undefined) {
      if (param.required) missing.push(name);
      continue;
    }
    const wanted = await wantedInstead(value, param, context);
    if (wanted !== null) misfits.push([name, wanted]);
    else if (isJson(value)) complete.push([name, value]);
  }
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(action.params, name));
  if (missing.length + unknown.length + misfits.length === 0) return { ok: true, args: Object.fromEntries(complete) };
  const clauses = [
    ...(missing.length > 0 ? [`needs ${listed(missing, 'and')}`] : []),
    ...(unknown.length > 0
      ? [`has no parameter${unknown.length > 1 ? 's' : ''} ${listed(unknown.map(shown), 'and')}`]
      : []),
    ...misfits.map(([name, wanted]) => `takes ${name} only as ${wanted}`),
  ];
  return {
    ok: false,
    failure: {
      code: 'invalid_arguments',
      message: [`${action.id} ${listed(clauses, 'and')}.`],
      next: nextStep(context.path),
    },
    messages: Object.fromEntries([
      ...missing.map((name) => [name, `${name} is needed.`]),
      ...unknown.map((name) => [name, `There is no parameter ${shown(name)}.`]),
      ...misfits.map(([name, wanted]) => [name, `${name} must be ${wanted}.`]),
    ]),
  };
};
