import { describe, expect, it } from 'vitest';
import { AskPending, Refused, Run } from '../../../src/sdk/workspace/index.ts';
import { client, decide, served, thrownBy } from './bench.ts';
import { proxyTo } from './proxy.ts';

const pending = async (call: PromiseLike<unknown>): Promise<AskPending> => {
  const error = await thrownBy(call);
  if (error instanceof AskPending) return error;
  throw error;
};

const bench = async () => {
  const host = await served();
  const proxy = await proxyTo(host.address);
  const home = (await client(host, proxy.address)).workspace('bench');
  return { ...host, proxy, home };
};

const send = { note: 'hello' };
const atOnce = { waitMs: 0 };

describe('an action that asks its person', () => {
  it('throws what is asked, with the address of the ask, and has not run', async () => {
    const { home, address, lab } = await bench();
    const ask = await pending(home.do('lab#send', send, { ...atOnce, invocationId: 's1' }));
    expect(ask.invocation_id).toBe('s1');
    expect(ask.ask).toEqual({ invocation_id: 's1', url: ask.url });
    expect(ask.url?.startsWith(`${address}/w/bench/asks/`)).toBe(true);
    expect(ask.answer).toMatchObject({ status: 'pending', path: 'lab#send' });
    expect(lab.far.arrived('keyless')).toEqual([]);
  });

  it('runs once when the same call is made again after the person allowed it', async () => {
    const { home, host, lab, proxy } = await bench();
    const ask = await pending(home.do('lab#send', send, atOnce));
    expect((await pending(ask.again(atOnce))).invocation_id).toBe(ask.invocation_id);
    await decide(host, { decision: 'allow' });
    expect(await ask.again()).toMatchObject({ status: 'ok', invocation_id: ask.invocation_id });
    expect(await ask.again()).toMatchObject({ status: 'ok' });
    expect(lab.far.arrived('keyless')).toEqual(['hello']);
    const [first, ...later] = proxy.calls('tilo_do').map(({ message }) => message.params?.arguments);
    expect(later.map((args) => ({ ...args, wait_ms: 0 }))).toEqual([first, first, first]);
  });

  it('is waited for until the person has decided', async () => {
    const { home, host, lab } = await bench();
    const ask = await pending(home.do('lab#send', send, atOnce));
    const waiting = ask.wait();
    await decide(host, { decision: 'allow' });
    expect(await waiting).toMatchObject({ status: 'ok', result: { sent: 'hello' } });
    expect(lab.far.arrived('keyless')).toEqual(['hello']);
  });

  it('is waited for through answers that it still waits, and through a run that takes its time', async () => {
    const host = await served();
    let early = 1;
    const proxy = await proxyTo(host.address, ({ message }) => {
      const args = message.params?.arguments;
      if (message.params?.name !== 'tilo_do' || args?.wait_ms !== 60_000 || early === 0) return 'pass';
      early -= 1;
      const answer = {
        status: 'pending',
        invocation_id: args.invocation_id,
        path: 'lab#wait-outside',
        ask: { invocation_id: args.invocation_id },
      };
      return { result: { content: [], structuredContent: answer } };
    });
    const home = (await client(host, proxy.address)).workspace('bench');
    const ask = await pending(home.do('lab#wait-outside', { gate: 'g' }, atOnce));
    const waiting = ask.wait();
    await decide(host.host, { decision: 'allow' });
    await host.lab.gates.reached('g');
    host.lab.gates.open('g');
    expect(await waiting).toMatchObject({ status: 'ok', result: { passed: 'g' } });
    expect(early).toBe(0);
  });

  it('is refused with the words of the person', async () => {
    const { home, host } = await bench();
    const ask = await pending(home.do('lab#send', send, atOnce));
    const waiting = thrownBy(ask.wait());
    await decide(host, { decision: 'refuse', reason: 'not today' });
    expect(await waiting).toBeInstanceOf(Refused);
    expect(await waiting).toMatchObject({ code: 'refused', message: 'Mira refused: not today.' });
  });

  it('tells what ran when the person changed it', async () => {
    const { home, host } = await bench();
    const ask = await pending(home.do('lab#send', send, atOnce));
    await decide(host, { decision: 'allow_edited', args: { note: 'goodbye' } });
    expect(await ask.again()).toMatchObject({ result: { sent: 'goodbye' }, edited_by_person: { note: 'goodbye' } });
  });

  it('stands among several: the earlier ones are done, the rest follows when it is allowed', async () => {
    const { home, host, lab } = await bench();
    const ask = await pending(
      home.doAll(
        [
          { path: 'lab#count', args: { name: 'a' } },
          { path: 'lab#send', args: send },
          { path: 'lab#count', args: { name: 'a' } },
        ],
        atOnce,
      ),
    );
    expect(ask.answer).toMatchObject({ status: 'pending', stopped_at: 1 });
    await decide(host, { decision: 'allow' });
    const all = await ask.wait();
    expect(all).toMatchObject({ status: 'ok', steps: [{ result: 1 }, { result: { sent: 'hello' } }, { result: 2 }] });
    expect(lab.far.arrived('keyless')).toEqual(['hello']);
  });

  it('is told by status, too, which can make the call again that opened it', async () => {
    const { home, host, lab } = await bench();
    const { invocation_id } = await pending(home.do('lab#send', send, atOnce));
    const ask = await pending(home.status(invocation_id));
    await decide(host, { decision: 'allow' });
    await pending(home.status(invocation_id));
    expect(lab.far.arrived('keyless')).toEqual([]);
    expect(await ask.wait()).toMatchObject({ status: 'ok' });
    expect(lab.far.arrived('keyless')).toEqual(['hello']);
    expect(await home.status(invocation_id)).toMatchObject({ status: 'ok', result: { sent: 'hello' } });
  });

  it('can be cancelled while it waits', async () => {
    const { home, lab } = await bench();
    const ask = await pending(home.do('lab#send', send, atOnce));
    expect(await home.cancel(ask.invocation_id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(await thrownBy(ask.again())).toMatchObject({ name: 'Refused', code: 'cancelled' });
    expect(lab.far.arrived('keyless')).toEqual([]);
  });
});

describe('a run', () => {
  it('is what an action gives that takes longer than its call waits; it is followed to its end', async () => {
    const { home, lab } = await bench();
    const run = await home.do('lab#wait', { gate: 'g' }, atOnce);
    if (!(run instanceof Run)) throw new Error('it has ended');
    await lab.gates.reached('g');
    expect(await run.status()).toBeInstanceOf(Run);
    const waiting = run.wait();
    lab.gates.open('g');
    expect(await waiting).toMatchObject({ status: 'ok', invocation_id: run.invocation_id, result: { passed: 'g' } });
    expect(await run.status()).toMatchObject({ status: 'ok' });
  });

  it('is cancelled where its action can be aborted', async () => {
    const { home, lab } = await bench();
    const run = await home.do('lab#wait', { gate: 'g' }, atOnce);
    if (!(run instanceof Run)) throw new Error('it has ended');
    await lab.gates.reached('g');
    expect(await run.cancel()).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(await thrownBy(run.wait())).toMatchObject({ name: 'Refused', code: 'cancelled' });
  });

  it('goes on where its action cannot be aborted', async () => {
    const { home, lab } = await bench();
    const run = await home.do('lab#wait-stubbornly', { gate: 'g' }, atOnce);
    if (!(run instanceof Run)) throw new Error('it has ended');
    await lab.gates.reached('g');
    expect(await run.cancel()).toBeInstanceOf(Run);
    lab.gates.open('g');
    expect(await run.wait()).toMatchObject({ status: 'ok' });
  });

  it('of several actions ends in the answer for all of them', async () => {
    const { home, lab } = await bench();
    const run = await home.doAll(
      [
        { path: 'lab#wait', args: { gate: 'g' } },
        { path: 'lab#count', args: { name: 'a' } },
      ],
      atOnce,
    );
    if (!(run instanceof Run)) throw new Error('it has ended');
    lab.gates.open('g');
    const all = await run.wait();
    expect(all).toMatchObject({ status: 'ok', steps: [{ result: { passed: 'g' } }, { result: 1 }] });
  });
});
