import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { served, temporary } from './served.ts';

const inspector = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')),
  'clients/launcher/build/index.js',
);

interface Said {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** The Inspector's command line on an endpoint, with a home of its own. */
const inspect = (url: string, token: string, words: readonly string[]): Promise<Said> => {
  const home = temporary();
  const argv = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`, ...words];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [inspector, ...argv],
      { env: { PATH: process.env.PATH ?? '', HOME: home }, cwd: home },
      (_, out, err) => resolve({ exit: child.exitCode, out, err }),
    );
  });
};

test('W-07 the command line of the Inspector lists the tools, and reads with --tool-metadata what is structured', async () => {
  const host = await served();
  const url = `${host.address}/w/home/mcp`;
  const listed = await inspect(url, host.token, ['--method', 'tools/list', '--strict']);
  expect([listed.exit, listed.err]).toEqual([0, expect.not.stringContaining('error')]);
  expect(JSON.parse(listed.out).tools.map(({ name }: { name: string }) => name)).toEqual([
    'tilo_ls',
    'tilo_read',
    'tilo_do',
    'tilo_find',
    'tilo_status',
    'tilo',
    'tilo_watch',
  ]);
  const read = ['--method', 'tools/call', '--tool-name', 'tilo_read', '--tool-arg', 'path=notes'];
  const structured = await inspect(url, host.token, [...read, '--tool-metadata', 'so.tilo.mcp={"structured":true}']);
  const answer = JSON.parse(structured.out);
  expect(answer.structuredContent).toMatchObject({ path: 'notes', kind: 'notes', fields: { pages: 0 }, children: [] });
  expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
  const plain = JSON.parse((await inspect(url, host.token, read)).out);
  expect(plain).not.toHaveProperty('structuredContent');
});
