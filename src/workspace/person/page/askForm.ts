import type { Ask } from '../../../../schemas/wire/person.ts';
import { argOf } from './argOf.ts';
import { type Child, h } from './dom.ts';
import { createField } from './fields/createField.ts';
import { amount } from './said.ts';
import { sameJson } from './sameJson.ts';

/** The arguments as the person left them, or that some of them cannot be read; those say so themselves. */
export type Edited = Readonly<{ ok: true; args: Readonly<Record<string, unknown>> }> | Readonly<{ ok: false }>;

/** The arguments of an ask as a form. */
export interface AskForm {
  readonly element: HTMLElement;
  /** Whether there is anything to change. */
  readonly editable: boolean;
  /** Whether anything stands in it that was not sent. */
  differs(): boolean;
  args(): Edited;
  /** Tells what is wrong, by parameter, and leads the keyboard to the first; what belongs to no field is given back. */
  complain(messages: Readonly<Record<string, string>>): readonly string[];
}

/** @param changed called when the person changed something */
export const createAskForm = ({ id, action, args: sent }: Ask, changed: () => void): AskForm => {
  const fields = action.params.map((param, at) =>
    createField({ id: `ask-${id}-${at}`, param, sent: argOf(sent, param.name), changed }),
  );
  const given = fields.filter(({ name }, at) => action.params[at]?.required || argOf(sent, name) !== undefined);
  const rest = fields.filter((field) => !given.includes(field));
  const more = h(
    'details',
    { class: 'more' },
    h('summary', {}, `${amount(rest.length, 'parameter', 'parameters')} not given`),
    ...rest.map(({ element }) => element),
  );
  const shown: Child[] = [
    ...given.map(({ element }) => element),
    rest.length > 0 && more,
    fields.length === 0 && h('p', { class: 'quiet' }, 'It takes no arguments.'),
  ];
  return {
    element: h('div', { class: 'args', role: 'group', 'aria-label': 'Arguments' }, ...shown),
    editable: fields.length > 0,
    differs: () =>
      fields.some((field) => {
        const reading = field.read();
        return !reading.ok || !sameJson(reading.value, argOf(sent, field.name));
      }),
    args: () => {
      const read = fields.map((field) => ({ field, reading: field.read() }));
      const wrong = read.flatMap(({ field, reading }) => (reading.ok ? [] : [{ field, message: reading.message }]));
      for (const { field, message } of wrong) field.complain(message);
      wrong[0]?.field.focus();
      if (wrong.length > 0) return { ok: false };
      return {
        ok: true,
        args: Object.fromEntries(
          read.flatMap(({ field, reading }) =>
            reading.ok && reading.value !== undefined ? [[field.name, reading.value] as const] : [],
          ),
        ),
      };
    },
    complain: (messages) => {
      const named = fields.filter(({ name }) => argOf(messages, name) !== undefined);
      for (const field of fields) field.complain(argOf(messages, field.name) ?? null);
      if (named.some((field) => rest.includes(field))) more.open = true;
      named[0]?.focus();
      return Object.entries(messages).flatMap(([name, message]) =>
        fields.some((field) => field.name === name) ? [] : [message],
      );
    },
  };
};
