import { expect, test } from 'vitest';
import { Watched } from '../../../schemas/wire/answers.ts';
import { start, workspace } from './program.ts';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { served, temporary } from './served.ts';

const answerOf = (text: string): Record<string, unknown> => JSON.parse(text).result.structuredContent;

test('W-17 on SIGTERM ten held watches answer with a cursor, the host ends with 0, and no event is lost on resume', async () => {
  const data = temporary();
  const { out } = await workspace(data, ['token', 'create', '--label', 'Watcher', '--json']);
  const token = String(JSON.parse(out).token);
  const call = (port: number, name: string, args: object) =>
    sendRaw(port, { path: '/mcp', headers: mcpHeaders(token), body: callBody(1, name, args, { structured: true }) });
  const add = (port: number, title: string) => call(port, 'tilo_do', { path: 'home/notes#new-page', args: { title } });
  // At the account endpoint no presence ends a watch.
  const watch = async (port: number, args: object) =>
    Watched.parse(answerOf((await call(port, 'tilo_watch', args)).text));

  const first = await start(data);
  const begin = (await watch(first.port, { wait_ms: 0 })).cursor;
  await add(first.port, 'Garden');
  const ask = call(first.port, 'tilo_do', {
    path: 'home/notes/Garden#share',
    args: { with: 'sam@example.org' },
    invocation_id: 'share',
    wait_ms: 60_000,
  });
  let pending = await call(first.port, 'tilo_status', { invocation_id: 'share' });
  while (answerOf(pending.text).status !== 'pending')
    pending = await call(first.port, 'tilo_status', { invocation_id: 'share' });
  const { cursor: now } = await watch(first.port, { cursor: begin, wait_ms: 0 });
  let answered = 0;
  const held = Array.from({ length: 10 }, async () => {
    const answer = await watch(first.port, { cursor: now, path: 'home/notes/Garden', wait_ms: 60_000 });
    answered += 1;
    return answer;
  });
  // By then the watches, which were sent before, have come.
  for (let round = 0; round < 10; round += 1) await call(first.port, 'tilo_ls', {});
  expect(answered).toBe(0);

  first.child.kill('SIGTERM');
  const answers = await Promise.all(held);
  expect(answerOf((await ask).text)).toMatchObject({ status: 'pending', invocation_id: 'share' });
  const { exit, err } = await first.ended;
  expect(exit).toBe(0);
  expect(err).not.toContain(token);

  const second = await start(data);
  await add(second.port, 'Later');
  const changed = async (cursor: string) =>
    (await watch(second.port, { cursor, wait_ms: 0 })).events.flatMap((event) =>
      event.kind === 'change' ? [event.path] : [],
    );
  for (const { cursor } of answers) expect(await changed(cursor)).toEqual(['home/notes/Later']);
  expect(await changed(begin)).toEqual(['home/notes/Garden', 'home/notes/Later']);
  second.child.kill('SIGINT');
  expect((await second.ended).exit).toBe(0);
});

test('a host that stops answers what it holds, refuses what is new with 503, and closes its sockets', async () => {
  const host = await served({ serve: { limits: { heldCalls: 1, callsPerSecond: 100_000, patience: 50 } } });
  // At the account endpoint no presence ends a watch.
  const post = (body: string) => sendRaw(host.port, { path: '/mcp', headers: mcpHeaders(host.token), body });
  const held = post(callBody(2, 'tilo_watch', { wait_ms: 60_000 }, { structured: true }));
  // Once the only place is taken, the watch is there.
  while ((await post(callBody(5, 'tilo_ls', {}))).status !== 429)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const { release } = host.host;
  let during: Awaited<ReturnType<typeof post>> | null = null;
  const slow = Object.assign(host.host, {
    release: async () => {
      during = await post(callBody(3, 'tilo_ls', {}));
      await release();
    },
  });
  expect(slow).toBe(host.host);
  await host.stop();
  expect(during).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(Watched.parse(answerOf((await held).text)).cursor).toMatch(/^c/);
  await expect(post(callBody(4, 'tilo_ls', {}))).rejects.toThrow(/ECONNREFUSED/);
});

test('a second start on the same data exits with 3 and names the address of the first', async () => {
  const data = temporary();
  const first = await start(data);
  for (const words of [
    ['serve', '--port', '0'],
    ['serve', '--port', String(first.port)],
    ['serve', '--sample'],
  ]) {
    const said = await workspace(data, words);
    expect(said).toMatchObject({ exit: 3, out: '' });
    expect(said.err).toMatch(/^telic: [^\n]+\n$/);
    expect(said.err).toContain(first.address);
  }
  first.child.kill('SIGKILL');
  await first.ended;
  const next = await start(data);
  expect(next.port).toBeGreaterThan(0);
});

test('a port that another program has is told with exit 1', async () => {
  const data = temporary();
  const other = await start(temporary());
  const said = await workspace(data, ['serve', '--port', String(other.port)]);
  expect(said).toMatchObject({ exit: 1, out: '' });
  expect(said.err).toMatch(new RegExp(`^telic: [^\\n]*${other.port}[^\\n]*--port[^\\n]*\\n$`));
});
