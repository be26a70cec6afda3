import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { commands } from '../../src/cli/commands.ts';
import { newWorld, sampleFiles } from '../sdk/world.ts';
import { bundlePath } from '../support/bundle.ts';

const project = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');

/** The code blocks of a page in one language. */
const blocks = (page: string, language: string): readonly string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, named, code = '']) =>
    named === language ? [code] : [],
  );

describe('README and getting started', () => {
  it('name every command of the table and no other', () => {
    const table = read('README.md').split('## Command line')[1]?.split('## Library')[0] ?? '';
    const named = [...table.matchAll(/^\| `([\w-]+)/gm)].map(([, name]) => name);
    expect(named).toEqual([...commands.map(({ name }) => name), 'help']);
  });

  it('name the entry points of the package and the folders that are there', () => {
    const readme = read('README.md');
    const { exports } = z
      .object({ exports: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(read('package.json')));
    for (const entry of Object.keys(exports)) expect(readme).toContain(`\`telic${entry.slice(1)}\``);
    const folders = [...readme.matchAll(/^\| `(\w+\/)`/gm)].map(([, folder = '']) => folder);
    expect(folders).toContain('src/');
    for (const folder of folders) expect([folder, existsSync(join(project, folder))]).toEqual([folder, true]);
  });

  it('link only to pages and headings that exist', () => {
    for (const page of ['README.md', 'docs/gettingStarted.md']) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)]+)\)/g)) {
        const [path = '', heading] = target.split('#');
        const linked = join(dirname(page), path);
        expect([target, existsSync(join(project, linked))]).toEqual([target, true]);
        const headings = [...read(linked).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
          text.toLowerCase().replaceAll(' ', '-'),
        );
        if (heading !== undefined) expect(headings).toContain(heading);
      }
    }
  });

  it('show a program that runs as it stands', async () => {
    const [program = ''] = blocks(read('docs/gettingStarted.md'), 'js');
    const folder = join(project, 'node_modules', '.cache', `telic-example-${process.pid}`);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'example.js'), program.replace('/path/to/telic/dist/telic.js', bundlePath));
    await build({
      entryPoints: [join(folder, 'example.js')],
      outfile: join(folder, 'bundled.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['better-sqlite3'],
      define: { TELIC_VERSION: JSON.stringify('0.0.0-test') },
      alias: { 'telic/sdk': join(project, 'src/sdk/index.ts') },
      banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    });
    const world = newWorld(sampleFiles, 'commit');
    const out = execFileSync(process.execPath, [join(folder, 'bundled.mjs')], {
      cwd: world.root,
      env: { PATH: process.env.PATH, ...world.env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(out).toMatch(/^completed\nREADME\.md has 3 lines and begins with “# Sample”\./);
  });
});
