import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { WireCode, WireTool } from '../../schemas/wire/vocabulary.ts';
import { serveTest } from '../workspace/support/serve.ts';
import { root, textOf } from './pages.ts';

const page = textOf('docs/workspace.md');
const run = promisify(execFile);

const isThere = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    // Not installed: the one thing that this asks.
    return false;
  }
};

describe('the page about workspaces', () => {
  it('names every tool and every code of the host', () => {
    expect(WireTool.options.filter((tool) => !page.includes(`| \`${tool}\``))).toEqual([]);
    expect(WireCode.options.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });

  it('shows the program that is compiled and run', () => {
    const file = join(root, 'docs', 'examples', 'workspace.ts');
    expect(existsSync(file)).toBe(true);
    expect(page).toContain(`\`\`\`ts\n${readFileSync(file, 'utf8')}\`\`\``);
  });
});

describe('the line of curl in the README', () => {
  it.skipIf(!isThere('curl'))('lists the apps of a workspace, as it stands', async () => {
    const line = /^curl .+$/m.exec(textOf('README.md'))?.[0] ?? '';
    const served = await serveTest({
      seed: ({ registry }) => registry.createWorkspace('sample', 'Sample', ['notes']),
    });
    try {
      const here = line.replace('http://127.0.0.1:4747', served.address);
      const { stdout } = await run('sh', ['-c', here], { env: { ...process.env, TILO_TOKEN: served.token } });
      expect(JSON.parse(stdout)).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: 'apps apps\n- notes app running + "Notes"' }] },
      });
    } finally {
      await served.close();
    }
  });
});
