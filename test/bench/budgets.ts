import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { budgetSet } from '../../src/mcp/fit/budget.ts';
import type { StartRequest } from '../../src/sdk/index.ts';
import { type Bench, openBoth } from './benchWorld.ts';
import { followByBlanks } from './blanks.ts';
import { connectSurface } from './surfaceClient.ts';
import { print, printTable } from './table.ts';

const budgets = [38_000, 25_000, 11_500, 7500] as const;
const files = 16;
const criteria = 8;

const executing = ['repository.read', 'repository.write', 'shell.inspect', 'shell.execute'] as const;
const changing = ['repository.read', 'repository.write', 'shell.inspect'] as const;

/** Every mode as a host mostly starts it, and the most it may be made to read at 25,000 characters an answer. */
const runs: readonly (readonly [start: StartRequest, target?: number])[] = [
  [{ mode: 'report_only', originalRequest: 'Say what this project is.' }, 75],
  [{ mode: 'plan_only', originalRequest: 'Plan a second parser.', hostCapabilities: ['repository.read'] }],
  [
    {
      mode: 'analyze_only',
      originalRequest: 'What does the parser do, and is anything uncommitted?',
      hostCapabilities: ['repository.read', 'shell.inspect'],
    },
    130,
  ],
  [
    {
      mode: 'fix_only',
      originalRequest: 'Add a line to README.md.',
      hostCapabilities: ['repository.read', 'repository.write'],
    },
  ],
  [
    {
      mode: 'analyze_and_fix',
      originalRequest: 'Find out what README.md lacks and add it.',
      hostCapabilities: changing,
    },
    210,
  ],
];

const kilo = (bytes: number): string => (bytes / 1024).toFixed(1);
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Whole runs, by blanks alone, as hosts of each budget see them. */
const measureRuns = async (bench: Bench): Promise<void> => {
  const rows: (readonly string[])[] = [];
  for (const [start, target] of runs)
    for (const characters of budgets) {
      const { controller } = openBoth(bench.newState());
      const client = await connectSurface(controller, budgetSet(String(characters)));
      const { terminal, run } = await followByBlanks(client.call, { start });
      const sizes = client.calls.map(({ answerBytes }) => answerBytes);
      const largest = client.calls.reduce((most, one) => (one.answerBytes > most.answerBytes ? one : most));
      rows.push([
        start.mode,
        run.topology,
        terminal.status,
        String(characters),
        String(client.calls.length),
        kilo(sizes.reduce((sum, size) => sum + size, 0)),
        characters === 25_000 && target !== undefined ? String(target) : '',
        String(largest.answerBytes),
        `${largest.tool} ${JSON.stringify(largest.args.parts ?? largest.args.artifact_type ?? '')}`,
      ]);
      await client.close();
      controller.close();
    }
  printTable(
    '7a. Answers of one whole run by blanks alone (text of each answer, once)',
    ['run', 'topology', 'end', 'budget', 'calls', 'KB', 'target', 'largest', 'of'],
    rows,
  );
};

/** A folder with so many files that all are selected. */
const wideRoot = ({ base }: Bench): string => {
  const root = join(base, 'wide');
  mkdirSync(join(root, 'src', 'module'), { recursive: true });
  writeFileSync(join(root, 'AGENTS.md'), 'Keep lines short.\n');
  for (let index = 1; index < files; index += 1)
    writeFileSync(
      join(root, 'src', 'module', `part${String(index).padStart(2, '0')}.ts`),
      `/** Splits a text at each comma: part ${index} of the parser. */\nexport const part${index} = (text: string): string[] => text.split(',');\n`,
    );
  return root;
};

type OnBrief = NonNullable<Parameters<typeof followByBlanks>[1]['onBrief']>;

/** Forensic runs with eight criteria and sixteen sources, each decision taken once that makes a run longer. */
const longRuns = async (
  bench: Bench,
  characters: number,
  onBrief: (mode: string) => OnBrief,
): Promise<readonly number[]> => {
  const root = wideRoot(bench);
  const largest: number[] = [];
  for (const [{ mode, originalRequest }] of runs) {
    const state = locateStateDirectory({ TELIC_STATE_DIR: join(bench.base, `wide-${mode}-${characters}`) }, root);
    const { controller } = openBoth(state);
    const client = await connectSurface(controller, budgetSet(String(characters)));
    const wishes = ['revise', 'proceed_to_fix', 'remediate'];
    await followByBlanks(client.call, {
      start: {
        mode,
        originalRequest: `${originalRequest} Look at the parts of the parser: part01 to part15.`,
        hostCapabilities: executing,
        authorizationGranted: executing,
        shellExecuteAllowlist: ['npm test', 'npm run lint', 'npm run build -- --production'],
        topologyOverride: 'forensic',
      },
      criteria,
      variant: (variants) => {
        const wish = wishes.find((name) => variants.some((one) => one.name === name));
        if (wish !== undefined) wishes.splice(wishes.indexOf(wish), 1);
        return wish;
      },
      onBrief: onBrief(mode),
    });
    largest.push(Math.max(...client.calls.map(({ answerCharacters }) => answerCharacters)));
    await client.close();
    controller.close();
  }
  return largest;
};

const measureBriefs = async (bench: Bench): Promise<void> => {
  const sizes = new Map<string, Map<string, readonly [number, number]>>();
  await longRuns(bench, 1_000_000, (mode) => (phase, { brief: { alternatives, ...brief } }) => {
    const now = [sizeOf(brief), sizeOf({ ...brief, alternatives })] as const;
    const row = sizes.get(phase) ?? new Map<string, readonly [number, number]>();
    const before = row.get(mode);
    row.set(mode, before && before[0] > now[0] ? before : now);
    sizes.set(phase, row);
  });
  printTable(
    `7b. The largest brief of each phase at ${criteria} criteria and ${files} sources: characters without / with its alternatives`,
    ['phase', ...runs.map(([{ mode }]) => mode)],
    [...sizes].map(([phase, row]) => [
      phase,
      ...runs.map(([{ mode }]) => {
        const cell = row.get(mode);
        return cell ? `${cell[0]} / ${cell[1]}` : '';
      }),
    ]),
  );
  print('limit without alternatives: 8192, in quality and audit 10240');
  const rows: (readonly string[])[] = [];
  for (const characters of budgets)
    rows.push([String(characters), ...(await longRuns(bench, characters, () => () => {})).map(String)]);
  printTable(
    '7c. Characters of the largest answer of those runs at each budget',
    ['budget', ...runs.map(([{ mode }]) => mode)],
    rows,
  );
};

/** What hosts of each budget are made to read, and how large briefs are. */
export const measureBudgets = async (bench: Bench): Promise<void> => {
  await measureRuns(bench);
  await measureBriefs(bench);
};
