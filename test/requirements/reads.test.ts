import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canonicalJson } from '../../schemas/canonical.ts';
import { checkBody } from '../../schemas/issues.ts';
import { openController } from '../../src/controller/openController.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { prepareStatements } from '../../src/ledger/sqlite/statements.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import {
  analysis,
  analysisArguments,
  authorFor,
  drive,
  driveUpTo,
  must,
  sample,
  serve,
  sha256,
  tokenOf,
} from './bed.ts';

/** The tools that read, over a server process. */

const start = 'telic_start_run';
const List = z.object({ runs: z.array(z.record(z.string(), z.unknown())) });
const Trace = z.object({
  events: z.array(z.looseObject({ sequence: z.number(), eventType: z.string() })),
  hasMore: z.boolean(),
});
const Page = z.object({ artifacts: z.array(z.looseObject({ id: z.string(), type: z.string(), sha256: z.string() })) });
const Stored = z.object({ artifact: z.looseObject({ type: z.string(), body: z.unknown() }) });

describe('the list of runs', () => {
  it('has 20 rows unless told otherwise, 1 to 100, the newest first [API-150] [API-151]', async () => {
    const world = sample();
    const controller = openController(locateStateDirectory(world.env, world.root), world.env, () => {});
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1)
      ids.unshift((await controller.start({ originalRequest: `Request ${count}`, mode: 'plan_only' })).run.runId);
    controller.close();
    const { call } = await serve(world);
    const listed = async (args: object) =>
      List.parse(await must(call, 'telic_list_runs', { ...args })).runs.map(({ runId }) => runId);
    expect(await listed({})).toEqual(ids.slice(0, 20));
    expect(await listed({ limit: 1 })).toEqual(ids.slice(0, 1));
    expect(await listed({ limit: 100 })).toEqual(ids.slice(0, 100));
    for (const limit of [0, 101, -1, 1.5])
      expect(await call('telic_list_runs', { limit })).toMatchObject({ ok: false, kind: 'bad_input' });
  });

  it('tells no request, root, body or evidence, and moves no run [API-152] [API-153]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { runId } = await drive(call, authorFor(world));
    const open = tokenOf(await must(call, start, analysisArguments));
    const answer = await must(call, 'telic_list_runs', { limit: 100 });
    const text = JSON.stringify(answer);
    for (const hidden of [
      analysis.originalRequest,
      world.root,
      'A parser and its notes',
      'Add the sample',
      'artifact://',
    ])
      expect(text).not.toContain(hidden);
    const { runs } = List.parse(answer);
    expect(runs.map((run) => run.runId)).toEqual([open.run_id, runId]);
    for (const run of runs)
      expect(Object.keys(run).sort()).toEqual([
        'createdAt',
        'outcomeHint',
        'phase',
        'requestedMode',
        'resumePhase',
        'runId',
        'schemaVersion',
        'status',
        'topology',
        'updatedAt',
        'version',
      ]);
    expect(tokenOf(await must(call, 'telic_get_run', { run_id: open.run_id }))).toEqual(open);
  });
});

describe('a run that is read', () => {
  it('is the same after a new connection, with the action and the token that go on [API-155] [API-157]', async () => {
    const world = sample();
    const first = await serve(world);
    const run_id = await driveUpTo(first.call, authorFor(world), 'WorkPlan');
    const before = await must(first.call, 'telic_get_run', { run_id });
    await first.close();
    const { call } = await serve(world);
    const after = await must(call, 'telic_get_run', { run_id });
    expect(after).toEqual(before);
    expect(await must(call, 'telic_get_next_action', { run_id })).toMatchObject({ nextAction: before.nextAction });
    await must(call, 'telic_cancel_run', tokenOf(after));
  });

  it('shows metadata and no bodies [API-156]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const run_id = await driveUpTo(call, authorFor(world), 'WorkPlan');
    const answer = await must(call, 'telic_get_run', { run_id });
    const { artifacts } = Page.parse(answer);
    expect(artifacts.length).toBeGreaterThan(5);
    for (const meta of artifacts) expect(meta).not.toHaveProperty('body');
    expect(JSON.stringify(answer)).not.toContain('A parser and its notes');
    expect(JSON.stringify(answer)).not.toContain(analysis.originalRequest);
  });
});

