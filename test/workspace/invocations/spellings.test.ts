import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { done, openTable, type Table } from './support.ts';

const water = 'notes/Garden/Water the tomatoes';

describe('an id that is used again', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const toggle = async (path: string) =>
    done(await table.host.invocations.do(table.caller(), { path: `${path}#toggle-checkbox`, invocation_id: 'once' }));

  it('W-23 names the same call by each path that leads there: of names, of keys, of both, escaped', async () => {
    const first = await toggle(water);
    expect(first).toMatchObject({ status: 'ok', resources: ['notes/Garden/a101'] });
    for (const path of [
      'notes/Garden/a101',
      'notes/0a01/a101',
      'notes/0a01/Water the tomatoes',
      'notes/G%61rden/Water%20the tomatoes',
    ])
      expect(await toggle(path)).toEqual(first);
  });

  it('W-23 names the same call after its page was renamed, by the old path and by the new', async () => {
    const rename = async (path: string) =>
      done(await table.host.invocations.do(table.caller(), { path, args: { title: 'Yard' }, invocation_id: 'rename' }));
    const first = await rename('notes/Garden#rename');
    expect(first).toMatchObject({ status: 'ok', resources: ['notes/Yard'] });
    expect(await rename('notes/Yard#rename')).toEqual(first);
    expect(await rename('notes/Garden#rename')).toEqual(first);
  });

  it('W-23 stands for other arguments when only they differ, whatever the spelling of the path', async () => {
    await toggle(water);
    const answer = await table.host.invocations.do(table.caller(), {
      path: 'notes/Garden/a101#toggle-checkbox',
      args: { id: 'a101' },
      invocation_id: 'once',
    });
    expect(answer).toMatchObject({
      error: { code: 'invocation_mismatch', message: 'Invocation once already stands for other arguments.' },
    });
  });
});

describe('a call that is neither one action nor several', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  it('is told a next step that names a path of its endpoint', async () => {
    const next = async (endpoint: string | null) =>
      table.host.call('tilo_do', {}, table.caller('Desk agent', { endpoint }));
    expect(await next('home')).toMatchObject({ error: { next_steps: [expect.stringMatching(/^tilo_ls apps /)] } });
    expect(await next(null)).toMatchObject({ error: { next_steps: [expect.stringMatching(/^tilo_ls workspaces /)] } });
  });
});

describe('a word that a caller made up', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  it('comes back in a message in quotation marks and cut short, be it a change to take back or a cursor', async () => {
    const change = `x\n${'y'.repeat(100_000)}`;
    const undone = await table.host.call('tilo_do', { path: 'notes/Garden#undo', args: { change } }, table.caller());
    const watched = await table.host.call('tilo_watch', { cursor: change, wait_ms: 0 }, table.caller());
    const message = expect.stringMatching(/^"x\\ny{77}…" is no/);
    expect(undone).toMatchObject({ error: { code: 'invalid_arguments', message } });
    expect(watched).toMatchObject({
      error: {
        code: 'invalid_cursor',
        message: expect.stringMatching(/^"x\\ny{77}…" is not a cursor of this host\.$/),
      },
    });
    expect(await table.host.call('tilo_watch', { cursor: '', wait_ms: 0 }, table.caller())).toMatchObject({
      error: { message: '"" is not a cursor of this host.' },
    });
  });
});

describe('arguments that the host’s own actions do not take', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  it.each([
    ['undo', { steps: 0 }],
    ['undo', { bogus: 1 }],
    ['redo', { steps: 0 }],
    ['redo', { bogus: 1 }],
  ])('are refused by %s %j with a next step that works, also while nothing can be put back', async (way, args) => {
    const caller = table.caller();
    const refused = done(await table.host.invocations.do(caller, { path: `notes/Garden#${way}`, args }));
    expect(refused.error?.code).toBe('invalid_arguments');
    const path = /^tilo_ls (\S+) /.exec(refused.error?.next_steps?.[0] ?? '')?.[1] ?? '';
    expect(await table.host.call('tilo_ls', { path }, caller)).not.toHaveProperty('error');
  });
});

describe('a number beyond all numbers', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  it.each([
    ['lab#everything', '{"number":1e400}', 'everything takes number only as a number.'],
    ['lab#count', '{"name":"a","wild":[-1e400]}', 'count has no parameter wild.'],
  ])('W-24 is no argument that %s takes, binds nothing and stops no other action', async (path, args, message) => {
    const calls = [
      { path: 'lab#count', args: { name: 'a' } },
      { path, args: JSON.parse(args), invocation_id: 'wild' },
    ];
    expect(await table.host.invocations.do(table.caller(), { calls })).toMatchObject({
      stopped_at: 1,
      steps: [{ status: 'ok' }, { error: { code: 'invalid_arguments', message } }],
    });
    expect(await table.host.invocations.status(table.caller(), { invocation_id: 'wild' })).toMatchObject({
      error: { code: 'unknown_invocation' },
    });
  });
});
