import { h } from '../dom.ts';
import { said } from '../said.ts';
import type { Controls, FieldParts } from './field.ts';

/** One thing to choose. */
interface Option {
  readonly value: unknown;
  readonly label: string;
  /** Whether the label is our word for it and not the app's. */
  readonly ours?: boolean;
}

const radios = ({ id, param, sent }: FieldParts, options: readonly Option[], heard: () => void): Controls => {
  const all: readonly Option[] = param.required
    ? options
    : [...options, { value: undefined, label: 'not given', ours: true }];
  const inputs = all.map(({ value }, at) => {
    const input = h('input', { type: 'radio', name: id, id: `${id}-${at}`, on: { change: heard } });
    input.checked = value === sent;
    return input;
  });
  return {
    element: h(
      'div',
      { class: 'radios' },
      ...all.map(({ label, ours = false }, at) =>
        h('label', {}, inputs[at] ?? null, ' ', ours ? h('span', { class: 'quiet' }, label) : said(label)),
      ),
    ),
    inputs,
    single: false,
    read: () => ({ ok: true, value: all[inputs.findIndex(({ checked }) => checked)]?.value }),
    reset: () => {
      inputs.forEach((input, at) => {
        input.checked = all[at]?.value === sent;
      });
    },
  };
};

export const choices = (parts: FieldParts, heard: () => void): Controls =>
  radios(
    parts,
    (parts.param.choices ?? []).map((value) => ({ value, label: String(value) })),
    heard,
  );

export const yesOrNo = (parts: FieldParts, heard: () => void): Controls =>
  radios(
    parts,
    [
      { value: true, label: 'yes', ours: true },
      { value: false, label: 'no', ours: true },
    ],
    heard,
  );
