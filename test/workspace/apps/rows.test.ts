import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ActionRow } from '../../../schemas/wire/answers.ts';
import { Listing } from '../../../schemas/wire/answers.ts';
import { action, p } from '../../../src/workspace/apps/defineApp.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { actionRow } from '../../../src/workspace/apps/rows.ts';
import { type NotebookPage, notebookWrites } from '../../apps/notebook.ts';
import { createBench } from './bench.ts';

const directory = new URL('../../conformance/wire/', import.meta.url);
const parsed = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, directory), 'utf8'));
const listing = (name: string): Listing =>
  z.object({ response: z.object({ result: z.object({ structuredContent: Listing }) }) }).parse(parsed(name)).response
    .result.structuredContent;
const fixture = z
  .object({
    notes: z.array(
      z.object({
        item: z.string(),
        title: z.string(),
        pinned: z.boolean(),
        blocks: z.array(
          z.object({
            item: z.string(),
            type: z.enum(['paragraph', 'checkbox', 'heading']),
            text: z.string(),
            done: z.boolean().optional(),
          }),
        ),
      }),
    ),
  })
  .parse(parsed('fixture'));

const pages: readonly NotebookPage[] = fixture.notes.map((page) => ({
  ...page,
  blocks: page.blocks.map(({ done, ...block }) => ({ ...block, ...(done !== undefined && { done }) })),
}));

const bench = createBench(notes);
bench.state.write(notebookWrites(pages));

/** What is offered at a resource, as text: the order of keys counts. */
const offered = async (...items: readonly string[]): Promise<string> =>
  JSON.stringify((await bench.actions(...items)).filter(({ absent }) => !absent).map(actionRow));

const own = (rows: readonly ActionRow[]): string => JSON.stringify(rows.filter(({ id }) => id !== 'undo'));

describe('rows of actions', () => {
  it('are those of the recorded listings, to the byte', async () => {
    const page = listing('tilo_ls.page');
    expect(await offered('0a01')).toBe(own(page.actions));
    expect(await offered('0a01', 'a101')).toBe(own(page.rows[0]?.actions ?? []));
    expect(await offered('0a01', 'a103')).toBe(own(listing('tilo_ls.rest').rows[0]?.actions ?? []));
    expect(await offered()).toBe(own(listing('tilo_ls.app').actions));
  });

  it('offer to pin a page where the other would be taken off', async () => {
    const [pinned, unpinned] = [await offered('0a01'), await offered('0b02')];
    expect(unpinned).toBe(pinned.replace('"id":"unpin","label":"Take off the pins"', '"id":"pin","label":"Pin"'));
  });

  it('tell all there is to tell of a parameter, keys in the order of the wire', () => {
    const schema = { type: 'string', pattern: '^[a-z]+$' };
    const row = actionRow(
      action({
        id: 'paint',
        label: 'Paint',
        kind: 'undoable',
        params: {
          color: p.text({ schema, choices: ['red', 'blue'], description: 'Which', required: true, fromItem: true }),
        },
        plan: () => ({}),
      }),
    );
    expect(JSON.stringify(row)).toBe(
      JSON.stringify({
        id: 'paint',
        label: 'Paint',
        params: [{ name: 'color', ty: 'text', required: true, description: 'Which', choices: ['red', 'blue'], schema }],
        kind: 'undoable',
      }),
    );
  });
});