describe('an artifact that is read', () => {
  it('is the body that its stored digest is of [API-018] [API-160]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { runId: run_id } = await drive(call, authorFor(world));
    for (const { id, sha256: digest } of Page.parse(await must(call, 'telic_get_run', { run_id, limit: 500 }))
      .artifacts) {
      const { artifact } = Stored.parse(await must(call, 'telic_get_artifact', { run_id, artifact_id: id }));
      expect(sha256(canonicalJson(artifact.body))).toBe(digest);
    }
  });

  it('is refused when its body is no longer what was stored [API-019] [API-160] [API-180]', async () => {
    const world = sample();
    const server = await serve(world);
    const { run_id } = tokenOf(await must(server.call, start, analysisArguments));
    await server.close();
    const { database } = locateStateDirectory(world.env, world.root);
    const db = new Sqlite(database);
    db.exec('DROP TRIGGER bodies_stay');
    const { changes } = db.prepare(`UPDATE bodies SET body = replace(body, 'the parser', 'a parser')`).run();
    db.close();
    expect(changes).toBeGreaterThan(0);
    const { call } = await serve(world);
    const [message] = openedMeta(world, run_id);
    const answer = await call('telic_get_artifact', { run_id, artifact_id: message?.id });
    expect(answer).toMatchObject({ ok: false, code: 'integrity_failed', kind: 'corrupt' });
    expect(JSON.stringify(answer)).not.toContain('a parser');
    expect(await must(call, 'telic_replay_run', { run_id })).toMatchObject({
      report: { steps: expect.arrayContaining([expect.objectContaining({ digestStatus: 'mismatch' })]) },
    });
  });

  it('belongs to its run: another run does not reach it [API-016] [API-161]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const first = tokenOf(await must(call, start, analysisArguments));
    const second = tokenOf(await must(call, start, analysisArguments));
    const [message] = Page.parse(await must(call, 'telic_get_run', { run_id: first.run_id })).artifacts;
    for (const artifact_id of [message?.id, first.run_id])
      expect(await call('telic_get_artifact', { run_id: second.run_id, artifact_id })).toMatchObject({
        ok: false,
        code: 'artifact_not_found',
      });
  });
});

/** Metadata as the ledger has it, for a run that the server can no longer load. */
const openedMeta = (world: ReturnType<typeof sample>, runId: string) => {
  const ledger = openLedger(locateStateDirectory(world.env, world.root));
  try {
    return ledger.artifactMeta(runId, 0, 10);
  } finally {
    ledger.close();
  }
};

describe('a page of the trace', () => {
  it('begins at 0 with 100 events, takes 1 to 500, and holds canonical events alone [API-165] [API-166] [API-167] [API-205] [API-242]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const token = tokenOf(await must(call, start, analysisArguments));
    for (let count = 0; count < 120; count += 1)
      await must(call, 'telic_check_tool_action', {
        ...token,
        capability: 'repository.read',
        target: `src/f${count}.ts`,
      });
    const { run_id } = token;
    const page = async (args: object) => Trace.parse(await must(call, 'telic_get_trace', { run_id, ...args }));
    const first = await page({});
    expect(first.events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(first.hasMore).toBe(true);
    const rest = await page({ after_sequence: 100, limit: 500 });
    expect(rest.hasMore).toBe(false);
    expect(rest.events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 22 }, (_, index) => index + 101));
    for (const event of [...first.events, ...rest.events])
      expect(checkBody('TraceEvent', event)).toMatchObject({ ok: true });
    expect((await page({ limit: 1 })).events).toHaveLength(1);
    for (const limit of [0, 501]) expect(await call('telic_get_trace', { run_id, limit })).toMatchObject({ ok: false });
  });

  it('is cut by SQLite along its key, not after reading the whole [API-170] [API-242]', async () => {
    const world = sample();
    const server = await serve(world);
    const { run_id } = tokenOf(await must(server.call, start, analysisArguments));
    await server.close();
    const { database } = locateStateDirectory(world.env, world.root);
    const db = new Sqlite(database);
    const sql = prepareStatements(db).trace.source;
    expect(sql).toMatch(/ LIMIT \?$/);
    const plan = z
      .array(z.object({ detail: z.string() }))
      .parse(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(run_id, 0, 1));
    db.close();
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH trace USING INDEX .*\(run_id=\? AND sequence>\?\)$/),
    ]);
  });

  it('of a whole run keeps rationale to summaries and shows no hidden thought [API-168]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { runId: run_id } = await drive(call, authorFor(world));
    const { events } = Trace.parse(await must(call, 'telic_get_trace', { run_id, limit: 500 }));
    for (const event of events) {
      expect(Object.keys(event).sort()).toEqual([
        'actor',
        'budgetSnapshot',
        'eventType',
        'id',
        'inputRefs',
        'outputRefs',
        'permissionDecision',
        'phase',
        'rationaleSummary',
        'redactions',
        'runId',
        'schemaVersion',
        'sequence',
        'timestamp',
        'tool',
      ]);
      expect(String(event.rationaleSummary).length).toBeLessThanOrEqual(4096);
    }
  });
});

