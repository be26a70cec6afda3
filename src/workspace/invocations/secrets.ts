import type { ActionRow } from '../../../schemas/wire/answers.ts';
import type { Args, Json } from '../apps/app.ts';
import type { Failure, Phrase } from '../failure.ts';

/** What stands for a secret wherever arguments are stored or shown (workspace-wire 5.2). */
export const secretStandIn = { secret: true } as const;

/** The names of the parameters whose values are never stored. */
export const secretNames = (row: Pick<ActionRow, 'params'>): readonly string[] =>
  row.params.filter(({ ty }) => ty.toLowerCase() === 'secret').map(({ name }) => name);

/** The secrets among the arguments of a call. */
export const secretsIn = (row: Pick<ActionRow, 'params'>, args: Readonly<Record<string, unknown>>): Args =>
  Object.fromEntries(
    secretNames(row).flatMap((name) => {
      const value = Object.hasOwn(args, name) ? args[name] : undefined;
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/** Arguments as they may be stored: each secret replaced by its stand-in. */
export const withStandIns = (row: Pick<ActionRow, 'params'>, args: Args): Args => {
  const names = secretNames(row);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, names.includes(name) ? secretStandIn : value]),
  );
};

/** The stand-ins among stored arguments. */
export const standInsIn = (row: Pick<ActionRow, 'params'>, args: Args): Args =>
  Object.fromEntries(
    secretNames(row)
      .filter((name) => Object.hasOwn(args, name))
      .map((name) => [name, secretStandIn]),
  );

/** Arguments as an answer tells them: without the secrets. */
export const withoutSecrets = (row: Pick<ActionRow, 'params'>, args: Args): Args => {
  const names = secretNames(row);
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
};

/** Whether a value is what stands for a secret. */
export const isStandIn = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'secret' in value && value.secret === true;

/** Takes the values of secrets out of what an app says. */
export interface Redactor {
  text(text: string): string;
  json(value: Json): Json;
  failure(failure: Failure): Failure;
  /** Whether one of them, too long to stand there by chance, is in any text of the value. */
  finds(value: Json): boolean;
}

/**
 * Shorter values are looked for nowhere: one that is a letter or two stands in every text, and its removal would tell it
 * rather than hide it. What an app would store is refused only for longer ones: a short one may stand there by chance.
 */
const shortest = { said: 4, stored: 8 };

const shown = '[secret]';

/** @param secrets the secrets among a call's arguments */
export const redactorOf = (secrets: Args): Redactor => {
  const values = Object.values(secrets).filter((value): value is string => typeof value === 'string');
  // Longest first, so that a secret which holds another goes as a whole; also as a log that prints JSON spells it.
  const spellings = [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
    .filter(({ length }) => length >= shortest.said)
    .sort((one, other) => other.length - one.length);
  const text = (said: string): string => spellings.reduce((left, secret) => left.replaceAll(secret, shown), said);
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(json);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [text(key), json(member)]));
  };
  const stored = values.filter(({ length }) => length >= shortest.stored);
  const holds = (value: Json): boolean => {
    if (typeof value === 'string') return stored.some((secret) => value.includes(secret));
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([key, member]) => holds(key) || holds(member));
  };
  const phrase = (said: Phrase): Phrase =>
    said.map((part) => (typeof part === 'string' ? text(part) : { path: text(part.path) }));
  return {
    text,
    json,
    failure: ({ code, message, next }) => ({ code: text(code), message: phrase(message), next: next.map(phrase) }),
    finds: holds,
  };
};
