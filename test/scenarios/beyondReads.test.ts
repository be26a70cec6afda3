import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clarification, fresh, type Live } from '../conformance/scenarios/lib/build.mjs';
import type { Answer } from '../conformance/scenarios/lib/client.mjs';
import { accepted, at, eventsOf, payloadOf, sharedWorld } from './bench.ts';

/** Pages, checks and starts at their edges, beyond the black-box scenarios. */

const world = sharedWorld();
type Args = Readonly<Record<string, unknown>>;
const call = (tool: string, args: Args): Promise<Answer> => world.client.call(`telic_${tool}`, args);
const inPhase = (profile: Parameters<typeof fresh>[1], phase?: string): Promise<Live> =>
  fresh(world.client, profile, phase);

describe('pages', () => {
  const Page = z.looseObject({
    artifacts: z.array(z.looseObject({ id: z.string() })),
    artifactCount: z.number(),
    nextAfterIndex: z.number().nullable(),
  });
  const Piece = z.looseObject({ artifact: z.looseObject({ text: z.string(), offset: z.number(), total: z.number() }) });

  it('of artifacts, of a body and of the trace join without gap or overlap and end exactly', async () => {
    const run = await inPhase('analyze', 'terminal');
    const page = async (args: Args) => Page.parse(accepted(await call('get_run', { run_id: run.runId, ...args })));
    const whole = await page({});
    const ids: string[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const { artifacts, nextAfterIndex }: z.infer<typeof Page> = await page({ limit: '3', after_index: after });
      ids.push(...artifacts.map(({ id }) => id));
      after = nextAfterIndex;
    }
    expect(ids).toEqual(whole.artifacts.map(({ id }) => id));
    expect(await page({ limit: whole.artifactCount })).toMatchObject({ nextAfterIndex: null });
    expect(await page({ after_index: 9999 })).toMatchObject({ artifacts: [], nextAfterIndex: null });

    const id = run.last('TaskContract').id;
    const piece = async (args: Args) =>
      Piece.parse(accepted(await call('get_artifact', { run_id: run.runId, artifact_id: id, ...args }))).artifact;
    const { text, total } = await piece({ offset: 0 });
    let joined = '';
    while (joined.length < total) joined += (await piece({ offset: joined.length, limit: 97 })).text;
    expect(joined).toBe(text);
    expect(JSON.parse(joined)).toEqual(run.last('TaskContract').body);
    expect(await piece({ offset: total + 5 })).toMatchObject({ text: '', total });

    const events = await eventsOf(run);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    const exact = { run_id: run.runId, limit: events.length };
    expect(accepted(await call('get_trace', exact))).toMatchObject({ hasMore: false, nextAfterSequence: null });
    const end = { run_id: run.runId, after_sequence: String(events.length) };
    expect(accepted(await call('get_trace', end))).toMatchObject({ events: [], hasMore: false });
  });
});

