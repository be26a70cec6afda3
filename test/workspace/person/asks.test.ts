import { describe, expect, it } from 'vitest';
import { AskAnswer, AskList, InvalidEdits } from '../../../schemas/wire/person.ts';
import { linkOf, setTable } from './support.ts';

const posted = (id: string): string => `/w/studio/person/asks/${id}`;

describe('an ask on the way from the agent to the person and back', () => {
  it('W-26 a call is pending with a link, is allowed on the page, and runs exactly once when it is repeated', async () => {
    const { agent, call, askAt, person, lab, host } = await setTable();
    const desk = await agent('Desk agent');
    const again = { invocation_id: 'send-1' };
    const pending = await call(desk, 'lab#send', { note: 'Good morning' }, again);
    expect(pending).toMatchObject({ status: 'pending', invocation_id: 'send-1' });
    const link = linkOf(pending);
    expect(link).toMatch(new RegExp(`^${host.address}/w/studio/asks/[a-z0-9]{12}$`));
    expect((await person.get(new URL(link).pathname)).status).toBe(200);

    const ask = await askAt(link);
    expect(ask).toMatchObject({
      state: 'asking',
      by: 'Desk agent',
      path: 'lab#send',
      resource: 'Lab',
      action: { label: 'Send', kind: 'outside', destroys: false },
      args: { note: 'Good morning' },
      can_always: true,
    });
    expect(lab.far.arrived('keyless')).toEqual([]);
    const allowed = await person.post(posted(ask.id), { decision: 'allow', version: ask.version });
    expect(allowed.status).toBe(200);
    expect(AskAnswer.parse(await allowed.json()).ask).toMatchObject({ state: 'allowed', decided_by: 'Mira' });
    expect(lab.far.arrived('keyless')).toEqual([]);

    const done = await call(desk, 'lab#send', { note: 'Good morning' }, { ...again, wait_ms: 10_000 });
    expect(done).toMatchObject({ status: 'ok', result: { sent: 'Good morning' } });
    expect(done.edited_by_person).toBeUndefined();
    expect(await call(desk, 'lab#send', { note: 'Good morning' }, again)).toEqual(done);
    expect(lab.far.arrived('keyless')).toEqual(['Good morning']);
    expect(await askAt(link)).toMatchObject({ state: 'succeeded' });
  });

  it('W-27 a call that is held answers ok as soon as it is allowed', async () => {
    const { agent, person, lab, host } = await setTable();
    const desk = await agent('Desk agent');
    const held = desk.typed('tilo_do', { path: 'lab#send', args: { note: 'Hello' }, wait_ms: 50_000 });
    let list: AskList = { asks: [] };
    while (list.asks.length === 0) {
      await host.host.events.wait(host.host.events.last(), 50, new AbortController().signal);
      list = AskList.parse(await (await person.get('/w/studio/person/asks')).json());
    }
    const [ask] = list.asks;
    const decided = await person.post(posted(ask?.id ?? ''), { decision: 'allow', version: ask?.version });
    expect(decided.status).toBe(200);
    // At the end of its wait it would answer that it is pending.
    expect(await held).toMatchObject({ status: 'ok', result: { sent: 'Hello' } });
    expect(lab.far.arrived('keyless')).toEqual(['Hello']);
  });

  it('W-28 what the person changed is what the app got and what the caller is told; what does not fit leaves the ask open', async () => {
    const { agent, call, askAt, person, lab } = await setTable();
    const desk = await agent('Desk agent');
    const again = { invocation_id: 'send-2' };
    const link = linkOf(await call(desk, 'lab#send', { note: 'Ten euros', hold: 'before' }, again));
    const ask = await askAt(link);

    const misfits = [
      [{ note: 10, hold: 'never' }, ['hold', 'note']],
      [{ hold: 'before' }, ['note']],
      [{ note: 'Five', nonsense: true }, ['nonsense']],
    ] as const;
    for (const [args, names] of misfits) {
      const refused = await person.post(posted(ask.id), { decision: 'allow_edited', version: ask.version, args });
      expect(refused.status).toBe(422);
      const { messages } = InvalidEdits.parse(await refused.json());
      expect(Object.keys(messages).sort()).toEqual(names);
      expect(await askAt(link)).toEqual(ask);
    }

    const edited = { note: 'Five euros', hold: 'after' };
    const decision = { decision: 'allow_edited', version: ask.version, args: edited };
    const allowed = await person.post(posted(ask.id), decision);
    expect(AskAnswer.parse(await allowed.json()).ask).toMatchObject({ state: 'allowed', edited });
    const done = await call(desk, 'lab#send', { note: 'Ten euros', hold: 'before' }, { ...again, wait_ms: 10_000 });
    expect(done).toMatchObject({ status: 'ok', edited_by_person: edited, result: { sent: 'Five euros' } });
    expect(lab.far.arrived('keyless')).toEqual(['Five euros']);
  });

  it('W-29 what is refused with a reason stays refused, and the third of the same is refused unasked', async () => {
    const { agent, call, askAt, person, lab } = await setTable();
    const desk = await agent('Desk agent');
    const refuse = async (id: string): Promise<void> => {
      const pending = await call(desk, 'lab#send', { note: 'Buy now' }, { invocation_id: id });
      const ask = await askAt(linkOf(pending));
      const refusal = { decision: 'refuse', version: ask.version, reason: 'Not this week' };
      const refused = await person.post(posted(ask.id), refusal);
      expect(AskAnswer.parse(await refused.json()).ask).toMatchObject({ state: 'refused', reason: 'Not this week' });
      const told = { status: 'failed', error: { code: 'refused', message: 'Mira refused: Not this week.' } };
      for (const _ of [1, 2])
        expect(await call(desk, 'lab#send', { note: 'Buy now' }, { invocation_id: id })).toMatchObject(told);
    };
    await refuse('buy-1');
    await refuse('buy-2');
    const third = await call(desk, 'lab#send', { note: 'Buy now' }, { invocation_id: 'buy-3' });
    expect(third).toMatchObject({ status: 'failed', error: { code: 'refused' } });
    expect(third.ask).toBeUndefined();
    const asks = AskList.parse(await (await person.get('/w/studio/person/asks')).json()).asks;
    expect(asks.map(({ state }) => state)).toEqual(['refused', 'refused']);
    expect(lab.far.arrived('keyless')).toEqual([]);
  });

  it('tells the second of two windows what the first decided', async () => {
    const { agent, call, askAt, person } = await setTable();
    const desk = await agent('Desk agent');
    const link = linkOf(await call(desk, 'lab#send', { note: 'Hello' }));
    const { id, version } = await askAt(link);
    expect((await person.post(posted(id), { decision: 'refuse', version })).status).toBe(200);
    const late = await person.post(posted(id), { decision: 'allow', version });
    expect(late.status).toBe(409);
    expect(AskAnswer.parse(await late.json()).ask).toEqual(await askAt(link));
    expect(await askAt(link)).toMatchObject({ state: 'refused' });
  });

  it('takes a permission back that nobody used', async () => {
    const { agent, call, askAt, person, lab } = await setTable();
    const desk = await agent('Desk agent');
    const again = { invocation_id: 'send-3' };
    const link = linkOf(await call(desk, 'lab#send', { note: 'Hello' }, again));
    const { id, version } = await askAt(link);
    await person.post(posted(id), { decision: 'allow', version });
    const { version: allowed } = await askAt(link);
    expect((await person.post(posted(id), { decision: 'refuse', version: allowed })).status).toBe(200);
    expect(await call(desk, 'lab#send', { note: 'Hello' }, again)).toMatchObject({ error: { code: 'refused' } });
    expect(lab.far.arrived('keyless')).toEqual([]);
  });

  it('is always allowed from then on when the person says so, unless it destroys', async () => {
    const { agent, call, askAt, person, lab } = await setTable();
    const desk = await agent('Desk agent');
    expect(await call(desk, 'lab#add-item', { name: 'Scales' }, { wait_ms: 5000 })).toMatchObject({ status: 'ok' });
    const send = await askAt(linkOf(await call(desk, 'lab#send', { note: 'One' })));
    await person.post(posted(send.id), { decision: 'allow', version: send.version, always: true });
    expect(await call(desk, 'lab#send', { note: 'Two' }, { wait_ms: 5000 })).toMatchObject({ status: 'ok' });
    expect(lab.far.arrived('keyless')).toEqual(['Two']);

    const destroy = await askAt(linkOf(await call(desk, 'lab/Scales#destroy', {})));
    expect(destroy.can_always).toBe(false);
    await person.post(posted(destroy.id), { decision: 'allow', version: destroy.version, always: true });
    expect(await call(desk, 'lab/Scales#destroy', {})).toMatchObject({ status: 'pending' });
  });

  it('neither shows a secret nor takes a new one', async () => {
    const { agent, call, askAt, person, lab } = await setTable();
    const desk = await agent('Desk agent');
    const sent = { code: 'rosebud', note: 'For the van' };
    const link = linkOf(await call(desk, 'lab#open-vault', sent, { invocation_id: 'vault' }));
    const listed = await (await person.get('/w/studio/person/asks')).text();
    expect(listed).not.toContain('rosebud');
    const ask = await askAt(link);
    const other = { decision: 'allow_edited', version: ask.version, args: { code: 'sesame', note: 'For the van' } };
    const refused = await person.post(posted(ask.id), other);
    expect(refused.status).toBe(422);
    expect(Object.keys(InvalidEdits.parse(await refused.json()).messages)).toEqual(['code']);
    const kept = { ...other, args: { ...ask.args, note: 'For the lorry' } };
    expect((await person.post(posted(ask.id), kept)).status).toBe(200);
    const done = await call(desk, 'lab#open-vault', sent, { invocation_id: 'vault', wait_ms: 5000 });
    expect(done).toMatchObject({ status: 'ok', edited_by_person: { note: 'For the lorry' } });
    expect(lab.far.secrets()).toHaveLength(1);
  });
});
