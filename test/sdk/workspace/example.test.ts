import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { client, served } from './bench.ts';

const project = join(import.meta.dirname, '..', '..', '..');
const example = join(project, 'docs', 'examples', 'workspace.ts');
const sdk = join(project, 'src', 'sdk', 'index.ts');
const run = promisify(execFile);

/** A folder inside the project, where packages are found; outside the package's scope. */
const folder = (): string => {
  const path = join(project, 'node_modules', '.cache', `telic-workspace-example-${process.pid}`);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  mkdirSync(path, { recursive: true });
  return path;
};

describe('the example of docs/examples', () => {
  it('is a short program that compiles against the entry point', async () => {
    expect(readFileSync(example, 'utf8').split('\n').length).toBeLessThan(30);
    const place = folder();
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({
        extends: join(project, 'tsconfig.json'),
        compilerOptions: { paths: { 'telic/sdk': [sdk] }, typeRoots: [join(project, 'node_modules', '@types')] },
        include: [],
        files: [example],
      }),
    );
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', place], { cwd: project }).catch(
      (error: { stdout: string }) => error,
    );
    // Other rooms' faults are told by the check of the whole project.
    expect(
      stdout.split('\n').filter((line) => line.includes('docs/examples') || line.includes('sdk/workspace')),
    ).toEqual([]);
  });

  it('lists, changes, reads, asks, watches and takes everything back', async () => {
    const host = await served();
    const home = (await client(host, host.address)).workspace('home');
    await home.do('notes#new-page', { title: 'Garden' });
    const outfile = join(folder(), 'workspace.mjs');
    await build({
      entryPoints: [example],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      external: ['better-sqlite3'],
      define: { TELIC_VERSION: JSON.stringify('0.0.0-test') },
      alias: { 'telic/sdk': sdk },
      banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    });
    const env = { PATH: process.env.PATH, TILO_URL: host.address, TILO_TOKEN: host.token };
    const { stdout, stderr } = await run(process.execPath, [outfile], { env });
    expect(stderr).toBe('');
    const asked = `Asks at ${host.address}/w/home/asks/`;
    const lines = stdout.split('\n').map((line) => (line.startsWith(asked) ? asked : line));
    expect(lines).toEqual([
      'There is Garden',
      'Reads Passport',
      asked,
      'Saw that Mira added "Packing list"',
      'Saw that Mira added "Passport"',
      'Saw that Example added "Packing list", taken back',
      'Saw that Example added "Passport", taken back',
      '',
    ]);
    expect((await home.ls('notes')).rows.map(({ label }) => label)).toEqual(['Garden']);
    expect(await host.host.invocations.asks('home')).toMatchObject([
      { state: 'asking', path: 'notes/Packing list#share' },
    ]);
  });
});
