import type { Reading } from '../../schemas/wire/answers.ts';
import { json, label, word } from './words.ts';

/** A field on its line; a text of several lines stands below its name, indented. The line break at its end is not told. */
const fieldLines = ([name, value]: readonly [string, unknown]): readonly string[] => {
  if (typeof value !== 'string' || !value.includes('\n')) return [`${word(name)}: ${json(value)}`];
  const lines = value.replace(/\n$/, '').split('\n');
  return [`${word(name)}: |`, ...lines.map((line) => `  ${line}`)];
};

/** A reading as lines (workspace-wire 4.2). */
export const readLines = (reading: Reading): readonly string[] => [
  `${word(reading.path)} ${word(reading.kind)}`,
  ...Object.entries(reading.fields).flatMap(fieldLines),
  ...reading.children.map(({ list, item, path, name }) => `- ${word(list)} ${word(item)} ${word(path)} ${label(name)}`),
  ...(reading.cursor === undefined ? [] : [`more: cursor ${word(reading.cursor)}`]),
];
