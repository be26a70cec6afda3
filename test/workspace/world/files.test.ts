import { describe, expect, it } from 'vitest';
import { FindArguments, LsArguments, ReadArguments } from '../../../schemas/wire/arguments.ts';
import { BlockType, putBlock } from '../../../src/workspace/apps/notes/documents.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { prefixFor } from '../../../src/workspace/caller.ts';
import { failedAnswer } from '../../../src/workspace/failedAnswer.ts';
import { WireFailure } from '../../../src/workspace/failure.ts';
import { notebookWrites } from '../../apps/notebook.ts';
import { type Case, isLeft, readCases, readFixture } from '../conformance/cases.ts';
import { callerAt, openWorld, type TestWorld } from './support.ts';

const fixture = readFixture();

const opened = (): TestWorld => {
  const table = openWorld([notes], fixture.workspaces);
  const pages = fixture.notes.map(({ blocks, ...page }) => ({
    ...page,
    blocks: blocks.map(({ item, type, text, done }) => ({
      item,
      type: BlockType.parse(type),
      text,
      ...(done !== undefined && { done }),
    })),
  }));
  table.store.write('home', 'notes', notebookWrites(pages));
  return table;
};

const call = async ({ world }: TestWorld, { endpoint, request: { params } }: Case): Promise<object> => {
  const caller = callerAt(endpoint === '/mcp' ? null : 'home');
  try {
    if (params.name === 'tilo_ls') return await world.ls(caller, LsArguments.parse(params.arguments));
    if (params.name === 'tilo_read') return await world.read(caller, ReadArguments.parse(params.arguments));
    return await world.find(caller, FindArguments.parse(params.arguments));
  } catch (error) {
    if (error instanceof WireFailure) return failedAnswer(error.failure, prefixFor(caller, 'home'));
    throw error;
  }
};

describe('the recorded listings, reads and searches', () => {
  const cases = readCases().filter(({ name }) => /^tilo_(?:ls|read|find)\./.test(name) && !isLeft(name));

  it('are all here', () => {
    expect(cases.length).toBeGreaterThanOrEqual(11);
  });

  it.each(cases)('are answered to the byte: $name', async (played) => {
    const table = opened();
    if (played.name === 'tilo_read.failed')
      table.store.write('home', 'notes', [
        putBlock('0a01', { item: 'a107', type: 'checkbox', text: 'Order seeds', done: false, order: 'zz' }),
      ]);
    const { structuredContent } = played.response.result;
    expect(JSON.stringify(await call(table, played))).toBe(JSON.stringify(structuredContent));
  });
});
