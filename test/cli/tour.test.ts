import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostAdvice } from '../../src/cli/tour/hosts.ts';
import { paintFor } from '../../src/cli/tour/paint.ts';
import { newWorld, sampleFiles } from '../sdk/world.ts';
import { bundlePath } from '../support/bundle.ts';
import { cli, telic } from './console.ts';

const lineWith = (out: string, ...words: readonly string[]): string | undefined =>
  out.split('\n').find((line) => words.every((word) => line.includes(word)));

describe('tour', () => {
  it('shows a completed run of a repository: steps, report, trace, ledger, hosts', async () => {
    const world = newWorld(sampleFiles, 'commit', 'a name with blanks');
    const said = await telic(['tour', '--request', 'Where is the parser?'], { env: world.env, cwd: world.root });
    expect(said).toMatchObject({ exit: 0, err: '' });
    const { out } = said;
    expect(out).not.toContain('\u001b');
    expect(out).toContain('request     Where is the parser?');
    expect(lineWith(out, 'agent_1_frame', 'scenario_author', 'ProblemFrame', 'frame-01')).toMatch(/3$/);
    expect(lineWith(out, 'user_report', 'release_auditor', 'UserReport', 'report-01')).toMatch(/10$/);
    expect(out).toContain('Report: completed');
    expect(out).toContain('- git status: main; the working tree is clean. git log: the latest commit here is ');
    expect(lineWith(out, 'controller', 'user_report', 'run_terminated')).toBeDefined();
    expect(out).toContain(`  ${world.env.TELIC_STATE_DIR}\n`);
    for (const host of ['Claude Code', 'Codex', 'Cursor', 'Any other MCP client']) expect(out).toContain(`${host}: `);
    expect(out).toContain(`claude mcp add -s user telic -- ${process.execPath} ${bundlePath} mcp`);

    const status = execFileSync('git', ['-C', world.root, 'status', '--porcelain'], { encoding: 'utf8' });
    expect(status).toBe('');
  });

  it('leaves a run that the other commands can read', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const at = { env: world.env, cwd: world.root };
    const toured = await telic(['tour', '--json'], at);
    expect(toured).toMatchObject({ exit: 0, err: '' });
    const Toured = z.object({ ok: z.literal(true), runId: z.string(), status: z.literal('completed') });
    const { runId } = Toured.parse(JSON.parse(toured.out));
    expect(JSON.parse((await cli(['status', runId], at)).out)).toMatchObject({ run: { runId, status: 'completed' } });
    expect(JSON.parse((await cli(['artifact', runId, 'report-01'], at)).out)).toMatchObject({
      artifact: { type: 'UserReport', body: { terminalStatus: 'completed' } },
    });
  });

  it.each([
    ['a repository without commits', sampleFiles, 'git', 'No commits yet on main'],
    ['a plain folder', sampleFiles, 'folder', 'README.md has 3 lines and begins with “# Sample”.'],
    ['an empty folder', {}, 'folder', '- The folder is empty.'],
  ] as const)('completes on %s and says what it is', async (_, files, as, claim) => {
    const world = newWorld(files, as);
    const said = await telic(['tour', '--repo', world.root], { env: world.env });
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(said.out).toContain(claim);
    expect(said.out.includes('Git does not answer here')).toBe(as === 'folder');
    expect(said.out.includes('This folder is empty')).toBe(Object.keys(files).length === 0);
    expect(readdirSync(world.root).includes('.git')).toBe(as !== 'folder');
  });

  it('prints nothing of a repository that could steer the terminal', async () => {
    const world = newWorld(
      { 'README.md': '\u001b]0;owned\u0007\u001b[31m# Red\u202e\n\nA text long enough to count as text.\n' },
      'folder',
    );
    const said = await telic(['tour', '--repo', world.root, '--request', 'Read\u001b[2Jthis'], { env: world.env });
    expect(said.exit).toBe(0);
    expect(said.out).toContain('# Red');
    expect(said.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it('ends with one line and exit 1 when the server cannot start, and prints nothing else', async () => {
    const world = newWorld(sampleFiles, 'folder');
    const env = { TELIC_STATE_DIR: `${world.root}/state` };
    const said = await telic(['tour', '--repo', world.root], { env });
    expect(said).toMatchObject({ exit: 1, out: '' });
    expect(said.err).toMatch(/^telic: [^\n]*is inside the repository[^\n]*\n$/);
  });

  it('ends with exit 1 when the run cannot be started', async () => {
    const world = newWorld(sampleFiles, 'folder');
    const said = await telic(['tour', '--repo', world.root, '--request', ' '], { env: world.env });
    expect(said.exit).toBe(1);
    expect(said.err).toMatch(/^telic: telic_start_run was refused \([^\n]+\n$/);
  });
});

describe('colours', () => {
  it('stand only where the terminal shows them', () => {
    const terminal = { env: {}, cwd: '/', input: async function* () {}, out: () => {}, err: () => {} };
    expect(paintFor({ ...terminal, colours: true }).good('yes')).toBe('\u001b[32myes\u001b[39m');
    expect(paintFor({ ...terminal, colours: false }).good('yes')).toBe('yes');
  });
});

describe('the advice for hosts', () => {
  it('quotes paths for the shell and writes them plainly into JSON', () => {
    const entry = "/srv/it's here/dist/telic.js";
    const [claude, , cursor, other] = hostAdvice('/usr/bin/node', entry);
    expect(claude?.text).toBe(`claude mcp add -s user telic -- /usr/bin/node '/srv/it'\\''s here/dist/telic.js' mcp`);
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${claude?.text.split(' -- ')[1]}`], { encoding: 'utf8' });
    expect(words).toBe(`/usr/bin/node\n${entry}\nmcp\n`);
    for (const advice of [cursor, other])
      expect(JSON.parse(advice?.text ?? '')).toMatchObject({
        mcpServers: { telic: { command: '/usr/bin/node', args: [entry, 'mcp'] } },
      });
  });
});
