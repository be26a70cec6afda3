import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gateCommand } from '../../src/gate/hooks/command.ts';
import { installHook } from '../../src/gate/hooks/hooks.ts';
import { hookFile } from '../../src/gate/hooks/places.ts';
import type { GateHost } from '../../src/gate/hosts.ts';
import { temporary } from '../mcp/rawServer.ts';
import { sampleFiles, type World } from '../sdk/world.ts';
import { bundlePath } from '../support/bundle.ts';
import { driveTo, gateWorld, serverOf } from './bed.ts';

/** What hosts run after an install, run as they do: a line for a shell, a script, a plugin. */

const start = { node: process.execPath, entry: bundlePath, strict: true };
const broken = { ...start, entry: '/no/such/telic.js' };

interface Ran {
  readonly out: string;
  readonly code: number;
}

const run = (world: World, program: string, args: readonly string[], input: string): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd: world.root, env: { ...world.env, PATH: process.env.PATH } };
    const child = execFile(program, args, options, (error, out) =>
      resolve({ out, code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1 }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

const install = (world: World, host: GateHost, how: typeof start): string => {
  const place = {
    host,
    scope: 'project',
    root: world.root,
    env: { ...world.env, HOME: `${world.root}-home` },
  } as const;
  installHook(place, how);
  return hookFile(host, 'project', world.root, place.env);
};

const running = async (): Promise<World> => {
  const world = gateWorld(sampleFiles, 'commit', "it's a name");
  const server = serverOf(world);
  await driveTo(world, server, 'WorkResult');
  server.close();
  return world;
};

const bash = (command: string): string =>
  JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });

describe('the command of a hook', () => {
  it('allows and refuses through a shell, whatever the paths hold', async () => {
    const world = await running();
    const command = gateCommand({ ...start, host: 'codex', repo: world.root });
    expect(await run(world, '/bin/sh', ['-c', command], bash('npm test'))).toEqual({ out: '{}\n', code: 0 });
    const refused = await run(world, '/bin/sh', ['-c', command], bash('id'));
    expect(JSON.parse(refused.out)).toMatchObject({ decision: 'block' });
  });

  it('finds the run where the state lies in a place of its own, as its server was told', async () => {
    const world = await running();
    const { TELIC_STATE_DIR: state = '', ...env } = world.env;
    expect(state).not.toBe('');
    const elsewhere = { ...world, env: { ...env, HOME: temporary('home') } };
    const command = gateCommand({ ...start, host: 'codex', repo: world.root, state });
    expect(await run(elsewhere, '/bin/sh', ['-c', command], bash('npm test'))).toEqual({ out: '{}\n', code: 0 });
    const without = gateCommand({ ...start, host: 'codex', repo: world.root });
    expect((await run(elsewhere, '/bin/sh', ['-c', without], bash('npm test'))).out).toContain('block');
  });

  const faulty = (text: string): string => {
    const file = join(temporary('gate'), 'gate.mjs');
    writeFileSync(file, text);
    return file;
  };

  it.each([
    ['crashes', "throw new Error('no');"],
    ['is killed', "process.kill(process.pid, 'SIGKILL');"],
    ['says nothing', ''],
    ['prints rubbish', "console.log('all is well');"],
    ['hangs', 'setInterval(() => {}, 1000);'],
  ])('refuses where the gate %s, in a shell and in the script of Cline', async (_what, text) => {
    const world = gateWorld({}, 'folder');
    const wrong = { ...start, entry: faulty(text) };
    const command = gateCommand({ ...wrong, host: 'claude', repo: world.root });
    expect(await run(world, '/bin/sh', ['-c', command], bash('npm test'))).toEqual({ out: '', code: 2 });
    const script = await run(world, install(world, 'cline', wrong), [], '{"hookName":"tool_call"}');
    expect(JSON.parse(script.out)).toMatchObject({ cancel: true });
  });

  it.each([
    ['Node is gone', { node: '/no/such/node' }],
    ['the file is gone', { entry: '/no/such/telic.js' }],
  ])('ends with the code that refuses where %s', async (_what, over) => {
    const world = gateWorld({}, 'folder');
    const command = gateCommand({ ...start, ...over, host: 'claude', repo: world.root });
    expect((await run(world, '/bin/sh', ['-c', command], bash('npm test'))).code).toBe(2);
  });
});

describe('the script of Cline', () => {
  const call = (command: string): string =>
    JSON.stringify({
      hookName: 'tool_call',
      tool_call: { id: '1', name: 'run_commands', input: { commands: [command] } },
    });

  it('allows, and refuses by a command that does nothing', async () => {
    const world = await running();
    const file = install(world, 'cline', start);
    expect(await run(world, file, [], call('npm test'))).toEqual({ out: '{"cancel":false}\n', code: 0 });
    expect(JSON.parse((await run(world, file, [], call('id'))).out)).toHaveProperty('overrideInput');
  });

  it('cancels where the gate cannot be started', async () => {
    const world = gateWorld({}, 'folder');
    const { out, code } = await run(world, install(world, 'cline', broken), [], call('npm test'));
    expect(JSON.parse(out)).toMatchObject({ cancel: true });
    expect(code).toBe(0);
  });
});

describe('the plugin of OpenCode', () => {
  /** Loads the plugin and calls its hook, as the host does; tells what it threw. */
  const host = (file: string, world: World): string => `
    const plugins = Object.values(await import(${JSON.stringify(`file://${encodeURI(file)}`)}));
    const hooks = await plugins[0]({ directory: ${JSON.stringify(world.root)} });
    for (const command of ['npm test', 'id'])
      try {
        await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, { args: { command } });
        console.log(command + ': ran');
      } catch (error) {
        console.log(command + ': ' + error.message);
      }`;

  const said = async (world: World, file: string): Promise<readonly string[]> => {
    const { out } = await run(world, process.execPath, ['--input-type=module', '--eval', host(file, world)], '');
    return z.string().parse(out).trim().split('\n');
  };

  it('lets a call through or throws the reason', async () => {
    const world = await running();
    const lines = await said(world, install(world, 'opencode', start));
    expect(lines).toEqual(['npm test: ran', expect.stringContaining('id: Telic refuses shell.execute')]);
  });

  it('throws where the gate cannot be started, or says something else', async () => {
    const world = gateWorld({}, 'folder');
    const rubbish = join(world.root, 'rubbish.mjs');
    writeFileSync(rubbish, 'console.log("not json")');
    for (const how of [broken, { ...start, node: '/no/such/node' }, { ...start, entry: rubbish }]) {
      const lines = await said(world, install(world, 'opencode', how));
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).toMatch(/: Telic refuses this call/);
    }
  });

  it('takes nothing but an allowance for one', async () => {
    const world = gateWorld({}, 'folder');
    const other = join(world.root, 'other.mjs');
    for (const answer of ['null', '{}', '{"permission":"ask"}', '[]', '"allow"']) {
      writeFileSync(other, `console.log(${JSON.stringify(answer)})`);
      const lines = await said(world, install(world, 'opencode', { ...start, entry: other }));
      for (const line of lines) expect(line).toMatch(/: Telic refuses this call/);
    }
    expect(readFileSync(other, 'utf8')).toContain('allow');
  });
});
