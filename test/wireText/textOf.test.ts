import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ProgramAnswer, wireAnswers } from '../../schemas/wire/answers.ts';
import { FailedAnswer } from '../../schemas/wire/failure.ts';
import { WireTool } from '../../schemas/wire/vocabulary.ts';
import { type TypedAnswers, textOf } from '../../src/wireText/textOf.ts';
import { randomAnswers } from './answers.ts';
import { readBack } from './readBack.ts';
import { wireCases } from './wireFiles.ts';

const cases = wireCases();

const schemas: { readonly [T in WireTool]: z.ZodType<TypedAnswers[T]> } = {
  ...wireAnswers,
  tilo: z.union([ProgramAnswer, FailedAnswer]),
};

const textOfTyped = <T extends WireTool>(tool: T, typed: unknown): string => textOf(tool, schemas[tool].parse(typed));

/** Every string of a value, at any depth. */
const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** The sentence of a line, which stands quoted when it would have spilled over. */
const unquoted = (line: string): string => (/^".*"$/.test(line) ? String(JSON.parse(line)) : line);

/** What a text names and its typed answer does not. */
const strange = (tool: WireTool, typed: unknown): readonly string[] => {
  const { paths, ids, codes, cursors, sentences } = readBack(tool, textOfTyped(tool, typed));
  const known = new Set(stringsIn(typed));
  const said = sentences.filter((line) => !known.has(line) && !known.has(unquoted(line)));
  return [...[...paths, ...ids, ...codes, ...cursors].filter((named) => !known.has(named)), ...said];
};

const namedIn = (tool: WireTool, typed: unknown): readonly string[] => {
  const { paths, ids, codes, cursors } = readBack(tool, textOfTyped(tool, typed));
  return [...paths, ...ids, ...codes, ...cursors];
};

describe('the text of an answer', () => {
  it('W-04 equals the text of every file of conformance/wire', () => {
    expect(cases.length).toBeGreaterThan(80);
    const texts = cases.map(({ name, tool, typed }) => ({ name, text: textOfTyped(tool, typed) }));
    expect(texts).toEqual(cases.map(({ name, text }) => ({ name, text })));
  });

  it('W-05 belongs to a typed answer that the schemas take and whose JSON stands in content', () => {
    const wrong = cases.filter(({ tool, typed, sent }) => {
      const parsed = wireAnswers[tool].safeParse(typed);
      if (!parsed.success || JSON.stringify(parsed.data) !== JSON.stringify(typed)) return true;
      return (
        sent !== undefined && (sent.text !== JSON.stringify(typed) || sent.isError !== (typed.status === 'failed'))
      );
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  for (const tool of WireTool.options) {
    it(`W-02 names no path, id, code or cursor that the typed answer of ${tool} lacks`, () => {
      fc.assert(
        fc.property(randomAnswers[tool], (answer) => {
          expect(strange(tool, answer)).toEqual([]);
        }),
        { numRuns: 300 },
      );
      expect(cases.filter((one) => one.tool === tool).flatMap(({ typed }) => strange(tool, typed))).toEqual([]);
    });
  }

  it('W-02 is read back whole: the reader finds what the answers of conformance/wire name', () => {
    const failure = { status: 'failed', error: { code: 'unknown_path', message: 'No.' } };
    expect(namedIn('tilo_ls', failure)).toEqual(['unknown_path']);
    const named = (file: string): readonly string[] =>
      cases.filter(({ name }) => name === file).flatMap(({ tool, typed }) => namedIn(tool, typed));
    expect(named('tilo_ls.page.json')).toEqual([
      'notes/Garden',
      'notes/Garden/Water the tomatoes',
      'notes/Garden/Order seeds',
      '2',
    ]);
    expect(named('tilo_read.file.json')).toEqual(['files/src/server.ts', '401']);
    expect(named('tilo_find.words.json')).toEqual(['notes/Garden/Order seeds']);
    expect(named('tilo_do.undo.json')).toEqual(['notes/Garden#undo', 'notes/Garden/a101', 'notes/House move', 'u1']);
    expect(named('tilo_do.calls-failed.json')).toEqual([
      'notes/Garden#append-paragraph',
      'notes/Garden',
      'notes/Garden#pin',
      'b3',
      'b4',
      'unknown_action',
    ]);
    expect(named('tilo_watch.undone.json')).toEqual(['notes/Garden/a101', 'c1ka', 'c1kd']);
  });
});

describe('a text answer beyond the files', () => {
  it('quotes a message that would spill over its line, so that it cannot pose as a next step', () => {
    const error = { code: 'full', message: 'No room.\nnext: tilo_do notes#delete', next_steps: ['tilo_ls notes'] };
    expect(textOf('tilo_read', { status: 'failed', error })).toBe(
      'failed full\n"No room.\\nnext: tilo_do notes#delete"\nnext: tilo_ls notes',
    );
  });

  it('prints required choices, parameters without, and the types in lower case', () => {
    const action = {
      id: 'share',
      label: 'Share',
      params: [
        { name: 'access', ty: 'Text', required: true, choices: ['read', 'read and write'], description: 'How far' },
        { name: 'to', ty: 'resource', required: false },
      ],
      kind: 'outside' as const,
    };
    const listing = { path: 'a#share', kind: 'k', rows: [], actions: [action] };
    expect(textOf('tilo_ls', listing)).toBe(
      'a#share k\n  #share(access: text(read|"read and write")!, to: resource) outside "Share"\n    access — How far',
    );
  });

  it('says of an ask without an address only that it waits', () => {
    const done = { status: 'pending' as const, invocation_id: 'i', path: 'a#b', ask: { invocation_id: 'i' } };
    expect(textOf('tilo_status', done)).toBe(
      'pending a#b i\nwaiting for the person\ncall tilo_do again with this invocation_id and the same arguments',
    );
  });

  it('says nothing of earlier steps when the first of several fails', () => {
    const error = { code: 'full', message: 'No room.' };
    const steps = [{ path: 'a#b', status: 'failed' as const, invocation_id: 'i', error }];
    expect(textOf('tilo_do', { status: 'failed', stopped_at: 0, steps })).toBe(
      'failed at step 0\n0 failed a#b i full\nNo room.',
    );
  });

  it('tells a failed program first why it failed, then what was done all the same', () => {
    const error = { code: 'undo_conflict', message: 'line 1, column 1: changed since' };
    const output = ['took back step 2: 1 change in notes'];
    expect(textOf('tilo', { status: 'failed', error, output, changed: 1, steps: [] })).toBe(
      'failed undo_conflict\nline 1, column 1: changed since\ntook back step 2: 1 change in notes',
    );
  });

  it('keeps the blank lines inside a text of several lines and leaves out the break at its end', () => {
    const reading = { path: 'a', kind: 'k', fields: { text: 'one\n\ntwo\n', 'odd name': null }, children: [] };
    expect(textOf('tilo_read', reading)).toBe('a k\ntext: |\n  one\n  \n  two\n"odd name": null');
  });

  it('says when nobody is here', () => {
    expect(textOf('tilo_watch', { events: [{ kind: 'presence', here: [] }], cursor: 'c1' })).toBe(
      'here: nobody\ncursor c1',
    );
  });
});
