import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Watched } from '../../../schemas/wire/answers.ts';
import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import type { Caller } from '../../../src/workspace/caller.ts';
import { askEvents, contents, done, openTable, runEvents, type Table, until } from './support.ts';

/** Traps T33, row by row: nothing runs before the decision, after it the same id runs once, answers agree with the store. */
describe('an ask that waits', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const send: DoArguments = { path: 'lab#send', args: { note: 'hello' }, invocation_id: 's1', wait_ms: 0 };
  const call = (more: Partial<DoArguments> = {}, caller: Caller = table.caller()): Promise<unknown> =>
    table.host.invocations.do(caller, { ...send, ...more });
  const sent = (): readonly string[] => table.lab.far.arrived('keyless');
  const status = (): Promise<unknown> => table.host.invocations.status(table.caller(), { invocation_id: 's1' });

  it('T33 keep calling: each call answers pending and announces it anew, and nothing runs', async () => {
    const first = await call();
    const asked = await table.ask();
    expect(first).toEqual({
      status: 'pending',
      invocation_id: 's1',
      path: 'lab#send',
      ask: { invocation_id: 's1', url: `http://127.0.0.1:4747/w/home/asks/${asked.id}` },
    });
    expect(asked).toMatchObject({ state: 'asking', announced: 1, by: 'Desk agent', args: { note: 'hello' } });
    expect(askEvents(table, asked.id)).toBe(1);
    table.clock.now_ms += 1000;
    for (const announced of [2, 3]) {
      expect(await call()).toEqual(first);
      // Neither the deadline nor the version moves: what the page showed still decides.
      expect(await table.ask()).toEqual({ ...asked, announced });
      expect(askEvents(table, asked.id)).toBe(announced);
    }
    expect(await status()).toEqual(first);
    expect(await table.ask()).toEqual({ ...asked, announced: 3 });
    expect(sent()).toEqual([]);
  });

  it('T33 call others: they run beside it, and it stays as it is', async () => {
    const first = await call();
    const asked = await table.ask();
    expect(await call({ path: 'lab#count', args: { name: 'x' }, invocation_id: 'c1' })).toMatchObject({ status: 'ok' });
    expect(await call({ invocation_id: 's2', args: { note: 'other' } })).toMatchObject({ status: 'pending' });
    expect(await status()).toEqual(first);
    expect(await table.host.invocations.ask('home', asked.id)).toEqual(asked);
    expect(sent()).toEqual([]);
  });

  it('T33 end the run: the session of its caller ends, and the person may still decide', async () => {
    const caller = table.caller('Run agent', { run: { id: 'plan', title: 'Plan' } });
    await call({}, caller);
    table.host.roster.left(caller.connection.id);
    expect(await table.ask()).toMatchObject({ by: 'Run agent', run: 'Plan' });
    await table.decide({ decision: 'allow' });
    expect(sent()).toEqual([]);
    // Another session of the token calls again: it runs as a step of the run that asked.
    expect(await call({}, table.caller('Later agent'))).toMatchObject({ status: 'ok' });
    const { steps } = table.host.history.activity('home');
    expect(steps).toMatchObject([{ run: 'Plan', by: expect.any(String), outside: ['lab#send'] }]);
    expect(sent()).toEqual(['hello']);
  });

  it('T33 undo: takes back what was done and leaves the ask alone', async () => {
    await call({ path: 'lab#count', args: { name: 'x' }, invocation_id: 'c1' });
    await call();
    const asked = await table.ask();
    const undo = { path: 'lab#undo', args: {}, invocation_id: 'u1' };
    expect(await call(undo)).toMatchObject({ status: 'ok', result: { steps: 1 } });
    expect(await call({ ...undo, invocation_id: 'u2' })).toMatchObject({ error: { code: 'nothing_to_undo' } });
    expect(await table.ask()).toEqual(asked);
    expect(sent()).toEqual([]);
  });

  it('T33 allow while a call is held: that call runs it at once, and only one of several', async () => {
    const held = [call({ wait_ms: 60_000 }), call({ wait_ms: 60_000 }), call({ wait_ms: 60_000 })];
    await until(async () => (await table.host.invocations.asks('home')).at(0)?.announced === 3);
    await table.decide({ decision: 'allow' });
    const [first, ...others] = await Promise.all(held);
    expect(first).toMatchObject({ status: 'ok', result: { sent: 'hello' } });
    expect(others).toEqual([first, first]);
    expect(sent()).toEqual(['hello']);
    expect(runEvents(table, 's1')).toEqual(['started s1', 'succeeded s1']);
  });

  it('T33 allow while nobody is held: it waits for the same call and runs once', async () => {
    await call();
    expect(await table.decide({ decision: 'allow' })).toMatchObject({ outcome: 'decided', ask: { state: 'allowed' } });
    expect(await status()).toMatchObject({ status: 'pending', ask: { invocation_id: 's1' } });
    expect(sent()).toEqual([]);
    expect(await call({ args: { note: 'another' } })).toMatchObject({ error: { code: 'invocation_mismatch' } });
    expect(sent()).toEqual([]);
    const answers = await Promise.all([call(), call(), call()]);
    expect(answers[0]).toMatchObject({ status: 'ok', result: { sent: 'hello' } });
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(await call()).toEqual(answers[0]);
    expect(sent()).toEqual(['hello']);
  });

  it('T33 a call that was given up while it was held runs nothing when it is allowed', async () => {
    const gone = new AbortController();
    const held = call({ wait_ms: 60_000 }, table.caller('Desk agent', { signal: gone.signal }));
    await until(async () => (await table.host.invocations.asks('home')).length > 0);
    gone.abort();
    expect(await held).toMatchObject({ status: 'pending' });
    await table.decide({ decision: 'allow' });
    expect(await status()).toMatchObject({ status: 'pending' });
    expect(sent()).toEqual([]);
    expect(await call()).toMatchObject({ status: 'ok' });
  });

  it('T33 allow twice: the second decision finds that it has moved on', async () => {
    await call();
    const asked = await table.ask();
    await table.decide({ decision: 'allow' }, asked);
    const before = contents(table);
    expect(await table.decide({ decision: 'allow' }, asked)).toMatchObject({
      outcome: 'moved_on',
      ask: { state: 'allowed', decided_by: 'Mira' },
    });
    const allowed = await table.host.invocations.ask('home', asked.id);
    if (allowed === null) throw new Error('The ask is there.');
    expect(await table.decide({ decision: 'allow' }, allowed)).toMatchObject({ outcome: 'moved_on' });
    expect(contents(table)).toEqual(before);
    await call();
    const ran = await table.host.invocations.ask('home', asked.id);
    if (ran === null) throw new Error('The ask is there.');
    expect(await table.decide({ decision: 'allow' }, ran)).toMatchObject({ outcome: 'moved_on' });
    expect(sent()).toEqual(['hello']);
  });

  it('T33 refuse after allow: takes the permission back while it is unused, and nothing once it ran', async () => {
    await call();
    const asked = await table.ask();
    await table.decide({ decision: 'allow' }, asked);
    // Decided on what another tab showed: stale.
    expect(await table.decide({ decision: 'refuse' }, asked)).toMatchObject({ outcome: 'moved_on' });
    const allowed = await table.host.invocations.ask('home', asked.id);
    if (allowed === null) throw new Error('The ask is there.');
    expect(await table.decide({ decision: 'refuse', reason: 'no' }, allowed)).toMatchObject({
      outcome: 'decided',
      ask: { state: 'refused', reason: 'no' },
    });
    expect(await call()).toMatchObject({ status: 'failed', error: { code: 'refused', message: 'Mira refused: no.' } });
    expect(sent()).toEqual([]);

    await call({ invocation_id: 's2' });
    await table.decide({ decision: 'allow' });
    const ok = await call({ invocation_id: 's2' });
    const [ran] = await table.host.invocations.asks('home');
    expect(await table.decide({ decision: 'refuse' }, ran)).toMatchObject({ outcome: 'moved_on' });
    expect(await call({ invocation_id: 's2' })).toEqual(ok);
    expect(sent()).toEqual(['hello']);
  });

  it('T33 watch shows the wait: started when it is asked, then nothing, then its one end', async () => {
    const caller = table.caller();
    const events = async (): Promise<readonly unknown[]> => {
      const watched = Watched.parse(await table.host.call('tilo_watch', { cursor: 'c0', wait_ms: 0 }, caller));
      return watched.events.flatMap((event) => (event.kind === 'run' ? [event.phase] : []));
    };
    await call();
    await call();
    expect(await events()).toEqual(['started']);
    await table.decide({ decision: 'allow' });
    expect(await events()).toEqual(['started']);
    await call();
    await call();
    expect(await events()).toEqual(['started', 'succeeded']);
  });

  it('T33 the answer agrees with the store at every step', async () => {
    const agrees = async (): Promise<void> => {
      const told = done(await status());
      const [ask] = await table.host.invocations.asks('home');
      const waits = ask?.state === 'asking' || ask?.state === 'allowed';
      expect(told.status).toBe(waits ? 'pending' : 'ok');
      expect('ask' in told).toBe(waits);
    };
    await call();
    await agrees();
    await table.decide({ decision: 'allow' });
    await agrees();
    await call();
    await agrees();
  });
});
