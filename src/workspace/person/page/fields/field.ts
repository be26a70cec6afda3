import type { ParamRow } from '../../../../../schemas/wire/answers.ts';
import { h, show } from '../dom.ts';
import { said } from '../said.ts';

/** What stands in a field: a value, undefined when the parameter is not given, or what is wrong. */
export type Reading = Readonly<{ ok: true; value: unknown }> | Readonly<{ ok: false; message: string }>;

/** One argument of an ask, to be looked at and changed. */
export interface Field {
  readonly name: string;
  readonly element: HTMLElement;
  read(): Reading;
  /** Tells what is wrong with it; null when nothing is. */
  complain(message: string | null): void;
  focus(): void;
}

/** What a field is made from. */
export interface FieldParts {
  /** Begins the ids of its elements; unique on the page. */
  readonly id: string;
  readonly param: ParamRow;
  /** The argument as sent, undefined when it was not. */
  readonly sent: unknown;
  /** Called when the person changed what stands in it. */
  changed(): void;
}

/** The controls of one kind of field, before their frame. */
export interface Controls {
  readonly element: HTMLElement;
  /** What takes the keyboard, and what messages belong to. */
  readonly inputs: readonly HTMLElement[];
  read(): Reading;
  /** Puts back what was sent. */
  reset(): void;
  /** Whether a label points at the one input; else the controls are a group of their own name. */
  readonly single: boolean;
}

/** Puts controls into a frame: name, description, what is wrong, and the way back from a change. */
export const framed = (
  { id, param, changed }: FieldParts,
  make: (heard: () => void) => Controls,
  same: (reading: Reading) => boolean,
): Field => {
  const error = h('p', { class: 'error', id: `${id}-error`, hidden: true });
  const back = h('button', { type: 'button', class: 'link' }, 'Put back what was sent');
  const edited = h('p', { class: 'edited', hidden: true }, 'Changed by you. ', back);
  const heard = (): void => {
    show(edited, !same(controls.read()));
    complain(null);
    changed();
  };
  const controls: Controls = make(heard);
  back.addEventListener('click', () => {
    controls.reset();
    heard();
    controls.inputs[0]?.focus();
  });
  const complain = (message: string | null): void => {
    error.textContent = message ?? '';
    show(error, message !== null);
    for (const input of controls.inputs) {
      if (message === null) input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
    }
  };
  const description =
    param.description === undefined ? null : h('p', { class: 'quiet', id: `${id}-about` }, said(param.description));
  const about = `${description === null ? '' : `${id}-about `}${id}-error`;
  for (const input of controls.inputs) input.setAttribute('aria-describedby', about);
  const name = [said(param.name, 'param'), param.required ? null : h('span', { class: 'quiet' }, ' optional')];
  const [only] = controls.inputs;
  const element =
    controls.single && only !== undefined
      ? h(
          'div',
          { class: 'field' },
          h('label', { for: only.id }, ...name),
          description,
          controls.element,
          edited,
          error,
        )
      : h('fieldset', { class: 'field' }, h('legend', {}, ...name), description, controls.element, edited, error);
  return {
    name: param.name,
    element,
    read: controls.read,
    complain,
    focus: () => controls.inputs[0]?.focus(),
  };
};
