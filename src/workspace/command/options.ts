import { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import { CommandError } from './terminal.ts';

/** The values of options, read from how they are written; a wrong one is a usage error. */

const usage = (message: string): CommandError => new CommandError(message, 2);

const whole = (text: string, option: string, min: number, max: number): number => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) throw usage(`${option} takes a whole number from ${min} to ${max}.`);
  return number;
};

export const portOf = (text: string): number => whole(text, '--port', 0, 65_535);
export const askHoursOf = (text: string): number => whole(text, '--ask-hours', 1, 168);

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30d`, `12h` or `15m` in milliseconds. */
export const durationOf = (text: string): number => {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const each = units[unit];
  if (each === undefined) throw usage('--expires takes minutes, hours or days: 15m, 12h, 30d.');
  return Number(count) * each;
};

export const maxOf = (text: string): ActionKind => {
  const kind = ActionKind.safeParse(text);
  if (!kind.success) throw usage(`--max is one of ${ActionKind.options.join(', ')}.`);
  return kind.data;
};

/** What belongs to governed runs in workspaces, which this version does not have (workspace-wire section 11). */
export const notYet = (option: string): CommandError => new CommandError(`${option} is not available in this version.`);
