import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagramNames, diagramOf } from '../../machines/diagrams/index.ts';
import { newWorld } from '../sdk/world.ts';
import { cli } from './console.ts';

describe('diagram', () => {
  it('draws the run machine as Mermaid when nothing else is said', async () => {
    const said = await cli(['diagram']);
    expect(said).toEqual({ exit: 0, out: await diagramOf('run', 'mermaid'), err: '' });
  });

  it('prints what its golden file holds', async () => {
    await expect((await cli(['diagram', 'frame'])).out).toMatchFileSnapshot('golden/diagram.txt');
  });

  it.each(diagramNames)('draws the machine %s in each format', async (name) => {
    for (const format of ['mermaid', 'dot', 'svg'] as const) {
      const { exit, out } = await cli(['diagram', name, '--format', format]);
      expect(exit).toBe(0);
      expect(out.trimEnd()).toBe((await diagramOf(name, format)).trimEnd());
      expect(out).toMatch(/[^\n]\n$/);
    }
  });

  it('tells machine and format beside the text with --json', async () => {
    const said = await cli(['--json', 'diagram', 'audit', '--format', 'dot']);
    const text = await diagramOf('audit', 'dot');
    expect(said.out).toBe(`${JSON.stringify({ machine: 'audit', format: 'dot', text })}\n`);
  });

  it('writes a file relative to the working directory, and says what it wrote', async () => {
    const { root } = newWorld({ 'plan.svg': 'an older one' }, 'folder');
    const said = await cli(['diagram', 'plan', '--format', 'svg', '--output', 'plan.svg'], { cwd: root });
    const svg = await diagramOf('plan', 'svg');
    expect(readFileSync(join(root, 'plan.svg'), 'utf8')).toBe(svg);
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(said.out)).toEqual({
      machine: 'plan',
      format: 'svg',
      file: 'plan.svg',
      bytes: Buffer.byteLength(svg),
    });
  });

  it.each([
    [['diagram', 'agent_1_frame'], `"agent_1_frame" is no machine: use ${diagramNames.join(', ')}.`],
    [['diagram', '--format', 'png'], '"png" is no format: use mermaid, dot, svg.'],
    [['diagram', '--output', 'none/run.mmd'], 'none/run.mmd cannot be written: the system says ENOENT.'],
  ])('answers %j with one line and exit 1', async (argv, message) => {
    const { root } = newWorld({}, 'folder');
    expect(await cli(argv, { cwd: root })).toEqual({ exit: 1, out: '', err: `telic: ${message}\n` });
  });
});
