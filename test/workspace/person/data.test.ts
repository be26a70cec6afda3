import { describe, expect, it } from 'vitest';
import { Activity, Roster, Settings, TokenList, UndoAnswer } from '../../../schemas/wire/person.ts';
import { setTable } from './support.ts';

const at = (name: string): string => `/w/studio/person/${name}`;

describe('what the page shows and settles', () => {
  it('takes one step back by one of its changes, and puts it back', async () => {
    const { agent, call, person } = await setTable();
    const desk = await agent('Desk agent');
    await call(desk, 'lab#count', { name: 'sheep' }, { wait_ms: 5000 });
    await call(desk, 'lab#count', { name: 'goats' }, { wait_ms: 5000 });
    const counts = async (): Promise<unknown> => (await desk.typed('tilo_read', { path: 'lab' })).fields;
    const activity = Activity.parse(await (await person.get(at('activity'))).json());
    expect(activity.steps.map(({ changes }) => changes[0]?.sentence)).toEqual(['counted "goats"', 'counted "sheep"']);
    expect(activity.steps.map(({ by, undone }) => [by, undone])).toEqual([
      ['Desk agent', false],
      ['Desk agent', false],
    ]);
    const change = activity.steps[1]?.changes[0]?.change ?? '';
    const back = UndoAnswer.parse(await (await person.post(at('undo'), { change })).json());
    expect(back).toMatchObject({ done: [{ app: 'lab', undone: [change] }], conflicts: [] });
    expect(await counts()).toMatchObject({ counts: { goats: 1 } });
    const after = Activity.parse(await (await person.get(at('activity'))).json());
    expect(after.steps.map(({ undone }) => undone)).toEqual([false, true]);
    const forth = UndoAnswer.parse(await (await person.post(at('redo'), { change })).json());
    expect(forth.conflicts).toEqual([]);
    expect(await counts()).toMatchObject({ counts: { goats: 1, sheep: 1 } });
  });

  it('takes a run back in every app, and says in words where something stands against it', async () => {
    const { agent, call, person } = await setTable();
    const desk = await agent('Desk agent');
    const other = await agent('Other agent');
    const run = { run: { id: 'move', title: 'Plan the move' } };
    await desk.typed('tilo_do', { path: 'notes#new-page', args: { title: 'Packing' } }, run);
    await desk.typed('tilo_do', { path: 'lab#count', args: { name: 'boxes' } }, run);
    await call(other, 'lab#count', { name: 'boxes' }, { wait_ms: 5000 });
    const { steps } = Activity.parse(await (await person.get(at('activity'))).json());
    const [step] = steps.filter((one) => one.run === 'Plan the move');
    expect(step).toMatchObject({ run: 'Plan the move', by: 'Mira' });
    const answer = await person.post(at('undo'), { run_id: step?.run_id });
    const { done, conflicts } = UndoAnswer.parse(await answer.json());
    expect(done.map(({ app }) => app)).toEqual(['notes']);
    expect(conflicts).toMatchObject([{ app: 'lab', code: 'undo_conflict' }]);
    expect(conflicts[0]?.message).toContain('Other agent');
    expect((await desk.typed('tilo_ls', { path: 'notes' })).rows).toEqual([]);
  });

  it('gives the activity a page at a time', async () => {
    const { person, host } = await setTable();
    const { registry } = host.host;
    const token = registry.tokenOf(host.token);
    if (token === null) throw new Error('The token opens nothing.');
    // Without HTTP, which lets a token call fifty times a second.
    const caller = { connection: registry.defaultConnection(token, 'studio'), group: null };
    const { signal } = new AbortController();
    for (let n = 0; n < 60; n += 1) {
      const count = { path: 'lab#count', args: { name: `n${n}` } };
      expect(await host.host.call('tilo_do', count, { ...caller, signal })).toMatchObject({ status: 'ok' });
    }
    const first = Activity.parse(await (await person.get(at('activity'))).json());
    const second = Activity.parse(await (await person.get(at(`activity?before=${first.before}`))).json());
    const sentences = [...first.steps, ...second.steps].map(({ changes }) => changes[0]?.sentence);
    expect(sentences).toEqual([...Array(60).keys()].reverse().map((n) => `counted "n${n}"`));
    expect(second.before).toBeUndefined();
  });

  it('tells who is here', async () => {
    const { agent, call, person } = await setTable();
    const desk = await agent('Desk agent');
    await call(desk, 'lab#count', { name: 'sheep' });
    const { here } = Roster.parse(await (await person.get(at('roster'))).json());
    expect(here).toMatchObject([{ name: 'Desk agent', kind: 'agent' }]);
  });

  it('settles which actions need no asking, those that destroy among them, and no others', async () => {
    const { agent, call, person, lab } = await setTable();
    const desk = await agent('Desk agent');
    await call(desk, 'lab#add-item', { name: 'Scales' }, { wait_ms: 5000 });
    const settings = async (): Promise<Settings> => Settings.parse(await (await person.get(at('settings'))).json());
    expect(await settings()).toMatchObject({ workspace: 'studio', label: 'Studio', person: 'Mira' });
    const rows = (await settings()).preallow;
    expect(rows).toContainEqual({ kind: 'lab', action: 'send', label: 'Send', allowed: false, destroys: false });
    expect(rows).toContainEqual({
      kind: 'lab.Item',
      action: 'destroy',
      label: 'Destroy',
      allowed: false,
      destroys: true,
    });
    expect(rows.some(({ action }) => action === 'count')).toBe(false);

    const allow = (kind: string, action: string, allowed: boolean): Promise<Response> =>
      person.post(at('preallow'), { kind, action, allowed });
    const allowed = Settings.parse(await (await allow('lab.Item', 'destroy', true)).json());
    expect(allowed.preallow.filter((row) => row.allowed).map(({ action }) => action)).toEqual(['destroy']);
    expect(await call(desk, 'lab/Scales#destroy', {}, { wait_ms: 5000 })).toMatchObject({ status: 'ok' });
    // Nothing of the kind is left, and yet it can be taken back.
    expect((await settings()).preallow.filter((row) => row.allowed)).toMatchObject([{ action: 'destroy' }]);
    expect((await allow('lab.Item', 'destroy', false)).status).toBe(200);
    expect((await settings()).preallow.filter((row) => row.allowed)).toEqual([]);

    expect((await allow('lab', 'count', true)).status).toBe(404);
    expect((await allow('lab', 'nothing', true)).status).toBe(404);
    await allow('lab', 'send', true);
    expect(await call(desk, 'lab#send', { note: 'Hello' }, { wait_ms: 5000 })).toMatchObject({ status: 'ok' });
    await allow('lab', 'send', false);
    expect(await call(desk, 'lab#send', { note: 'Hello' })).toMatchObject({ status: 'pending' });
    expect(lab.far.arrived('keyless')).toEqual(['Hello']);
  });

  it('lists the tokens that open the workspace, and revokes one for good', async () => {
    const { host, person, agent } = await setTable();
    const { registry } = host.host;
    registry.createWorkspace('attic', 'Attic', []);
    const made = { max: 'read', expires_ms: null, run: null } as const;
    const own = registry.createToken({ ...made, label: 'Reader', workspace: 'studio' });
    const foreign = registry.createToken({ ...made, label: 'Elsewhere', workspace: 'attic' });
    const { tokens } = TokenList.parse(await (await person.get(at('tokens'))).json());
    expect(tokens.map(({ label }) => label)).toEqual(['test', 'Reader']);

    expect((await person.post(at(`tokens/${foreign.id}/revoke`), {})).status).toBe(404);
    expect(registry.tokenOf(foreign.text)).not.toBeNull();
    for (const body of [{}, undefined]) {
      const revoked = TokenList.parse(await (await person.post(at(`tokens/${own.id}/revoke`), body)).json());
      expect(revoked.tokens.find(({ id }) => id === own.id)?.revoked_ms).toEqual(expect.any(Number));
    }
    expect(registry.tokenOf(own.text)).toBeNull();
    // Another token still opens a session.
    expect((await agent('Desk agent')).session).toMatch(/^\w+/);
  });
});