describe('a check of a tool action', () => {
  const Decision = z.looseObject({
    decision: z.looseObject({ allowed: z.boolean(), phaseAllowed: z.boolean(), detailCode: z.string() }),
  });
  const check = async (run: Live, capability: string, target?: string | null) => {
    const args = { ...run.tok(), capability, ...(target !== undefined && { target }) };
    return Decision.parse(accepted(await call('check_tool_action', args))).decision;
  };

  it('permits nothing while the run waits or after it has ended, and is recorded all the same', async () => {
    const run = await inPhase('fix', 'agent_4_execute');
    expect(await check(run, 'repository.write', 'src/app.ts')).toMatchObject({ allowed: true, phaseAllowed: true });
    accepted(await run.clarify(clarification(run)));
    const nothing = { allowed: false, phaseAllowed: false, detailCode: 'run_not_running' };
    expect(await check(run, 'repository.read', 'src/app.ts')).toMatchObject(nothing);
    run.adopt(accepted(await call('cancel_run', run.tok())));
    expect(await check(run, 'repository.read', 'src/app.ts')).toMatchObject(nothing);
    expect(at(await eventsOf(run), -1)).toMatchObject({ eventType: 'broker_decision', actor: 'host' });
  });

  it('tells the authority of the run from that of the current action', async () => {
    const run = await inPhase('anf', 'agent_4_execute');
    expect(await check(run, 'repository.write', 'src/app.ts')).toMatchObject({ allowed: true, phaseAllowed: false });
    const planning = await inPhase('fix', 'agent_3_plan');
    expect(await check(planning, 'repository.read', 'src/app.ts')).toMatchObject({
      allowed: true,
      phaseAllowed: false,
    });
  });

  it.each([
    ['repository.read', undefined, 'target_required'],
    ['repository.read', null, 'target_required'],
    ['repository.read', '%2e%2e/x', 'target_malformed'],
    ['repository.read', '/etc/passwd', 'path_escape'],
    ['repository.read', '..notes', 'ok'],
    ['repository.write', '.git/config', 'protected_path'],
    ['repository.write', '.', 'repository_root'],
    ['shell.exec', 'npm test', 'ok'],
    ['shell.execute', 'npm  test', 'command_not_listed'],
    ['shell.execute', 'npm test ', 'command_whitespace'],
    ['network.read', 'https://example.com/', 'mode_ceiling'],
    ['REPOSITORY.READ', 'src/app.ts', 'unknown_capability'],
    ['runtime.mutate', 'local', 'unknown_capability'],
  ])('of %s on %s finds %s and is recorded', async (capability, target, detailCode) => {
    const run = await inPhase('fix');
    expect(await check(run, capability, target)).toMatchObject({ detailCode });
    const recorded = capability === 'shell.exec' ? 'shell.execute' : capability;
    expect(at(await eventsOf(run), -1)).toMatchObject({ permissionDecision: { capability: recorded } });
  });
});

describe('the topology of a start', () => {
  const report_only = { mode: 'report_only' } as const;
  const both = ['repository.read', 'repository.write'];
  const fix_only = { mode: 'fix_only', host_capabilities: both, authorization_granted: both } as const;

  it.each([
    ['micro', { ...report_only, original_request: 'a'.repeat(200) }],
    ['standard', { ...report_only, original_request: 'a'.repeat(201) }],
    ['micro', { ...report_only, original_request: `  ${'a'.repeat(200)}\n\n\n\n\n\n` }],
    ['standard', { ...report_only, original_request: 'a\nb\nc\nd\ne\nf' }],
    ['standard', { ...report_only, original_request: 'a'.repeat(512) }],
    ['forensic', { ...report_only, original_request: 'a'.repeat(513) }],
    ['forensic', { ...report_only, original_request: Array(13).fill('a').join('\n') }],
    ['forensic', { ...report_only, original_request: 'Explain the ARCHITECTURE.' }],
    ['micro', { ...report_only, original_request: 'Explain the architectures.' }],
    ['forensic', { ...fix_only, original_request: 'Correct src/app.ts and src/util.ts.' }],
    ['micro', { ...fix_only, original_request: 'Correct src/app.ts; yes, src/app.ts.', topology_override: 'micro' }],
    ['forensic', { ...fix_only, original_request: 'Correct src/app.ts.', authorization_denied: ['repository.write'] }],
    ['ADM-START-13', { mode: 'plan_only', original_request: 'Plan it.', topology_override: 'micro' }],
    ['ADM-START-14', { mode: 'analyze_and_fix', original_request: 'Do it.', topology_override: 'standard' }],
  ])('is %s for %j', async (topology, args) => {
    const payload = payloadOf(await call('start_run', args));
    const { data } = z.looseObject({ run: z.looseObject({ topology: z.string() }) }).safeParse(payload);
    expect(data?.run.topology ?? payload.rule).toBe(topology);
  });
});
