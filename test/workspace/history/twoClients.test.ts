import { describe, expect, it, onTestFinished } from 'vitest';
import { readFixture } from '../conformance/cases.ts';
import { seedFixture } from '../conformance/seed.ts';
import { serveTest } from '../support/serve.ts';
import { openClient, type WireClient } from '../support/wireClient.ts';

const run = { id: 'plan-move', title: 'Plan the house move' };

const read = async (client: WireClient, path: string): Promise<unknown> =>
  (await client.typed('tilo_read', { path })).fields;

describe('two clients over the wire', () => {
  it('W-42 with one token and an equal run.id have two steps, and each takes back its own', async () => {
    const host = await serveTest({ seed: (host) => seedFixture(host, readFixture()) });
    onTestFinished(() => host.close());
    const endpoint = { address: host.address, path: '/w/home/mcp', token: host.token };
    const [desk, night] = [await openClient(endpoint, 'Desk agent'), await openClient(endpoint, 'Night agent')];
    const start = String((await desk.typed('tilo_watch', { wait_ms: 0 })).cursor);
    const act = (client: WireClient, path: string, args: object = {}): Promise<Record<string, unknown>> =>
      client.typed('tilo_do', { path, args }, { run });
    await act(desk, 'notes/0a01#rename', { title: 'Orchard' });
    await act(night, 'notes/0c03#rename', { title: 'Moving' });
    await act(desk, 'notes/0a01#unpin');

    const watched = (await desk.typed('tilo_watch', { cursor: start, wait_ms: 0 })).events as Record<string, unknown>[];
    const own = watched.filter(({ kind }) => kind === 'run');
    // Runs of the other client are its own; changes of both are told, under the title that both chose.
    expect(own.map(({ path, phase }) => [path, phase])).toEqual([
      ['notes/Garden#rename', 'started'],
      ['notes/Garden#rename', 'succeeded'],
      ['notes/Orchard#unpin', 'started'],
      ['notes/Orchard#unpin', 'succeeded'],
    ]);
    expect(watched.filter(({ kind }) => kind === 'change').map(({ path, run: title }) => [path, title])).toEqual([
      ['notes/Orchard', run.title],
      ['notes/Moving', run.title],
      ['notes/Orchard', run.title],
    ]);

    const undone = await act(night, 'notes#undo', { steps: 1 });
    expect(undone).toMatchObject({ status: 'ok', result: { steps: 1, undone: [expect.any(String)] } });
    expect(await read(desk, 'notes/0c03')).toMatchObject({ title: 'House move' });
    expect(await read(desk, 'notes/0a01')).toMatchObject({ title: 'Orchard', pinned: false });
    expect(await act(night, 'notes#undo', { steps: 100 })).toMatchObject({ error: { code: 'nothing_to_undo' } });
    const both = await act(desk, 'notes#undo', { steps: 1 });
    expect((both.result as { undone: string[] }).undone).toHaveLength(2);
    expect(await read(desk, 'notes/0a01')).toMatchObject({ title: 'Garden', pinned: true });
  });
});
