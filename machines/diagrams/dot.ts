import { endFill, ink, roleFill } from './palette.ts';
import { type Arrow, allBoxes, type Box, type Line, type Picture, type Staying } from './picture.ts';

/** A picture in the language of Graphviz. */

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const font = (color: string, size: number, html: string): string =>
  `<font color="${color}" point-size="${size}">${html}</font>`;
const bold = (text: string): string => `<b>${escaped(text)}</b>`;

const rowOf = (html: string, fill?: string): string =>
  `<tr><td align="left" balign="left"${fill === undefined ? '' : ` bgcolor="${fill}"`}>${html}</td></tr>`;

const table = (rows: readonly string[], attributes: string): string => `<table ${attributes}>${rows.join('')}</table>`;

/**
 * The font whose widths the layout reckons with: a wide one, so that a reader's narrower font fits its boxes.
 */
const measured = 'DejaVu Sans';

/** A blank that stands at the edge of a font change would be lost. */
const gap = '&#160;';

const orderOf = ({ order }: Line): string => (order === null ? '' : font(ink.quiet, 11, `${order}${gap}${gap}`));

const conditionOf = ({ event, when, order }: Line): string => {
  const condition = when === '' && order !== null && order > 1 && event === null ? 'otherwise' : when;
  const words = [...(event === null ? [] : [bold(event)]), ...(condition === '' ? [] : [escaped(condition)])];
  return font(ink.text, 12, words.join(`${gap}${gap}`));
};

/** Names in lines of at most so many, so that an arrow keeps its label beside it. */
const wrapped = (names: readonly string[], most: number): string => {
  const lines = names.flatMap((_, at) =>
    at % most === 0
      ? [
          names
            .slice(at, at + most)
            .map(escaped)
            .join(', '),
        ]
      : [],
  );
  return lines.join(',<br/>');
};

const effectOf = ({ does }: Line): string =>
  does.length === 0 ? '' : font(ink.effect, 11, wrapped(does, does.join(', ').length > 36 ? 2 : does.length));

const arrowRow = (line: Line): string => {
  const condition = conditionOf(line);
  const effect = effectOf(line);
  const says = line.event !== null || line.when !== '' || line.order !== null;
  const parts = [...(says ? [`${orderOf(line)}${condition}`] : []), ...(effect === '' ? [] : [effect])];
  return rowOf(parts.join('<br/>'));
};

const arrowLabel = (lines: readonly Line[]): string | null => {
  const told = lines.filter(
    ({ order, event, when, does }) => order !== null || event !== null || when !== '' || does.length > 0,
  );
  if (told.length === 0) return null;
  return table(told.map(arrowRow), 'border="0" cellborder="0" cellspacing="0" cellpadding="3"');
};

/** What a box does on one event without leaving it: the objections in their order, then what is taken on the spot. */
const stayingHtml = ({ event, refuses, takes }: Staying): string => {
  const objections = refuses.map(
    (line) => `${orderOf(line)}${font(ink.refused, 11, escaped(line.when || 'anything else'))}`,
  );
  const taken = takes.map((line) => {
    const when = font(ink.text, 11, escaped(line.when === '' ? 'stays' : `${line.when}: stays`));
    return `${orderOf(line)}${when}${gap}${font(ink.effect, 11, escaped(line.does.join(', ')))}`;
  });
  const head = refuses.length === 0 ? bold(event) : `${bold(event)}${gap}is refused when`;
  return [font(ink.text, 11, head), ...objections, ...taken].join('<br/>');
};

const named = ({ role }: Box): string => (role === null ? '' : role.replaceAll('_', ' '));