describe('a check of a tool action', () => {
  it('decides by the envelope, takes the name of the hooks, and leaves one event each time [API-175] [API-176]', async () => {
    const { call } = await serve(sample());
    const token = tokenOf(await must(call, start, analysisArguments));
    const { run_id } = token;
    const ask = (capability: string, target?: string) =>
      must(call, 'telic_check_tool_action', { ...token, capability, ...(target !== undefined && { target }) });
    expect(await ask('repository.read', 'README.md')).toMatchObject({ decision: { allowed: true } });
    expect(await ask('repository.write', 'README.md')).toMatchObject({ decision: { allowed: false } });
    expect(await ask('shell.exec', 'npm test')).toMatchObject({ decision: { allowed: false } });
    expect(await ask('network.read')).toMatchObject({ decision: { allowed: false } });
    const { events } = Trace.parse(await must(call, 'telic_get_trace', { run_id }));
    const decisions = events.filter(({ eventType }) => eventType === 'broker_decision');
    expect(decisions.map(({ permissionDecision }) => permissionDecision)).toEqual([
      expect.objectContaining({ decision: 'allow', capability: 'repository.read' }),
      expect.objectContaining({ decision: 'deny', capability: 'repository.write' }),
      expect.objectContaining({ decision: 'deny', capability: 'shell.execute' }),
      expect.objectContaining({ decision: 'deny', capability: 'network.read' }),
    ]);
    expect(tokenOf(await must(call, 'telic_get_run', { run_id }))).toEqual(token);
    const stale = { ...token, expected_run_version: 9 };
    expect(await call('telic_check_tool_action', { ...stale, capability: 'repository.read' })).toMatchObject({
      ok: false,
      kind: 'stale',
    });
  });
});

describe('a replay', () => {
  const Report = z.object({
    report: z.looseObject({
      steps: z.array(z.looseObject({ sequence: z.number(), artifactRef: z.string(), digestStatus: z.string() })),
      traceHighlights: z.array(z.string()),
    }),
  });

  it('tells every artifact in the order of the trace with its digest, no body, and writes nothing [API-180] [API-182]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { runId: run_id } = await drive(call, authorFor(world));
    const before = JSON.stringify(await must(call, 'telic_get_trace', { run_id, limit: 500 }));
    const answer = await must(call, 'telic_replay_run', { run_id });
    const { steps } = Report.parse(answer).report;
    const { artifacts } = Page.parse(await must(call, 'telic_get_run', { run_id, limit: 500 }));
    expect(steps.map(({ artifactRef }) => artifactRef).sort()).toEqual(
      artifacts.map(({ id }) => `artifact://${run_id}/${id}`).sort(),
    );
    expect(steps.map(({ sequence }) => sequence)).toEqual(
      steps.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    );
    expect(new Set(steps.map(({ digestStatus }) => digestStatus))).toEqual(new Set(['ok']));
    expect(JSON.stringify(answer)).not.toContain('A parser and its notes');
    expect(JSON.stringify(answer)).not.toContain(analysis.originalRequest);
    expect(JSON.stringify(await must(call, 'telic_get_trace', { run_id, limit: 500 }))).toBe(before);
  });

  it('highlights an escalation and denied checks [API-181]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const start = { ...analysis, mode: 'report_only', originalRequest: 'Say hello.' } as const;
    const { runId } = await drive(call, authorFor(world, { quality: ['partial'] }), start);
    const { report } = Report.parse(await must(call, 'telic_replay_run', { run_id: runId }));
    expect(report).toMatchObject({ topology: 'standard' });
    expect(report.traceHighlights).toHaveLength(1);
    expect(report.steps.filter((step) => 'escalationReason' in step)).toHaveLength(1);
    const other = tokenOf(await must(call, 'telic_start_run', analysisArguments));
    await must(call, 'telic_check_tool_action', { ...other, capability: 'repository.write', target: 'README.md' });
    const denied = Report.parse(await must(call, 'telic_replay_run', { run_id: other.run_id }));
    expect(denied.report.traceHighlights).toHaveLength(1);
  });

  it('of a micro run says that it is degraded, and claims no steps [API-183]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { runId } = await drive(call, authorFor(world), { mode: 'report_only', originalRequest: 'Say hello.' });
    expect(await must(call, 'telic_replay_run', { run_id: runId })).toMatchObject({
      report: { degraded: true, reason: 'micro_topology', steps: [] },
    });
  });
});
