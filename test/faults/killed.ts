import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { randomFrom } from '../../src/conformance/random.ts';
import { repository, temporary } from '../mcp/rawServer.ts';
import { bundlePath } from '../support/bundle.ts';
import { type Kill, type KilledHost, killedHost } from './killedHost.ts';

/** What `telic verify` says of a whole ledger. */
const Verified = z.looseObject({ ok: z.boolean(), runs: z.unknown() });

export const verifyAll = (root: string, state: string): z.infer<typeof Verified> => {
  const args = [bundlePath, 'verify', '--repo', root, '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { PATH: process.env.PATH, TELIC_STATE_DIR: state },
  });
  expect(stderr).toBe('');
  return Verified.parse(JSON.parse(stdout));
};

/** What a kill may strike. */
const tools = ['telic_start_run', 'telic_ground_context', 'telic_submit_artifact', 'telic_cancel_run'] as const;

const killAt = (random: () => number): Kill => {
  const tool = tools[Math.floor(random() * tools.length * 2)];
  return tool ? { tool, milliseconds: Math.floor(random() * 8) } : { milliseconds: 1 + Math.floor(random() * 120) };
};

/** Kills servers at random moments, over one ledger; between two kills the host compares what is there with what it was told. */
export const killMany = async (kills: number, seed: number): Promise<KilledHost> => {
  const random = randomFrom(seed);
  const root = repository();
  const state = join(temporary('state'), 'state');
  const host = killedHost(root, state, random);
  for (let kill = 0; kill < kills; kill += 1) await host.round(killAt(random));
  expect(verifyAll(root, state)).toMatchObject({ ok: true });
  return host;
};
