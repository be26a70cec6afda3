import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DoneAll } from '../../../schemas/wire/answers.ts';
import type { OneCall } from '../../../schemas/wire/arguments.ts';
import type { Caller } from '../../../src/workspace/caller.ts';
import { contents, openTable, runEvents, type Table } from './support.ts';

describe('several actions', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const all = async (calls: OneCall[], caller: Caller = table.caller()): Promise<DoneAll> =>
    DoneAll.parse(await table.host.invocations.do(caller, { calls, wait_ms: 0 }));
  const count = (name: string, invocation_id: string): OneCall => ({
    path: 'lab#count',
    args: { name },
    invocation_id,
  });
  const share: OneCall = { path: 'notes/Garden#share', args: { with: 'sam@example.org' }, invocation_id: 's1' };

  it('W-25 stop at the first that fails, the earlier ones stay, and with the same ids they go on', async () => {
    const wrong = { path: 'lab#count', args: { nome: 'b' }, invocation_id: 'b2' };
    const stopped = await all([count('a', 'b1'), wrong, count('c', 'b3')]);
    expect(stopped).toMatchObject({
      status: 'failed',
      stopped_at: 1,
      steps: [
        { path: 'lab#count', status: 'ok', invocation_id: 'b1', result: 1 },
        { path: 'lab#count', status: 'failed', invocation_id: 'b2', error: { code: 'invalid_arguments' } },
      ],
    });
    expect(stopped).not.toHaveProperty('error');
    expect(Object.keys(stopped.steps[1] ?? {})).toEqual(['path', 'status', 'invocation_id', 'error', 'action']);
    expect(runEvents(table)).toEqual(['started b1', 'succeeded b1']);

    // The second failed before admission, so that its id is free for what was meant.
    const mended = await all([count('a', 'b1'), count('b', 'b2'), count('c', 'b3')]);
    expect(mended).toMatchObject({ status: 'ok', steps: [{ result: 1 }, { result: 1 }, { result: 1 }] });
    expect(mended).not.toHaveProperty('stopped_at');
    const before = contents(table);
    expect(await all([count('a', 'b1'), count('b', 'b2'), count('c', 'b3')])).toEqual(mended);
    expect(contents(table)).toEqual(before);
  });

  it('W-25 wait for the person with the ask at the top, and go on once it is allowed', async () => {
    const calls = [count('a', 'b1'), share, count('c', 'b3')];
    const waiting = await all(calls);
    const ask = { invocation_id: 's1', url: `http://127.0.0.1:4747/w/home/asks/${(await table.ask()).id}` };
    expect(waiting).toEqual({
      status: 'pending',
      stopped_at: 1,
      invocation_id: 's1',
      ask,
      steps: [
        { path: 'lab#count', status: 'ok', invocation_id: 'b1', result: 1, resources: ['lab'] },
        { path: 'notes/Garden#share', status: 'pending', invocation_id: 's1', ask },
      ],
    });
    expect(Object.keys(waiting)).toEqual(['status', 'stopped_at', 'invocation_id', 'ask', 'steps']);
    await table.decide({ decision: 'allow' });
    expect(await all(calls)).toMatchObject({
      status: 'ok',
      steps: [{ result: 1 }, { result: { link: 'notes-share-1' } }, { result: 1 }],
    });
    expect(runEvents(table, 's1')).toEqual(['started s1', 'succeeded s1']);
  });

  it('are taken back together, also those of a later call with the same ids', async () => {
    await all([count('a', 'b1'), share]);
    await table.decide({ decision: 'refuse' });
    const wrongly = [count('a', 'b1'), { path: 'lab#fail', invocation_id: 'b4' }];
    await all(wrongly);
    await all([count('a', 'b1'), count('b', 'b5')]);
    const undone = await table.host.invocations.do(table.caller(), { path: 'lab#undo', args: {} });
    expect(undone).toMatchObject({ status: 'ok', result: { steps: 1 } });
    const { fields } = await table.host.world.read(table.caller(), { path: 'lab' });
    expect(fields.counts).toEqual({});
  });

  it('W-25 that another connection goes on with are of the one step of their first, which is taken back whole', async () => {
    const lost = table.caller('Desk agent', { run: { id: 'plan', title: 'Plan' } });
    await all([count('a', 'b1'), share], lost);
    await table.decide({ decision: 'refuse' });
    const back = table.caller('Desk agent again', { run: { id: 'plan', title: 'Plan' } });
    await all([count('a', 'b1'), count('b', 'b3')], back);
    const undone = await table.host.invocations.do(lost, { path: 'lab#undo', args: {} });
    expect(undone).toMatchObject({ status: 'ok', result: { steps: 1 } });
    const { fields } = await table.host.world.read(table.caller(), { path: 'lab' });
    expect(fields.counts).toEqual({});
  });

  it('join the step of the run that the call names', async () => {
    const caller = table.caller('Desk agent', { run: { id: 'plan', title: 'Plan' } });
    await table.host.invocations.do(caller, { path: 'lab#count', args: { name: 'z' } });
    await all([count('a', 'b1'), count('b', 'b2')], caller);
    await table.host.invocations.do(caller, { path: 'lab#undo' });
    const { fields } = await table.host.world.read(table.caller(), { path: 'lab' });
    expect(fields.counts).toEqual({});
  });
});
