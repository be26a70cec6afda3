import { type Arrow, allBoxes, type Box, type Line, type Picture, type Staying } from './picture.ts';

/** A picture as a state diagram of Mermaid. */

/** Ids without dots; a label without the characters that end a statement there. */
const idOf = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, '_');
const plain = (text: string): string =>
  text
    .replaceAll(/[:;#{}<>"]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const lineText = ({ order, event, when, does }: Line): string => {
  const condition = when === '' && order !== null && order > 1 && event === null ? 'otherwise' : when;
  const says = [order === null ? '' : `(${order})`, event ?? '', condition].filter((part) => part !== '').join(' ');
  return [says, ...(does.length === 0 ? [] : [`/ ${does.join(', ')}`])].filter((part) => part !== '').join(' ');
};

const arrowText = ({ from, to, lines }: Arrow): readonly string[] => {
  const arrow = `${idOf(from)} --> ${idOf(to)}`;
  const texts = lines.map(lineText).map(plain);
  return lines.length === 0 ? [arrow] : texts.map((text) => (text === '' ? arrow : `${arrow} : ${text}`));
};

const stayingText = ({ event, refuses, takes }: Staying): string => {
  const refused = refuses.map(({ order, when }) => `${order === null ? '' : `(${order}) `}${when || 'anything else'}`);
  return plain(
    [
      event,
      ...(refused.length === 0 ? [] : [`refused ${refused.join(', ')}`]),
      ...takes.map((line) => `stays ${lineText(line)}`),
    ].join(' - '),
  );
};

const labelOf = (box: Box): string => {
  const role = box.role === null ? '' : ` (${box.role.replaceAll('_', ' ')})`;
  return plain(box.kind === 'history' ? `H* ${box.label}` : `${box.label}${role}`);
};

/** What a box waits for, as lines under its name. */
const describedBy = (box: Box): readonly string[] => {
  const told = new Set(box.staying.map(({ event }) => event));
  const lines = [
    ...box.asks.filter((event) => !told.has(event)).map((event) => `waits for ${event}`),
    ...box.supports.map((event) => `also takes ${event}`),
    ...(box.exits.length === 0 ? [] : [`ends as ${box.exits.join(', ')}`]),
  ];
  return lines.map((line) => `${idOf(box.id)} : ${plain(line)}`);
};

const declared = (box: Box): readonly string[] => {
  if (box.kind === 'choice') return [`state ${idOf(box.id)} <<choice>>`];
  const head = `state "${labelOf(box)}" as ${idOf(box.id)}`;
  if (box.kind !== 'group') return [head, ...describedBy(box)];
  return [`${head} {`, ...box.boxes.flatMap(declared).map((line) => `  ${line}`), '}'];
};

/** The rows that stay put, one line an event. */
const noteOf = (box: Box): readonly string[] =>
  box.staying.length === 0 || box.kind === 'group'
    ? []
    : [`note right of ${idOf(box.id)}`, ...box.staying.map((staying) => `  ${stayingText(staying)}`), 'end note'];

/**
 * The `stateDiagram-v2` text of a picture. Mermaid has no history node: it stands as a state whose name begins with `H*`.
 * Rows that stay put are in the note of their state.
 * @param direction where the picture reads to: down, or to the right
 */
export const mermaidOf = ({ title, root, start, arrows }: Picture, direction: 'TB' | 'LR'): string =>
  [
    '---',
    `title: ${plain(title)}`,
    '---',
    'stateDiagram-v2',
    ...[
      `direction ${direction}`,
      ...root.boxes.flatMap(declared),
      `[*] --> ${idOf(start)}`,
      ...arrows.flatMap(arrowText),
      ...allBoxes(root)
        .filter(({ kind, id }) => kind === 'end' && !arrows.some(({ from }) => from === id))
        .map(({ id }) => `${idOf(id)} --> [*]`),
      ...allBoxes(root).flatMap(noteOf),
    ].map((line) => `  ${line}`),
    '',
  ].join('\n');
