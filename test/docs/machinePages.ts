import {
  type DiagramName,
  diagramNames,
  diagramOf,
  diagramTitle,
  outlineNamed,
} from '../../machines/diagrams/index.ts';
import { allStates, type Named } from '../../machines/diagrams/outline.ts';
import { actionLines, factLines, guardLines } from './machineLines.ts';

/** docs/machines/: every machine as Mermaid and SVG, and a page that shows them all. */

const table = (head: string, names: readonly string[], lines: ReadonlyMap<string, string>): string => {
  const rows = names.map((name) => {
    const line = lines.get(name);
    if (line === undefined) throw new Error(`test/docs/machineLines.ts has no line for ${name}.`);
    return `| \`${name}\` | ${line} |`;
  });
  return [`| ${head} | |`, '| --- | --- |', ...rows].join('\n');
};

const inOrder = (names: readonly string[], lines: ReadonlyMap<string, string>): readonly string[] => {
  const used = [...new Set(names)];
  const known = [...lines.keys()];
  return used.toSorted((a, b) => known.indexOf(a) - known.indexOf(b));
};

const section = (name: DiagramName, mermaid: string): string =>
  [
    `## ${name}`,
    '',
    `[![${diagramTitle(name)}](${name}.svg)](${name}.svg)`,
    '',
    `<details><summary>The same as Mermaid (<a href="${name}.mmd">${name}.mmd</a>)</summary>`,
    '',
    '```mermaid',
    mermaid.trimEnd(),
    '```',
    '',
    '</details>',
  ].join('\n');

const page = (drawings: ReadonlyMap<DiagramName, string>): string => {
  const rows = diagramNames.flatMap((name) => allStates(outlineNamed(name)).flatMap((state) => state.rows));
  const entry = diagramNames.flatMap((name) => allStates(outlineNamed(name)).flatMap((state) => state.entry));
  const guards: readonly Named[] = rows.flatMap(({ guard }) => (guard === null ? [] : [guard]));
  const facts = guards.flatMap(({ name, facts: of }) => (name === 'when' ? Object.keys(of) : []));
  const actions = [...rows.flatMap((row) => row.actions), ...entry].map(({ name }) => name);
  const guardNames = guards.map(({ name }) => name);
  return `# The machines

One machine a phase, and the run machine that routes between them. Each picture is drawn from the definition of its
machine in [machines/](../../machines), so it shows what the code does. \`npm run docs\` draws them again.

${diagramNames.map((name) => `[${name}](#${name})`).join(' · ')}

## How to read them

- A number is the place of a row in the list of its event. The rows are tried in that order and the first that holds is taken.
- Dark red names are objections: the row stays put and refuses. Brown is what a row does beside moving.
- A phase of the run machine is drawn closed: "ends as" lists its exits, and the arrows that leave it begin with the exit
  that they take. Its own picture shows what it refuses. A diamond is the end of a phase that has two states.
- "Any state of" stands for every state of the box around it.
- A phase machine is drawn alone, from its usual start. The run machine may also enter \`revise\` and \`reverify\` directly.

## Names

${table('Guard', inOrder(guardNames, guardLines), guardLines)}

${table('Fact', inOrder(facts, factLines), factLines)}

${table('Action', inOrder(actions, actionLines), actionLines)}

${[...drawings].map(([name, mermaid]) => section(name, mermaid)).join('\n\n')}
`;
};

/** Path and text of each file under docs/machines/. */
export const machinePages = async (): Promise<ReadonlyMap<string, string>> => {
  const drawings = new Map<DiagramName, string>();
  const files = new Map<string, string>();
  for (const name of diagramNames) {
    const mermaid = await diagramOf(name, 'mermaid');
    drawings.set(name, mermaid);
    files.set(`docs/machines/${name}.mmd`, mermaid);
    files.set(`docs/machines/${name}.svg`, await diagramOf(name, 'svg'));
  }
  files.set('docs/machines/README.md', page(drawings));
  return files;
};
