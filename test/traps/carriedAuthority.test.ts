import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appendLine, inspectRepository, scriptedAuthor } from '../../src/sdk/index.ts';
import { drive, must, sample, serve } from '../requirements/bed.ts';

const Decision = z.looseObject({ decision: z.looseObject({ allowed: z.boolean(), phaseAllowed: z.boolean() }) });

const start = {
  originalRequest: 'Mend the greeting in src/greet.js and see that it holds.',
  mode: 'fix_only',
  hostCapabilities: ['repository.read', 'repository.write', 'shell.inspect'],
  authorizationGranted: ['repository.read', 'repository.write', 'shell.inspect'],
  topologyOverride: 'forensic',
} as const;

describe('authority that a plan or a run had (T29)', () => {
  it('is gone between the end of plan A and the acceptance of plan B, and in a new run', async () => {
    const world = sample();
    const { call } = await serve(world);
    const look = inspectRepository(world.root, { PATH: process.env.PATH });
    const base = scriptedAuthor(
      look,
      { quality: ['remediate'] },
      appendLine(world.root, 'README.md', 'One line more.'),
    );
    /** Whether a write is allowed by the action, told at each phase artifact that the author is asked for. */
    const seen: [string, boolean][] = [];
    const looking: typeof base = Object.fromEntries(
      Object.entries(base).map(([type, write]) => [
        type,
        typeof write === 'function' && type !== 'beforeGrounding'
          ? async (work: Parameters<typeof write>[0]) => {
              const answer = await must(call, 'telic_check_tool_action', {
                run_id: work.run.runId,
                action_id: work.action.id,
                expected_run_version: work.run.version,
                capability: 'repository.write',
                target: 'README.md',
              });
              seen.push([work.action.phase, Decision.parse(answer).decision.phaseAllowed]);
              return write(work);
            }
          : write,
      ]),
    );
    const { terminal, runId } = await drive(call, looking, start);
    expect(terminal.status).toBe('completed');
    const plans = seen.filter(([phase]) => phase === 'agent_3_plan');
    expect(plans).toEqual([
      ['agent_3_plan', false],
      ['agent_3_plan', false],
    ]);
    // It was really there, under both plans, and nowhere else.
    expect(new Set(seen.filter(([, allowed]) => allowed).map(([phase]) => phase))).toEqual(
      new Set(['agent_4_execute']),
    );
    expect(seen.filter(([phase, allowed]) => phase === 'agent_4_execute' && allowed).length).toBeGreaterThan(1);

    const next = await must(call, 'telic_start_run', {
      original_request: 'Say what changed.',
      mode: 'analyze_only',
      prior_run_id: runId,
      host_capabilities: start.hostCapabilities,
    });
    const { run, nextAction } = z
      .looseObject({
        run: z.looseObject({ runId: z.string(), version: z.number() }),
        nextAction: z.looseObject({ id: z.string() }),
      })
      .parse(next);
    const check = await must(call, 'telic_check_tool_action', {
      run_id: run.runId,
      action_id: nextAction.id,
      expected_run_version: run.version,
      capability: 'repository.write',
      target: 'README.md',
    });
    expect(Decision.parse(check).decision).toMatchObject({ allowed: false, phaseAllowed: false });
  });
});
