import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { telic } from '../cli/console.ts';
import { analysisArguments, authorFor, drive, must, sample, serve, tokenOf } from './bed.ts';

/** The executable beside a server, on the same state. */

describe('the commands that read', () => {
  it.each(['status', 'trace', 'artifact'])(
    '%s opens the ledger that is there and makes none [API-211] [API-219]',
    async (command) => {
      const world = sample();
      const options = { env: world.env, cwd: world.root };
      const args = (run: string) => [command, run, ...(command === 'artifact' ? [run] : []), '--json'];
      const none = await telic(args('3f0e7c7e-7a3c-4a5b-9a63-0d7f6d8a1c01'), options);
      expect(none).toMatchObject({ exit: 1, out: '' });
      expect(existsSync(world.env.TELIC_STATE_DIR ?? '')).toBe(false);
      const { call } = await serve(world);
      const { run_id } = tokenOf(await must(call, 'telic_start_run', analysisArguments));
      const before = await must(call, 'telic_list_runs', {});
      const said = await telic(args(run_id), options);
      expect(said).toMatchObject({ exit: 0, err: '' });
      expect(said.out).toContain(run_id);
      expect(await must(call, 'telic_list_runs', {})).toEqual(before);
    },
  );

  it('trace shows the projection of the ledger, not that of the wire [API-169]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { runId } = await drive(call, authorFor(world));
    const said = await telic(['trace', runId, '--json'], { env: world.env, cwd: world.root });
    const { events } = z
      .object({
        events: z.array(z.looseObject({ eventType: z.string(), phase: z.string(), decisionSummary: z.string() })),
      })
      .parse(JSON.parse(said.out));
    expect(events.map(({ eventType }) => eventType)).toContain('context_source_stored');
    expect(events.map(({ phase }) => phase)).toContain('context_grounding');
    for (const event of events) expect(event).not.toHaveProperty('schemaVersion');
  });

  it('replay prints the report of the tool, and makes no ledger [API-214]', async () => {
    const world = sample();
    const options = { env: world.env, cwd: world.root };
    expect(await telic(['replay', '3f0e7c7e-7a3c-4a5b-9a63-0d7f6d8a1c01', '--json'], options)).toMatchObject({
      exit: 1,
      out: '',
    });
    expect(existsSync(world.env.TELIC_STATE_DIR ?? '')).toBe(false);
    const { call } = await serve(world);
    const { runId } = await drive(call, authorFor(world));
    const { report } = await must(call, 'telic_replay_run', { run_id: runId });
    const said = await telic(['replay', runId, '--json'], options);
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(said.out)).toEqual(report);
  });
});
