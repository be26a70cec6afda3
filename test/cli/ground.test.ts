import { describe, expect, it } from 'vitest';
import { repository } from '../grounding/repository.ts';
import { cli, telic } from './console.ts';

const key = `${'AKIA'}ABCDEFGHIJKLMNOP`;
const files = {
  'src/login.ts': 'export const login = 1;\n',
  'src/gate.ts': 'throw new Error("the gate is shut");\n',
  'src/leak.ts': `login\nconst key = "${key}";\n`,
  'conf/.env': `KEY=${key}\n`,
  'line\nbreak.ts': 'login\n',
  'other.md': 'other\n',
};
const request = 'After login: "the gate is shut"';
const surroundings = { env: { PATH: process.env.PATH ?? '' } };

const explain = (...words: readonly string[]) =>
  cli(['ground', '--repo', repository(files), '--explain', request, ...words], surroundings);

describe('telic ground --explain', () => {
  it('prints the head of the ranking with the points of each feature, and the rule of each excluded path', async () => {
    const said = await explain();
    expect(said).toMatchObject({ exit: 0, err: '' });
    await expect(said.out).toMatchFileSnapshot('golden/ground.txt');
  });

  it('prints the same as JSON, and never the text that a rule matched', async () => {
    const { out } = await explain('--json');
    expect(out).not.toContain(key);
    expect(JSON.parse(out)).toMatchObject({
      inventorySource: 'git',
      candidateFiles: 6,
      excluded: [
        { path: 'conf/.env', reason: 'secret_like_file' },
        { path: 'src/leak.ts', reason: 'secret_content', rule: 'aws_access_key' },
      ],
    });
    const first = JSON.parse(out).ranked[0];
    const sum = Object.values<number>(first.points).reduce((total, points) => total + points, 0);
    expect(sum).toBe(first.score);
  });

  it('takes active paths and a limit', async () => {
    const { out } = await explain('--json', '--limit', '1', 'other.md');
    expect(JSON.parse(out).ranked).toMatchObject([
      { path: 'other.md', points: { pinned: 1_000_000, active: 50_000 }, decision: 'selected' },
    ]);
  });

  it('works from the executable, without any state and without making some', async () => {
    const root = repository(files);
    const said = await telic(['ground', '--explain', request], { cwd: root });
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(said.out).toContain('src/gate.ts');
  });

  it.each([
    [['ground'], 'ground only explains: give the request, as in telic ground --explain "Where is it read?".'],
    [['ground', '--explain', 'x', '--limit', '0'], '--limit takes a whole number from 1 to 1000, not "0".'],
    [['ground', '--explain', 'x', '../out'], 'The active path "../out" is not in the repository'],
  ])('answers %j with one line and exit 1', async (argv, message) => {
    const said = await cli([...argv, '--repo', repository({})], surroundings);
    expect(said).toMatchObject({ exit: 1, out: '' });
    expect(said.err).toMatch(/^telic: [^\n]+\n$/);
    expect(said.err).toContain(message);
  });

  it('has help', async () => {
    await expect((await cli(['help', 'ground'])).out).toMatchFileSnapshot('golden/help-ground.txt');
  });
});
