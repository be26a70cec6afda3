import { describe, expect, it } from 'vitest';
import { connect, ProtocolError, Refused, Run, type Workspace } from '../../../src/sdk/workspace/index.ts';
import { atOnce, client, served, thrownBy } from './bench.ts';
import { type Fate, proxyTo } from './proxy.ts';

/** A client whose calls of one tool are answered by the test. */
const answered = async (tool: string, fate: Fate): Promise<Workspace> => {
  const { address, token } = await served();
  const proxy = await proxyTo(address, ({ message }) => (message.params?.name === tool ? fate : 'pass'));
  return (await client({ token }, proxy.address)).workspace('home');
};

const typed = (structuredContent: object): Fate => ({
  result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent },
});

describe('Refused', () => {
  it('says why a call failed, what would work, what the action takes, and keeps the answer', async () => {
    const { address, token } = await served();
    const home = (await client({ token }, address)).workspace('home');
    await home.do('notes#new-page', { title: 'Garden' });
    const error = await thrownBy(home.do('notes/Garden#append-paragraph', { txt: 'Hi' }, { invocationId: 'w1' }));
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({
      code: 'invalid_arguments',
      message: 'append-paragraph needs text and has no parameter txt.',
      next_steps: ['tilo_ls notes/Garden#append-paragraph lists its parameters'],
      action: { id: 'append-paragraph' },
      steps: undefined,
      answer: { status: 'failed', invocation_id: 'w1', path: 'notes/Garden#append-paragraph' },
    });
  });

  it('is thrown by each call that the host refuses', async () => {
    const { address, token } = await served();
    const home = (await client({ token }, address)).workspace('home');
    const codes = await Promise.all(
      [
        home.ls('nothing'),
        home.read('nothing'),
        home.readAll('nothing'),
        home.status('nothing'),
        home.cancel('nothing'),
        home.tilo('nothing'),
        home.watchOnce({ cursor: 'nothing' }),
        home.do('nothing#run'),
        home.doAll([{ path: 'nothing#run' }]),
      ].map(async (call) => {
        const error = await thrownBy(call);
        return error instanceof Refused ? error.code : error;
      }),
    );
    expect(codes).toEqual([
      'unknown_app',
      'unknown_app',
      'unknown_app',
      'unknown_invocation',
      'unknown_invocation',
      'not_available',
      'invalid_cursor',
      'unknown_app',
      'unknown_app',
    ]);
  });

  it('keeps of several actions what came of those before', async () => {
    const { address, token } = await served();
    const home = (await client({ token }, address)).workspace('home');
    await home.do('notes#new-page', { title: 'Garden' });
    const error = await thrownBy(
      home.doAll([
        { path: 'notes/Garden#pin', invocationId: 'a' },
        { path: 'notes/Garden#pin', invocationId: 'b' },
        { path: 'notes/Garden#unpin', invocationId: 'c' },
      ]),
    );
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({
      code: 'unknown_action',
      steps: [
        { invocation_id: 'a', status: 'ok' },
        { invocation_id: 'b', status: 'failed' },
      ],
      answer: { stopped_at: 1 },
    });
    expect((await home.read('notes/Garden')).fields.pinned).toBe(true);
  });
});