const boxTable = (box: Box): string => {
  const role = named(box);
  const phase = box.phase !== null && box.phase !== box.label ? box.phase : '';
  const head = [
    font(ink.text, 15, bold(box.label)),
    ...(role === '' ? [] : [font(ink.text, 11, escaped(role))]),
    ...(phase === '' ? [] : [font(ink.quiet, 10, escaped(phase))]),
  ].join('<br/>');
  const told = new Set(box.staying.map(({ event }) => event));
  const asks = box.asks
    .filter((event) => !told.has(event))
    .map((event) => font(ink.text, 11, `waits for${gap}${bold(event)}`));
  const also = box.supports.map((event) => font(ink.text, 11, `also takes ${escaped(event)}`));
  const exits = box.exits.length === 0 ? [] : [font(ink.text, 11, `ends as${gap}${wrapped(box.exits, 3)}`)];
  const still = box.staying.map(stayingHtml);
  const fill = box.role === null ? ink.paper : roleFill[box.role];
  return table(
    [rowOf(head, fill), ...[...asks, ...also, ...exits, ...still].map((html) => rowOf(html, ink.paper))],
    `border="1" color="${ink.line}" cellborder="0" cellspacing="0" cellpadding="5" bgcolor="${ink.paper}"`,
  );
};

const nodeOf = (box: Box): string => {
  const id = quoted(box.id);
  switch (box.kind) {
    case 'choice':
      return `${id} [shape=diamond, label="", width=0.22, height=0.22, fixedsize=true, style=filled, fillcolor="${ink.line}", color="${ink.line}"];`;
    case 'history':
      return `${id} [shape=box, style="rounded,filled,dashed", fillcolor="${ink.paper}", color="${ink.line}", label=<${font(ink.text, 12, bold(box.label))}>];`;
    case 'end': {
      const closes =
        box.status === null || box.status === box.label
          ? ''
          : `<br/>${font(ink.quiet, 10, `status ${escaped(box.status)}`)}`;
      return `${id} [shape=box, style="rounded,filled", peripheries=2, margin="0.18,0.1", fillcolor="${endFill(box.status)}", color="${ink.line}", label=<${font(ink.text, 13, bold(box.label))}${closes}>];`;
    }
    default:
      return `${id} [shape=plain, label=<${boxTable(box)}>];`;
  }
};

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

const drawn = (box: Box): readonly string[] => {
  if (box.kind !== 'group') return [nodeOf(box)];
  return [
    `subgraph ${quoted(`cluster_${box.id}`)} {`,
    ...indented([
      `label=<${font(ink.text, 14, bold(box.label))}>; labelloc=b; labeljust=l; style="rounded,filled"; fillcolor="${ink.group}"; color="${ink.border}"; margin=14;`,
      ...box.boxes.flatMap(drawn),
    ]),
    '}',
  ];
};

/**
 * An arrow back to an earlier box is written from there with its head at the tail, so that the layers follow the order in
 * which the machine names its states.
 */
const edgeOf = ({ from, to, lines }: Arrow, isBack: boolean): string => {
  const label = arrowLabel(lines);
  const attributes = [...(label === null ? [] : [`label=<${label}>`]), ...(isBack ? ['dir=back'] : [])].join(', ');
  const ends = isBack ? `${quoted(to)} -> ${quoted(from)}` : `${quoted(from)} -> ${quoted(to)}`;
  return `${ends}${attributes === '' ? '' : ` [${attributes}]`};`;
};

/**
 * The DOT text of a picture: a cluster for each box with boxes in it, an edge for each arrow with the rows that it
 * stands for; what stays put is told inside its box.
 * @param direction where the picture reads to: down, or to the right
 */
export const dotOf = (picture: Picture, direction: 'TB' | 'LR'): string => {
  const { title, root, start, arrows } = picture;
  const places = new Map(allBoxes(root).map(({ id }, place) => [id, place]));
  const isBack = ({ from, to }: Arrow): boolean => (places.get(to) ?? 0) < (places.get(from) ?? 0);
  return [
    `digraph ${quoted(title)} {`,
    ...indented([
      `graph [label=<${font(ink.text, 18, bold(title))}>, labelloc=t, labeljust=l, rankdir=${direction}, bgcolor="${ink.paper}", fontname="${measured}", pad=0.3, nodesep=0.5, ranksep=0.55];`,
      `node [fontname="${measured}"];`,
      `edge [fontname="${measured}", color="${ink.line}", arrowsize=0.8, penwidth=1.2];`,
      `start [shape=circle, label="", width=0.16, height=0.16, fixedsize=true, style=filled, fillcolor="${ink.text}"];`,
      ...root.boxes.flatMap(drawn),
      `start -> ${quoted(start)};`,
      ...arrows.map((arrow) => edgeOf(arrow, isBack(arrow))),
    ]),
    '}',
    '',
  ].join('\n');
};
