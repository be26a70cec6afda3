import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type HookPlace, installHook } from '../../src/gate/hooks/hooks.ts';
import { hookFile } from '../../src/gate/hooks/places.ts';
import { type GateHost, gateHosts } from '../../src/gate/hosts.ts';
import { cli, telic } from '../cli/console.ts';
import { sampleFiles, type World } from '../sdk/world.ts';
import { bundlePath } from '../support/bundle.ts';
import { gateWorld, serverOf } from './bed.ts';

const Hook = z.object({
  ok: z.boolean(),
  hint: z.string().nullable(),
  host: z.string(),
  scope: z.string(),
  strict: z.boolean().nullable(),
  probe: z.object({ refuses: z.boolean(), milliseconds: z.number() }).nullable(),
  lastCall: z.string().nullable(),
});
const Output = z.object({
  checks: z.object({
    gate: z.object({ ok: z.boolean(), hint: z.string().nullable(), hooks: z.array(Hook) }),
  }),
});

const installed = { node: process.execPath, entry: bundlePath, strict: true };

const homed = (): World => {
  const world = gateWorld(sampleFiles, 'folder');
  const home = join(dirname(world.root), 'home');
  mkdirSync(home);
  return { root: world.root, env: { ...world.env, HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
};

const placeIn = ({ root, env }: World, host: GateHost, scope: HookPlace['scope'] = 'project'): HookPlace => ({
  host,
  scope,
  root,
  env,
});

const doctor = async ({ root, env }: World) => {
  const said = await telic(['doctor', '--repo', root, '--json'], { cwd: root, env });
  expect(said).toMatchObject({ exit: 0, err: '' });
  return Output.parse(JSON.parse(said.out)).checks.gate;
};

describe('the doctor of the gate', () => {
  it('finds nothing amiss where no host has a hook', async () => {
    expect(await doctor(homed())).toEqual({ ok: true, hint: null, hooks: [] });
  });

  it.each(gateHosts)('feeds the gate of %s a probe and sees it refused', async (host) => {
    const world = homed();
    const { file } = installHook(placeIn(world, host), installed);
    if (host === 'codex') {
      const folder = join(world.env.HOME ?? '', '.codex');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'config.toml'),
        `[hooks.state]\n\n[hooks.state."${file}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n`,
      );
    }
    expect(await doctor(world)).toEqual({
      ok: true,
      hint: null,
      hooks: [
        {
          ok: true,
          hint: null,
          host,
          scope: 'project',
          strict: true,
          probe: { refuses: true, milliseconds: expect.any(Number) },
          lastCall: null,
        },
      ],
    });
  });

  it.each<[string, GateHost, (world: World, file: string) => World | undefined, string]>([
    [
      'a hook that Codex has not been told to trust',
      'codex',
      ({ env }) => {
        const folder = join(env.HOME ?? '', '.codex');
        mkdirSync(folder);
        writeFileSync(join(folder, 'config.toml'), '[hooks.state."/other:pre_tool_use:0:0"]\ntrusted_hash = "x"\n');
        return undefined;
      },
      'trust this one',
    ],
    [
      'a folder that Gemini does not trust',
      'gemini',
      ({ root, env: { GEMINI_CLI_TRUST_WORKSPACE: _, ...env } }) => ({ root, env }),
      'does not trust',
    ],
    [
      'a plugin that does not load',
      'opencode',
      (_, file) => {
        writeFileSync(file, `${readFileSync(file, 'utf8')}\n}`);
        return undefined;
      },
      'was changed',
    ],
    [
      'a script that is not executable',
      'cline',
      (_, file) => {
        chmodSync(file, 0o644);
        return undefined;
      },
      'not executable',
    ],
    [
      'hooks that are switched off',
      'claude',
      ({ env }) => {
        mkdirSync(join(env.HOME ?? '', '.claude'));
        writeFileSync(join(env.HOME ?? '', '.claude', 'settings.json'), '{"disableAllHooks": true}');
        return undefined;
      },
      'disableAllHooks',
    ],
    [
      'settings that cannot be parsed',
      'qwen',
      (_, file) => {
        writeFileSync(file, '{');
        return undefined;
      },
      'cannot be used',
    ],
    [
      'strictness that is cancelled',
      'cursor',
      ({ root, env }) => ({ root, env: { ...env, TELIC_BROKER_PERMISSIVE: '1' } }),
      'TELIC_BROKER_PERMISSIVE',
    ],
  ])('names %s', async (_what, host, change, hint) => {
    const world = homed();
    const { file } = installHook(placeIn(world, host), installed);
    const gate = await doctor(change(world, file) ?? world);
    expect(gate).toMatchObject({ ok: false, hint: expect.stringContaining(hint) });
    expect(gate.hooks.map((hook) => hook.host)).toEqual([host]);
  });

  it('takes a folder that Gemini was told to trust, by itself or with the one above it', async () => {
    const {
      root,
      env: { GEMINI_CLI_TRUST_WORKSPACE: _, ...env },
    } = homed();
    installHook(placeIn({ root, env }, 'gemini'), installed);
    const folder = join(env.HOME ?? '', '.gemini');
    mkdirSync(folder);
    const trust = (paths: object): void => writeFileSync(join(folder, 'trustedFolders.json'), JSON.stringify(paths));
    for (const [paths, ok] of [
      [{ [root]: 'TRUST_FOLDER' }, true],
      [{ [dirname(root)]: 'TRUST_FOLDER' }, true],
      [{ [join(dirname(root), 'other')]: 'TRUST_PARENT' }, true],
      [{ [root]: 'DO_NOT_TRUST' }, false],
      [{ [`${root}-other`]: 'TRUST_FOLDER', [join(root, 'src')]: 'TRUST_FOLDER' }, false],
    ] as const) {
      trust(paths);
      expect((await doctor({ root, env })).ok).toBe(ok);
    }
  });

  it.each([
    ['Node is gone', { node: '/no/such/node' }, 'cannot be run'],
    ['another program is started', { node: '/bin/sh' }, 'another program'],
    ['another installation is started', { entry: '/opt/other/telic.js' }, 'another installation'],
  ])('starts nothing where %s', async (_what, over, hint) => {
    const world = homed();
    installHook(placeIn(world, 'claude'), { ...installed, ...over });
    expect(await doctor(world)).toMatchObject({
      ok: false,
      hint: expect.stringContaining(hint),
      hooks: [{ probe: null }],
    });
  });

  it('runs no program that a file of the repository names', async () => {
    const world = homed();
    const mark = join(dirname(world.root), 'ran');
    const evil = join(world.root, 'evil');
    writeFileSync(evil, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    const file = hookFile('claude', 'project', world.root, world.env);
    mkdirSync(dirname(file));
    for (const command of [
      `'${evil}' broker-gate`,
      `'${evil}' '${bundlePath}' broker-gate`,
      `'${process.execPath}' '${evil}' broker-gate`,
      `touch '${mark}'; broker-gate`,
    ]) {
      writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }));
      await doctor(world);
      expect(() => readFileSync(mark)).toThrow(/ENOENT/);
    }
  });

  it('tells when a host asked last, and that none has while a run is active', async () => {
    const world = homed();
    installHook(placeIn(world, 'claude'), installed);
    const server = serverOf(world);
    await server.start({ originalRequest: 'Look.', mode: 'plan_only' });
    expect(await doctor(world)).toMatchObject({ ok: false, hint: expect.stringContaining('no host has asked') });
    await telic(['broker-gate', '--host', 'claude'], {
      cwd: world.root,
      env: world.env,
      input: '{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"README.md"}}',
    });
    const gate = await doctor(world);
    expect(gate).toMatchObject({ ok: true, hint: null });
    expect(Date.parse(gate.hooks[0]?.lastCall ?? '')).toBeGreaterThan(0);
  });

  it('looks only at what is there when neither repository nor home is known', async () => {
    const said = await cli(['doctor', '--json'], { cwd: '/', env: { PATH: '/nowhere' } });
    expect(Output.parse(JSON.parse(said.out)).checks.gate).toEqual({ ok: true, hint: null, hooks: [] });
  });
});