describe('ProtocolError', () => {
  it('tells of a call that the host finds malformed', async () => {
    const { address, token } = await served();
    const home = (await client({ token }, address)).workspace('home');
    const error = await thrownBy(home.ls('notes', { limit: 500 }));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).not.toBeInstanceOf(Refused);
    expect(error).toMatchObject({ message: expect.stringMatching(/^MCP error -32602: .*limit/) });
  });

  it('tells of an error of JSON-RPC', async () => {
    const home = await answered('tilo_ls', { error: { code: -32603, message: 'broken' } });
    expect(await thrownBy(home.ls())).toMatchObject({
      name: 'ProtocolError',
      message: expect.stringMatching(/broken/),
    });
  });

  it('tells of a host that is not there and of a token that it does not take', async () => {
    const { address } = await served();
    const error = await thrownBy(connect({ url: address, token: 'tlo_wrong', timing: atOnce }));
    expect(error).toMatchObject({
      name: 'ProtocolError',
      httpStatus: 401,
      message: 'The host answered 401: A valid token is needed: Authorization: Bearer …',
    });
    expect(String(error)).not.toContain('tlo_wrong');
    const nobody = await proxyTo(address, () => 'break before');
    expect(await thrownBy(connect({ url: nobody.address, token: 't', timing: atOnce }))).toMatchObject({
      name: 'ProtocolError',
      httpStatus: undefined,
    });
  });

  it('tells of a workspace that is not there', async () => {
    const { address, token } = await served();
    const account = await client({ token }, address);
    expect(await thrownBy(account.workspace('nowhere').ls())).toMatchObject({ name: 'ProtocolError', httpStatus: 404 });
  });

  it.each(['<html>Forbidden</html>', '"no"', '{"error":"no"}'])(
    'tells the status alone of a refusal with %s',
    async (body) => {
      const fate: Fate = { status: 403, body, headers: { 'content-type': 'application/json' } };
      expect(await thrownBy((await answered('tilo_ls', fate)).ls())).toMatchObject({
        httpStatus: 403,
        message: 'The host answered 403.',
      });
    },
  );

  it.each<readonly [string, Fate]>([
    ['has no typed content', { result: { content: [{ type: 'text', text: 'apps apps' }] } }],
    ['lacks a key', typed({ path: 'apps', kind: 'apps', actions: [] })],
    ['has a key of another type', typed({ path: 'apps', kind: 'apps', rows: 'none', actions: [] })],
    ['is no object', { result: { content: [], structuredContent: [] } }],
    ['is no result', { result: [] }],
    ['is no JSON', { body: '<html>' }],
    ['is no JSON-RPC', { body: '{"ok":true}' }],
    ['is of another media type', { body: 'apps', headers: { 'content-type': 'text/plain' } }],
  ])('tells of an answer that %s', async (_, fate) => {
    const home = await answered('tilo_ls', fate);
    const error = await thrownBy(home.ls());
    expect(error).toBeInstanceOf(ProtocolError);
  });

  it('tells of an answer to one action that is that of several', async () => {
    const home = await answered('tilo_do', typed({ status: 'ok', steps: [] }));
    expect(await thrownBy(home.do('notes#new-page'))).toBeInstanceOf(ProtocolError);
  });

  it('tells of a failure that does not say why', async () => {
    const done = { status: 'failed', invocation_id: 'i', path: 'notes#new-page' };
    const home = await answered('tilo_do', typed(done));
    expect(await thrownBy(home.do('notes#new-page'))).toBeInstanceOf(ProtocolError);
    expect(await thrownBy(home.doAll([{ path: 'notes#new-page' }]))).toBeInstanceOf(ProtocolError);
  });
});

describe('an answer', () => {
  it('keeps the keys that a newer host adds', async () => {
    const listing = { path: 'apps', kind: 'apps', rows: [], actions: [], colour: 'blue' };
    const home = await answered('tilo_ls', typed(listing));
    expect(await home.ls()).toEqual(listing);
  });

  it('of a program that wants to be confirmed is a value', async () => {
    const preview = { status: 'preview', output: ['1 change in notes'], changed: 0, steps: [] };
    const home = await answered('tilo', typed(preview));
    expect(await home.tilo('n1.unpin()')).toEqual(preview);
  });

  it('that is pending without an ask is a run', async () => {
    const pending = { status: 'pending', invocation_id: 'i', path: 'notes#new-page' };
    const home = await answered('tilo_do', typed(pending));
    const run = await home.do('notes#new-page');
    expect(run).toBeInstanceOf(Run);
    expect(run).toMatchObject({ invocation_id: 'i', answer: pending });
  });
});
