import { h } from '../dom.ts';
import { sameJson } from '../sameJson.ts';
import { jsonText } from '../seen.ts';
import { choices, yesOrNo } from './choice.ts';
import { type Controls, type Field, type FieldParts, framed, type Reading } from './field.ts';
import { type TextualLook, textual } from './textual.ts';

const line: TextualLook = { line: true, mono: false };
const area: TextualLook = { line: false, mono: false };
const code: TextualLook = { line: false, mono: true };
const path: TextualLook = { line: true, mono: true };

const value = (read: unknown): Reading => ({ ok: true, value: read });

/** An optional text that was emptied is not given. */
const text =
  (look: TextualLook) =>
  (parts: FieldParts, heard: () => void): Controls => {
    const { sent, param } = parts;
    const read = (written: string): Reading => value(written === '' && !param.required ? undefined : written);
    return textual(parts, { text: typeof sent === 'string' ? sent : undefined, read, sent }, look, heard);
  };

const numeric =
  (isFit: (number: number) => boolean, wrong: string) =>
  (parts: FieldParts, heard: () => void): Controls => {
    const { sent } = parts;
    const read = (written: string): Reading => {
      const trimmed = written.trim();
      if (trimmed === '') return value(undefined);
      const number = Number(trimmed);
      return isFit(number) ? value(number) : { ok: false, message: wrong };
    };
    const controls = textual(parts, { text: sent === undefined ? undefined : String(sent), read, sent }, line, heard);
    for (const input of controls.inputs) input.setAttribute('inputmode', 'decimal');
    return controls;
  };

const json = (parts: FieldParts, heard: () => void): Controls => {
  const { sent } = parts;
  const read = (written: string): Reading => {
    if (written.trim() === '') return value(undefined);
    try {
      return value(JSON.parse(written));
    } catch {
      return { ok: false, message: 'This is no JSON.' };
    }
  };
  return textual(parts, { text: sent === undefined ? undefined : jsonText(sent), read, sent }, code, heard);
};

/** A secret is neither shown nor taken: nothing may keep a new one (workspace-wire section 9). */
const secret = ({ sent }: FieldParts): Controls => ({
  element: h(
    'p',
    { class: 'secret' },
    sent === undefined
      ? h('span', { class: 'quiet' }, 'not given')
      : h(
          'span',
          {},
          h('span', { 'aria-hidden': 'true' }, '•••••••• '),
          h('span', { class: 'quiet' }, 'secret: not shown, and not yours to change here'),
        ),
  ),
  inputs: [],
  single: false,
  read: () => value(sent),
  reset: () => {},
});

const kinds: Readonly<Record<string, (parts: FieldParts, heard: () => void) => Controls>> = {
  text: text(area),
  integer: numeric(Number.isSafeInteger, 'Write a whole number.'),
  number: numeric(Number.isFinite, 'Write a number.'),
  boolean: yesOrNo,
  object: json,
  array: json,
  resource: text(path),
  datetime: text(line),
  secret,
};

/** Whether an argument reads as it was sent. Areas know one kind of line break only. */
const asSent = (sent: unknown, reading: Reading): boolean => {
  const written = typeof sent === 'string' ? sent.replaceAll('\r\n', '\n') : sent;
  return reading.ok && (sameJson(reading.value, sent) || sameJson(reading.value, written));
};

/** Makes the field that fits a parameter; what sends nothing new reads as the value that was sent. */
export const createField = (parts: FieldParts): Field => {
  const { param, sent } = parts;
  // Types are read without case (D-01); one that this page does not know is shown as JSON.
  const make = param.choices === undefined ? (kinds[param.ty.toLowerCase()] ?? json) : choices;
  const same = (reading: Reading): boolean => asSent(sent, reading);
  const field = framed(parts, (heard) => make(parts, heard), same);
  return {
    ...field,
    read: () => {
      const reading = field.read();
      return same(reading) ? { ok: true, value: sent } : reading;
    },
  };
};
