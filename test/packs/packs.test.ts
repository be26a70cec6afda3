import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { repository, temporary } from '../mcp/rawServer.ts';
import { bundlePath } from '../support/bundle.ts';

const project = join(import.meta.dirname, '..', '..');
const packs = join(project, 'docs', 'packs');
const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(packs, ...path), 'utf8'));

const Command = z.looseObject({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).default({}),
});
type Server = z.infer<typeof Command>;

const servers = (key: 'mcpServers' | 'servers', config: unknown): Server =>
  z.object({ telic: Command }).parse(z.looseObject({ [key]: z.unknown() }).parse(config)[key]).telic;

/** What each host reads out of its pack: the server, and the file with the words for the model. */
const table: readonly Readonly<{ host: string; server: () => Server; words: readonly string[] }>[] = [
  {
    host: 'codex',
    server: () => servers('mcpServers', read('codex', '.mcp.json')),
    words: ['skills', 'telic', 'SKILL.md'],
  },
  {
    host: 'claude-code',
    server: () => servers('mcpServers', read('claude-code', '.mcp.json')),
    words: ['skills', 'telic', 'SKILL.md'],
  },
  {
    host: 'gemini',
    server: () => servers('mcpServers', read('gemini', 'gemini-extension.json')),
    words: ['GEMINI.md'],
  },
  { host: 'qwen', server: () => servers('mcpServers', read('qwen', 'qwen-extension.json')), words: ['QWEN.md'] },
  {
    host: 'opencode',
    server: () => {
      const shape = z.looseObject({
        mcp: z.object({ telic: z.looseObject({ type: z.literal('local'), command: z.array(z.string()) }) }),
      });
      const [command = '', ...args] = shape.parse(read('opencode', 'opencode.json')).mcp.telic.command;
      return { command, args, env: {} };
    },
    words: ['skills', 'telic', 'SKILL.md'],
  },
  {
    host: 'cline',
    server: () => {
      const shape = z.object({ mcpServers: z.object({ telic: z.object({ transport: Command }) }) });
      return shape.parse(read('cline', 'cline_mcp_settings.json')).mcpServers.telic.transport;
    },
    words: ['rules', 'telic.md'],
  },
  {
    host: 'cursor',
    server: () => servers('mcpServers', read('cursor', '.cursor', 'mcp.json')),
    words: ['.cursor', 'rules', 'telic.mdc'],
  },
  {
    host: 'vscode',
    server: () => servers('servers', read('vscode', '.vscode', 'mcp.json')),
    words: ['.github', 'instructions', 'telic.instructions.md'],
  },
];

/** `telic` on the path, as the installed package puts it there. */
const pathWithTelic = (): string => {
  const folder = temporary('bin');
  const file = join(folder, 'telic');
  writeFileSync(file, `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(bundlePath)} "$@"\n`);
  chmodSync(file, 0o755);
  return `${folder}${delimiter}${process.env.PATH}`;
};

/** The words without the front matter of the host. */
const wordsOf = (path: string): string => readFileSync(path, 'utf8').replace(/^---\n.*?\n---\n\n/s, '');

describe('the packs for hosts', () => {
  it.each(table)(
    'of $host starts the server that it names, which shakes hands and lists its tools',
    async ({ server }) => {
      const root = repository();
      const { command, args, env } = server();
      const variables = Object.fromEntries(
        Object.entries(env).map(([name, value]) => [name, value.replace(/\$\{workspaceFolder\}/g, root)]),
      );
      const client = new Client({ name: 'pack', version: '1' });
      await client.connect(
        new StdioClientTransport({
          command,
          args,
          cwd: root,
          env: { PATH: pathWithTelic(), TELIC_STATE_DIR: join(temporary('state'), 'state'), ...variables },
          stderr: 'ignore',
        }),
      );
      expect((await client.listTools()).tools).toHaveLength(11);
      const runs = await client.callTool({ name: 'telic_list_runs', arguments: {} });
      expect(runs.structuredContent).toEqual({ ok: true, runs: [] });
      await client.close();
    },
  );

  it('say the same words to every model', () => {
    const words = table.map(({ host, words: path }) => wordsOf(join(packs, host, ...path)));
    expect(words[0]).toContain('telic_start_run');
    expect(new Set(words).size).toBe(1);
  });

  it('carry the version of the package, and are found by the marketplace under their own names', () => {
    const { version } = z
      .looseObject({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')));
    const Named = z.looseObject({ name: z.string(), version: z.string() });
    const manifests = [
      ['codex', '.codex-plugin', 'plugin.json'],
      ['claude-code', '.claude-plugin', 'plugin.json'],
      ['gemini', 'gemini-extension.json'],
      ['qwen', 'qwen-extension.json'],
    ].map((path) => Named.parse(read(...path)));
    expect(manifests.map((one) => one.version)).toEqual([version, version, version, version]);
    const market = z.looseObject({ plugins: z.array(z.looseObject({ name: z.string(), source: z.string() })) });
    const listed = market.parse(read('.claude-plugin', 'marketplace.json')).plugins;
    expect(listed.map(({ name, source }) => [source, name])).toEqual([
      ['./claude-code', manifests[1]?.name],
      ['./codex', manifests[0]?.name],
    ]);
  });
});
