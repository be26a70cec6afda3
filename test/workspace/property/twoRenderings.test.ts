import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireAnswers } from '../../../schemas/wire/answers.ts';
import { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { textOf } from '../../../src/wireText/textOf.ts';
import { callTool } from '../../../src/workspace/http/callTool.ts';
import { contents, openTable, type Table } from '../invocations/support.ts';

/** One call as a client sends it, or what the person does between two. */
type Move =
  | Readonly<{ tool: string; args: object; meta?: object; client: string; account: boolean }>
  | Readonly<{ person: 'allow' | 'refuse' | 'undo' }>;

const paths = fc.constantFrom(
  'notes',
  'notes/Garden',
  'notes/House move',
  'notes/0a01/a101',
  'notes/Garden/Water the tomatoes',
  'notes/Nowhere',
  'lab',
  'lab/long-text',
  'lab/book-shelf',
  'echo',
  'attic',
  'brittle',
  'apps',
  'a//b',
);
const actions = fc.constantFrom(
  'append-paragraph',
  'append-checkbox',
  'rename',
  'pin',
  'unpin',
  'toggle-checkbox',
  'remove-block',
  'share',
  'delete',
  'undo',
  'redo',
  'new-page',
  'add-item',
  'count',
  'fly',
);
const values = fc.oneof(fc.constantFrom('a101', 'Rosés & "quotes"', 'two\nlines', ''), fc.boolean(), fc.integer());
const args = fc.dictionary(fc.constantFrom('text', 'title', 'id', 'with', 'name', 'steps', 'after'), values, {
  maxKeys: 2,
});
const action = fc.tuple(paths, actions).map(([path, id]) => `${path}#${id}`);
const ids = fc.option(fc.constantFrom('i1', 'i2', 'i3'), { nil: undefined });
const one = fc.record({ path: action, args, invocation_id: ids }, { requiredKeys: ['path'] });
const calls = fc.oneof(
  { weight: 5, arbitrary: one.map((sent) => ({ tool: 'tilo_do', args: { ...sent, wait_ms: 0 } })) },
  {
    weight: 1,
    arbitrary: fc
      .array(
        one.map(({ invocation_id: _, ...sent }) => sent),
        { minLength: 1, maxLength: 3 },
      )
      .map((list) => ({ tool: 'tilo_do', args: { calls: list, wait_ms: 0 } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ path: fc.option(paths, { nil: undefined }), limit: fc.integer({ min: 0, max: 3 }) })
      .map((sent) => ({ tool: 'tilo_ls', args: sent })),
  },
  { weight: 2, arbitrary: paths.map((path) => ({ tool: 'tilo_read', args: { path } })) },
  { weight: 1, arbitrary: action.map((path) => ({ tool: 'tilo_ls', args: { path } })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('garden', 'tomatoes water', 'zzz', 'é')
      .map((query) => ({ tool: 'tilo_find', args: { query } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ invocation_id: fc.constantFrom('i1', 'i2', 'nope'), cancel: fc.boolean() })
      .map((sent) => ({ tool: 'tilo_status', args: sent })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom({}, { cursor: 'c0' }, { cursor: 'c1' }, { cursor: 'hello' }, { path: 'notes/Garden', cursor: 'c0' })
      .map((sent) => ({ tool: 'tilo_watch', args: { ...sent, wait_ms: 0 } })),
  },
  { weight: 1, arbitrary: fc.constant({ tool: 'tilo', args: { program: 'notes.notebook.notes' } }) },
);
const metas = fc.constantFrom<object>({}, { step: 's' }, { run: { id: 'r', title: 'Plan' } });
const moves: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(calls, metas, fc.constantFrom('Desk agent', 'Night agent'), fc.boolean())
      .map(([call, meta, client, account]) => ({ ...call, meta, client, account })),
  },
  { weight: 1, arbitrary: fc.constantFrom('allow', 'refuse', 'undo').map((person) => ({ person })) },
);

/** At the account endpoint the same places lie one level deeper. */
const deeper = (sent: object): object => JSON.parse(JSON.stringify(sent).replace(/"path":"(?!apps)/g, '"path":"home/'));

const personMoves = async ({ host, decide }: Table, what: 'allow' | 'refuse' | 'undo'): Promise<void> => {
  const open = (await host.invocations.asks('home')).find(({ state }) => state === 'asking');
  if (what !== 'undo') {
    if (open) await decide({ decision: what }, open);
    return;
  }
  const [step] = host.history.activity('home').steps;
  const change = step?.changes[0]?.change;
  if (change !== undefined) await host.history.byPerson('home', 'undo', { change }, 'Mira');
};

/** Makes the moves on a fresh host, typed or not; gives the answers and all that is stored in the end. */
const played = async (list: readonly Move[], structured: boolean) => {
  const table = await openTable();
  try {
    const answers: { tool: WireTool; answer: Awaited<ReturnType<typeof callTool>> }[] = [];
    for (const move of list) {
      table.clock.now_ms += 1000;
      if ('person' in move) {
        await personMoves(table, move.person);
        continue;
      }
      const { connection } = table.caller(move.client, { endpoint: move.account ? null : 'home' });
      // Who is present is told a moment after a call: by the real clock, which both hosts would have to share.
      const host = { ...table.host, roster: { ...table.host.roster, called: () => () => {} } };
      const sent = { name: move.tool, arguments: move.account ? deeper(move.args) : move.args };
      const meta = { 'so.tilo.mcp': { ...move.meta, structured } };
      const answer = await callTool(host, connection, { ...sent, meta }, new AbortController().signal);
      answers.push({ tool: WireTool.parse(move.tool), answer });
    }
    return { answers, stored: contents(table) };
  } finally {
    await table.close();
  }
};

const textIn = ({ content }: Awaited<ReturnType<typeof callTool>>): string => {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
};

describe('the same calls, typed on one host and as text on another', () => {
  it('W-01 W-03 answer the text of the typed value, and leave the same rows behind', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { minLength: 20, maxLength: 30 }), async (list) => {
        const typed = await played(list, true);
        const plain = await played(list, false);
        expect(plain.stored).toEqual(typed.stored);
        typed.answers.forEach(({ tool, answer }, index) => {
          const text = plain.answers[index]?.answer;
          expect(text?.structuredContent).toBeUndefined();
          expect(text?.isError).toBe(answer.isError);
          const value = answer.structuredContent;
          if (value === undefined) {
            expect(text).toEqual(answer);
            return;
          }
          expect(textIn(answer)).toBe(JSON.stringify(value));
          const known = wireAnswers[tool].parse(value);
          expect(text && textIn(text)).toBe(textOf(tool, known));
        });
      }),
      { numRuns: 12 },
    );
  });
});
