import { h, show } from '../dom.ts';
import { amount, saidBlock } from '../said.ts';
import { cleaned, hidesSomething } from '../seen.ts';
import type { Controls, FieldParts, Reading } from './field.ts';

/** Rows that an area has before the rest of its text is folded away, and about how many characters a row holds. */
const foldRows = 8;
const rowLength = 72;

const rowsOf = (text: string): number =>
  text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / rowLength)), 0);

/** An area or a line that a text is edited in, and what keeps a long one from hiding its end. */
const editor = (
  id: string,
  text: string,
  { line, mono }: TextualLook,
  heard: () => void,
): Readonly<{ element: HTMLElement; input: HTMLInputElement | HTMLTextAreaElement }> => {
  const common = { id, class: mono ? 'mono' : '', spellcheck: 'false', autocomplete: 'off', dir: 'auto' };
  if (line) {
    const input = h('input', { ...common, type: 'text' });
    input.value = text;
    input.addEventListener('input', heard);
    return { element: input, input };
  }
  const input = h('textarea', common);
  const toggle = h('button', { type: 'button', class: 'link', 'aria-expanded': 'false' });
  const note = h('p', { class: 'quiet' });
  input.value = text;
  const resize = (): void => {
    const rows = rowsOf(input.value);
    const open = toggle.getAttribute('aria-expanded') === 'true';
    input.rows = open ? rows + 1 : Math.min(rows, foldRows);
    show(note, rows > foldRows);
    toggle.textContent = open ? 'Show less' : 'Show all of it';
    const lines = input.value.split('\n').length;
    note.replaceChildren(
      `${amount(input.value.length, 'character', 'characters')} in ${amount(lines, 'line', 'lines')}. `,
      toggle,
    );
  };
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-expanded', String(toggle.getAttribute('aria-expanded') !== 'true'));
    resize();
    toggle.focus();
  });
  input.addEventListener('input', () => {
    resize();
    heard();
  });
  resize();
  return { element: h('div', {}, input, note), input };
};

export interface TextualLook {
  /** One line, for what has no line breaks. */
  readonly line: boolean;
  readonly mono: boolean;
}

export interface TextualValue {
  /** What was sent, as text; undefined when nothing was. */
  readonly text: string | undefined;
  /** Reads a text that the person changed. */
  read(text: string): Reading;
  /** What was sent, as it was sent. */
  readonly sent: unknown;
}

/**
 * Controls for what is written as text. A text that hides something is not put into an area, which would show it as it
 * wants to be seen: it is written out, and editing it begins with taking those characters away.
 */
export const textual = (
  { id }: Pick<FieldParts, 'id'>,
  { text = '', read, sent }: TextualValue,
  look: TextualLook,
  heard: () => void,
): Controls => {
  let touched = false;
  const { element: area, input } = editor(`${id}-input`, hidesSomething(text) ? cleaned(text) : text, look, () => {
    touched = true;
    heard();
  });
  const controls = {
    inputs: [input],
    single: true,
    read: (): Reading => (touched ? read(input.value) : { ok: true, value: sent }),
    reset: (): void => {
      touched = false;
      input.value = text;
    },
  };
  if (!hidesSomething(text)) return { ...controls, element: area };

  const clean = h('button', { type: 'button', class: 'small' }, 'Take them out and edit');
  const written = h(
    'div',
    { class: 'written-out' },
    saidBlock(text, 'boxed'),
    h('p', { class: 'warning' }, 'This text holds characters that cannot be seen. They are written out here. ', clean),
  );
  const swap = (editing: boolean): void => {
    show(written, !editing);
    show(area, editing);
  };
  clean.addEventListener('click', () => {
    touched = true;
    swap(true);
    heard();
    input.focus();
  });
  swap(false);
  return {
    ...controls,
    element: h('div', {}, written, area),
    inputs: [clean, input],
    single: false,
    reset: () => {
      controls.reset();
      input.value = cleaned(text);
      swap(false);
    },
  };
};
