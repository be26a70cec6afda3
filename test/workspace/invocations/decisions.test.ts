import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contents, openTable, type Table, until } from './support.ts';

describe('what the person decides', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const share = (id = 's1', args: Record<string, unknown> = { with: 'sam@example.org' }, wait_ms = 0) =>
    table.host.invocations.do(table.caller(), { path: 'notes/Garden#share', args, invocation_id: id, wait_ms });

  it('no ask that is open is hidden by newer ones of a client that runs away', async () => {
    await share('first', { with: 'first@example.org' });
    for (let more = 0; more < 120; more += 1) {
      table.clock.now_ms += 1000;
      await share(`more-${more}`, { with: `${more}@example.org` });
    }
    const shown = await table.host.invocations.asks('home');
    expect(shown).toHaveLength(121);
    expect(shown.at(-1)?.args).toEqual({ with: 'first@example.org' });
  });

  it('open asks with arguments that fill the page are listed as far as they fit, the usual number in any case', async () => {
    const note = 'x'.repeat(120_000);
    for (let more = 0; more < 105; more += 1) await share(`large-${more}`, { with: `${more} ${note}` });
    expect(await table.host.invocations.asks('home')).toHaveLength(100);
  });

  it('edits that do not validate are told by parameter, and the ask stays as it is', async () => {
    await share();
    const before = contents(table);
    expect(await table.decide({ decision: 'allow_edited', args: { with: 7, access: 'all', also: 'x' } })).toEqual({
      outcome: 'invalid',
      messages: {
        with: 'with must be a text.',
        access: 'access must be read or write.',
        also: 'There is no parameter also.',
      },
    });
    expect(await table.decide({ decision: 'allow_edited', args: {} })).toEqual({
      outcome: 'invalid',
      messages: { with: 'with is needed.' },
    });
    expect(await table.decide({ decision: 'allow_edited' })).toMatchObject({ outcome: 'invalid' });
    expect(contents(table)).toEqual(before);
    // On an ask that moved on, that is told first.
    const asked = await table.ask();
    await table.decide({ decision: 'allow' }, asked);
    expect(await table.decide({ decision: 'allow_edited', args: {} }, asked)).toMatchObject({ outcome: 'moved_on' });
  });

  it('edited and allowed, it runs with the edits, which the answer tells complete and in order', async () => {
    const held = share('s1', { with: 'sam@example.org' }, 60_000);
    await until(async () => (await table.host.invocations.asks('home')).length > 0);
    await table.decide({ decision: 'allow_edited', args: { access: 'read', with: 'kim@example.org' } });
    const answer = await held;
    expect(answer).toEqual({
      status: 'ok',
      invocation_id: 's1',
      path: 'notes/Garden#share',
      result: { link: 'notes-share-1' },
      resources: ['notes/Garden'],
      edited_by_person: { with: 'kim@example.org', access: 'read' },
    });
    expect(JSON.stringify(answer)).toContain('"edited_by_person":{"with":"kim@example.org","access":"read"}');
    // The caller's own arguments are still those of the id.
    expect(await share()).toEqual(answer);
    expect(await share('s1', { with: 'kim@example.org', access: 'read' })).toMatchObject({
      error: { code: 'invocation_mismatch' },
    });
  });

  it('edits of what has not run, and never will, are not told as if it had', async () => {
    await share();
    await table.decide({ decision: 'allow_edited', args: { with: 'kim@example.org' } });
    const status = () => table.host.invocations.status(table.caller(), { invocation_id: 's1' });
    expect(await status()).not.toHaveProperty('edited_by_person');
    const [allowed] = await table.host.invocations.asks('home');
    await table.decide({ decision: 'refuse' }, allowed);
    expect(await status()).toMatchObject({ status: 'failed', error: { code: 'refused' } });
    expect(await status()).not.toHaveProperty('edited_by_person');
  });

  it('edits that change nothing are no edits', async () => {
    await share();
    await table.decide({ decision: 'allow_edited', args: { with: 'sam@example.org' } });
    expect(await share()).not.toHaveProperty('edited_by_person');
  });

  it('always allow spares the next ask of the same action, of every page, and of no other action', async () => {
    await share();
    await table.decide({ decision: 'allow', always: true });
    expect(table.host.registry.preallowed('home')).toEqual([{ kind: 'notes.Page', action: 'share' }]);
    expect(await share()).toMatchObject({ status: 'ok' });
    const again = { path: 'notes/House move#share', args: { with: 'x' }, invocation_id: 's2', wait_ms: 60_000 };
    expect(await table.host.invocations.do(table.caller(), again)).toMatchObject({ status: 'ok' });
    const studio = table.caller('Desk agent', { endpoint: 'studio' });
    expect(await table.host.invocations.do(studio, { ...again, invocation_id: 's3', wait_ms: 0 })).toMatchObject({
      status: 'pending',
    });
    // It never reaches further than the token.
    const editor = table.caller('Editor', { token: table.token('editor', 'undoable') });
    expect(await table.host.invocations.do(editor, { ...again, invocation_id: 's4' })).toMatchObject({
      error: { code: 'not_granted' },
    });
  });

  it('what destroys is allowed once, whatever else is ticked', async () => {
    const remove = { path: 'notes/House move#delete', args: {}, invocation_id: 'd1', wait_ms: 0 };
    await table.host.invocations.do(table.caller(), remove);
    expect(await table.ask()).toMatchObject({ can_always: false, action: { destroys: true, kind: 'outside' } });
    expect(await table.decide({ decision: 'allow', always: true })).toMatchObject({ outcome: 'decided' });
    expect(table.host.registry.preallowed('home')).toEqual([]);
    expect(await table.host.invocations.do(table.caller(), remove)).toMatchObject({ status: 'ok' });
  });

  it('a token that has ended meanwhile runs nothing, and the permission stands', async () => {
    await share();
    await table.decide({ decision: 'allow' });
    table.host.registry.revokeToken(table.token('desk').id);
    const before = contents(table);
    expect(await share()).toMatchObject({ status: 'failed', error: { code: 'not_granted' }, action: { id: 'share' } });
    expect(contents(table)).toEqual(before);
    expect(await table.host.invocations.asks('home')).toMatchObject([{ state: 'allowed' }]);
  });

  it('shows an ask with what it needs, by its own id in its own workspace', async () => {
    const caller = table.caller('Desk agent', { run: { id: 'plan', title: 'Plan the house move' } });
    await table.host.invocations.do(caller, {
      path: 'notes/0a01#share',
      args: { with: 'sam@example.org' },
      invocation_id: 's1',
      wait_ms: 0,
    });
    const asked = await table.ask();
    expect(asked).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{12}$/),
      state: 'asking',
      version: 1,
      by: 'Desk agent',
      run: 'Plan the house move',
      path: 'notes/Garden#share',
      app: 'notes',
      action: { id: 'share', label: 'Share', kind: 'outside', destroys: false, params: asked.action.params },
      resource: 'Garden',
      args: { with: 'sam@example.org' },
      can_always: true,
      created_ms: table.clock.now_ms,
      deadline_ms: table.clock.now_ms + 24 * 3_600_000,
      announced: 1,
    });
    expect(await table.host.invocations.ask('home', asked.id)).toEqual(asked);
    expect(await table.host.invocations.ask('studio', asked.id)).toBeNull();
    expect(await table.host.invocations.asks('studio')).toEqual([]);
    const nobody = await table.host.invocations.decide(
      'studio',
      asked.id,
      { decision: 'allow', version: 1 },
      { id: 'mira', name: 'Mira' },
    );
    expect(nobody).toEqual({ outcome: 'unknown' });
  });

  it('lists open asks first, then the decided ones, newest first', async () => {
    for (const id of ['s1', 's2', 's3', 's4']) {
      table.clock.now_ms += 1;
      await share(id, { with: `${id}@example.org` });
    }
    const ask = async (who: string) =>
      (await table.host.invocations.asks('home')).find(({ args }) => args.with === `${who}@example.org`);
    table.clock.now_ms += 1;
    await table.decide({ decision: 'refuse' }, await ask('s3'));
    table.clock.now_ms += 1;
    await table.decide({ decision: 'allow' }, await ask('s1'));
    expect((await table.host.invocations.asks('home')).map(({ args }) => args.with)).toEqual([
      's4@example.org',
      's2@example.org',
      's1@example.org',
      's3@example.org',
    ]);
  });
});
