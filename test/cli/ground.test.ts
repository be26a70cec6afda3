import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { GroundContextArguments } from '../../schemas/tools.ts';
import { budgetDefaults, budgetLimits } from '../../src/grounding/budget.ts';
import { git, repository, temporary, write } from '../grounding/repository.ts';
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

  it('tells of paths that are not there, and neither ranks nor counts them', async () => {
    const root = temporary();
    write(root, { 'src/parser.ts': 'parser\n', 'is.ts': '' });
    const ask = (...words: readonly string[]) => cli(['ground', '--repo', root, ...words], surroundings);
    const { out } = await ask('--explain', 'where', 'is', 'the', 'parser');
    expect(out.split('\n').slice(0, 6)).toEqual([
      'There is no file or directory: is',
      'There is no file or directory: the',
      'There is no file or directory: parser',
      'What stands behind the request is a path. Put the whole request in quotes: telic ground --explain "where is the parser"',
      '',
      '2 of 2 files would be selected (7 bytes; listed by filesystem).',
    ]);
    expect(out).not.toContain('unreadable_file');
    const json = JSON.parse((await ask('--json', '--explain', 'x', 'src/parser.ts', '.env', 'dist/a.js')).out);
    expect(json).toMatchObject({ missingPaths: ['.env', 'dist/a.js'], candidateFiles: 2, excludedCounts: [] });
    expect((await ask('--explain', 'the parser', 'src/parsr.ts')).out).toContain('see how it is spelled');
    // What would lie in the directory of the product's state was never counted.
    const env = { ...surroundings.env, TELIC_STATE_DIR: `${root}/state` };
    const inState = await cli(['ground', '--repo', root, '--json', '--explain', 'x', 'state/a'], {
      ...surroundings,
      env,
    });
    expect(JSON.parse(inState.out)).toMatchObject({ missingPaths: ['state/a'], candidateFiles: 2, excludedCounts: [] });
  });

  it('names the file that a duplicate repeats, and how to ground a repository inside this one', async () => {
    const root = repository({ 'a.ts': 'the same\n', 'b.ts': 'the same\n' });
    write(root, { 'vendor/x/c.ts': '' });
    git(`${root}/vendor/x`, 'init', '-q');
    const { out } = await cli(['ground', '--explain', 'x'], { ...surroundings, cwd: root });
    expect(out).toContain('    b.ts (the same as a.ts)\n');
    expect(out).toContain('  Ground a repository inside this one by itself: --repo vendor/x\n');
  });

  describe('the way to a repository inside this one', () => {
    const hintOf = async (name: string, below = '') => {
      const root = repository({ 'a.ts': 'a\n', 'below/b.ts': 'b\n' });
      write(root, { [`${name}/c.ts`]: '' });
      git(join(root, name), 'init', '-q');
      const at = { ...surroundings, cwd: join(root, below) };
      const { out } = await cli(['ground', '--repo', root, '--explain', 'x'], at);
      return { root, hint: /^ {2}Ground a repository inside this one by itself: --repo (.*)$/m.exec(out)?.[1] };
    };

    it.each(['a$(touch ran)', 'a`touch ran`', `it's $(touch ran)'s`, 'a";touch ran;"', '~', 'a b'])(
      'is one word of a shell that runs nothing, for %j',
      async (name) => {
        const { root, hint } = await hintOf(name);
        expect(execFileSync('sh', ['-c', `printf %s ${hint}`], { cwd: root, encoding: 'utf8' })).toBe(name);
        expect(existsSync(join(root, 'ran'))).toBe(false);
      },
    );

    it('is relative in the directory of the command, also for a name that begins with dots or a dash', async () => {
      expect((await hintOf('..x')).hint).toBe('..x');
      expect((await hintOf('-x')).hint).toBe('./-x');
      expect((await hintOf('x', 'x')).hint).toBe('./');
      const { root, hint } = await hintOf('x', 'below');
      expect(hint).toBe(join(root, 'x'));
    });

    it('is not told where its name holds what a terminal does not show', async () => {
      for (const name of ['a\nb', 'a\u001bb', 'a\u202eb']) expect((await hintOf(name)).hint).toBeUndefined();
    });
  });

  it('puts the warnings of a manifest into words for somebody who has no run', async () => {
    const root = temporary();
    write(root, Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}.ts`, `${index}`])));
    const ask = ['ground', '--repo', root, '--explain', 'x', '--max-inventory-files', '9'];
    const { out } = await cli(ask, surroundings);
    expect(out).toContain('max_inventory_files is 9; --max-inventory-files takes more.\n');
    expect(out).toContain('; name paths behind the request to reach them.\n');
    expect(out).not.toContain('fingerprint');
    expect((await cli([...ask, '--json'], surroundings)).out).toContain('The fingerprint was taken without Git');
  });

  it('says what to name where a directory belongs to Git itself', async () => {
    const { err } = await cli(['ground', '--explain', 'x', '--repo', `${repository({})}/.git`], surroundings);
    expect(err).toMatch(/^telic: [^\n]+ belongs to Git itself [^\n]+ Name a work tree with --repo PATH\.\n$/);
  });

  it('reads the request from standard input', async () => {
    const { out } = await cli(['ground', '--json', '--repo', temporary(), '--explain', '-'], {
      ...surroundings,
      input: 'Where is\nthe parser?\n',
    });
    expect(JSON.parse(out).request).toBe('Where is\nthe parser?');
  });

  it('takes a budget within the limits that its help tells, which are those of the tool', async () => {
    const root = temporary();
    write(root, { 'a.ts': 'a', 'b.ts': 'b' });
    const help = (await cli(['help', 'ground'])).out.replaceAll(/\s+/g, ' ');
    const tool = z.toJSONSchema(GroundContextArguments.shape.budget.unwrap());
    for (const field of ['max_files', 'max_file_bytes', 'max_total_bytes', 'max_inventory_files'] as const) {
      const [most, usual] = [budgetLimits[field], budgetDefaults[field]];
      const option = `--${field.replaceAll('_', '-')}`;
      expect(tool.properties?.[field]).toMatchObject({ minimum: 1, maximum: most });
      expect(help).toMatch(new RegExp(`${option} <n> [^-]*1 to ${most} \\(default: ${usual}\\)`));
      const said = await cli(['ground', '--repo', root, '--explain', 'x', option, String(most + 1)], surroundings);
      expect(said.err).toBe(`telic: ${option} takes a whole number from 1 to ${most}, not "${most + 1}".\n`);
    }
    const limited = await cli(['ground', '--json', '--repo', root, '--explain', 'x', '--max-files', '1'], surroundings);
    expect(JSON.parse(limited.out)).toMatchObject({
      selectedFiles: 1,
      excluded: [{ path: 'b.ts', reason: 'file_count_budget', rank: 2 }],
    });
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
    [['ground', '--explain', ' \n'], 'The request is blank: say what to look for'],
    [['ground', '--explain', '-'], 'The request is blank: say what to look for'],
    [['ground', '--explain', '--limit', '3'], '--explain is followed by --limit: give the request first'],
    [['ground', '--explain', 'x', '--explain', 'y'], '--explain is given twice'],
    [['ground', '--explain', 'x'.repeat(40_000)], 'The request has 40000 characters. Give 1 to 32768 characters.'],
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
