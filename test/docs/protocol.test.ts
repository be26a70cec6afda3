import { describe, expect, it } from 'vitest';
import { NextAction } from '../../schemas/artifacts/nextAction.ts';
import { checkBody } from '../../schemas/issues.ts';
import { toolArguments } from '../../schemas/tools.ts';
import { phaseTable, SubmittedType, submittedTypes } from '../../schemas/vocabulary.ts';
import { followRun, inspectRepository, scriptedAuthor } from '../../src/sdk/index.ts';
import { examplesOf } from './conversation.ts';
import { textOf } from './pages.ts';
import { type Call, stage } from './stage.ts';

const page = 'docs/protocol.md';
const examples = examplesOf(page);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;

const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** What even the action that is shown whole leaves out: too long for a page. */
const left = ['brief', 'requiredOutputSchema', 'additionalOutputSchemas'];

/** What the page leaves out between its examples, by the name that it gives it. */
const meanwhile = async (name: string, call: Call, root: string): Promise<void> => {
  if (name !== 'a-second-run-comes-to-execution') throw new Error(`Nothing is known of ${name}.`);
  const { WorkResult: _, ...untilExecution } = scriptedAuthor(inspectRepository(root, { PATH: process.env.PATH }));
  const followed = followRun({
    call,
    author: untilExecution,
    start: {
      originalRequest: 'Is anything in the working tree uncommitted?',
      mode: 'analyze_only',
      hostName: 'example-host',
      hostCapabilities: ['repository.read', 'shell.inspect'],
    },
  });
  await expect(followed).rejects.toThrow('no function for WorkResult');
};

describe('the examples of the protocol page', () => {
  it('are played against a real run, call by call, and answered as the page says', async () => {
    const { root, call } = stage();
    let answer: unknown = null;
    let answers = 0;
    let whole = 0;
    for (const example of examples) {
      const where = `${page}:${example.line}`;
      if (example.kind === 'meanwhile') await meanwhile(example.name, call, root);
      if (example.kind === 'call') {
        answer = await call(example.tool, example.json);
        const action = fieldOf(answer, 'nextAction');
        if (action !== undefined) expect(NextAction.safeParse(action).error, where).toBeUndefined();
      }
      if (example.kind === 'answer') {
        expect(answer, where).toMatchObject(Object(example.json));
        const shown = keysOf(fieldOf(example.json, 'nextAction'));
        const missing = keysOf(fieldOf(answer, 'nextAction')).filter(
          (key) => !shown.includes(key) && !left.includes(key),
        );
        if (missing.length === 0 && shown.includes('stopConditions')) whole += 1;
        answers += 1;
      }
    }
    expect(answers).toBeGreaterThan(10);
    expect(whole, 'one action is shown whole').toBe(1);
  });

  it('come to a completed and to a cancelled end', () => {
    const ends = examples.map(({ kind, ...rest }) =>
      kind === 'answer' ? fieldOf(fieldOf(rest, 'json'), 'run') : null,
    );
    expect(ends.map((run) => fieldOf(run, 'status'))).toEqual(expect.arrayContaining(['completed', 'cancelled']));
  });

  it('call tools with arguments that their schemas take', () => {
    for (const example of examples) {
      if (example.kind !== 'call') continue;
      const schema = new Map(Object.entries(toolArguments)).get(example.tool);
      expect(schema?.safeParse(example.json).success, `${page}:${example.line}`).toBe(true);
    }
  });

  it('show bodies that fit their schema, but for the one that is refused for its shape', () => {
    const unfit = examples.flatMap((example) => {
      if (example.kind !== 'call') return [];
      const type = SubmittedType.safeParse(fieldOf(example.json, 'artifact_type'));
      if (!type.success) return [];
      return checkBody(type.data, fieldOf(example.json, 'body')).ok ? [] : [type.data];
    });
    expect(unfit).toEqual(['ProblemFrame']);
  });
});

describe('the protocol page', () => {
  const text = textOf(page);

  it.each(Object.values(phaseTable))('names what $wire asks for, of whom, and what else it takes', (row) => {
    const cell = (types: readonly string[]): string => types.map((type) => `\`${type}\``).join(', ') || '–';
    const [required = '', ...alternatives] = row.accepts;
    const line = `| \`${row.wire}\` | ${row.role.replaceAll('_', ' ')} | \`${required}\` | ${cell([...alternatives, ...row.supports])} |`;
    expect(text).toContain(line);
  });

  it.each(Object.values(phaseTable))(
    'names $wire as the record of a run does, where that differs',
    ({ wire, record }) => {
      expect(text.includes(`| \`${wire}\` | \`${record}\` |`)).toBe(wire !== record);
    },
  );

  it.each(Object.keys(toolArguments))('tells of the tool %s', (tool) => {
    expect(text).toContain(`\`${tool}\``);
  });

  it.each(submittedTypes)('tells of the type %s', (type) => {
    expect(text).toContain(`\`${type}\``);
  });
});
