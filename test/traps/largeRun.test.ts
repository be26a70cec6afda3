import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { limits } from '../../schemas/vocabulary.ts';
import { workbench } from '../controller/bench.ts';
import { draftOf, messageOf } from '../ledger/samples.ts';
import { type RawServer, startServer } from '../mcp/rawServer.ts';

const runs = 23;
const piece = 500;

/** A repository whose ledger holds 23 runs, the newest of them as large as a run can be. */
const largeRun = async (): Promise<Readonly<{ root: string; state: string; runId: string }>> => {
  const bench = workbench();
  const { controller, ledger } = bench.open();
  let runId = '';
  for (let run = 0; run < runs; run += 1)
    ({
      run: { runId },
    } = await controller.start({
      originalRequest: 'Say what the answer is.',
      mode: 'analyze_only',
      topologyOverride: 'standard',
    }));
  for (;;) {
    const stored = ledger.run(runId);
    if (!stored) throw new Error('The run is not there.');
    const { context, snapshot, machineVersion, head, artifactCount, traceCount } = stored;
    const artifacts = Math.min(piece, limits.artifacts - artifactCount);
    const events = Math.min(4 * piece, limits.traceEvents - traceCount);
    if (artifacts === 0 && events === 0) return { root: bench.repository, state: bench.state, runId };
    ledger.commit({
      runId,
      expectedHead: head,
      event: { type: 'submit.Evidence', at: context.updatedAt, payload: {} },
      run: { context, snapshot, machineVersion },
      artifacts: Array.from({ length: artifacts }, (_, index) => messageOf(runId, `message-${artifactCount + index}`)),
      trace: Array.from({ length: events }, (_, index) => ({
        ...draftOf('broker_decision', `event ${traceCount + index}`),
        decision: {
          decision: 'deny',
          capability: 'shell.execute',
          scope: 'unknown',
          policyRefs: [],
          rationaleSummary: 'Not granted.',
        },
      })),
    });
  }
};

const Artifacts = z.looseObject({
  artifacts: z.array(z.looseObject({ id: z.string() })),
  artifactCount: z.number(),
  nextAfterIndex: z.number().nullable(),
});
const Trace = z.looseObject({
  events: z.array(z.looseObject({ sequence: z.number() })),
  hasMore: z.boolean(),
  nextAfterSequence: z.number().nullable(),
});
const Runs = z.looseObject({ runs: z.array(z.looseObject({ runId: z.string() })), nextCursor: z.string().optional() });
const Replay = z.object({
  report: z.looseObject({
    steps: z.array(z.looseObject({ artifactRef: z.string() })),
    traceHighlights: z.array(z.string()),
    stepCount: z.number().optional(),
    highlightCount: z.number().optional(),
    nextAfterIndex: z.number().optional(),
  }),
});

const serve = async (name = 'raw'): Promise<Readonly<{ server: RawServer; run_id: string }>> => {
  const { root, state, runId } = await largeRun();
  const server = startServer({ root, state });
  const clientInfo = { name, version: '1' };
  await server.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  server.notify('notifications/initialized');
  return { server, run_id: runId };
};

/** How many rows each page had until the cursor ended, and the rows. */
const walk = async <T>(
  page: (cursor: Readonly<Record<string, unknown>>) => Promise<Readonly<{ rows: readonly T[]; next: object | null }>>,
): Promise<Readonly<{ sizes: readonly number[]; rows: readonly T[] }>> => {
  const sizes: number[] = [];
  const rows: T[] = [];
  let cursor: object | null = {};
  while (cursor !== null) {
    const { rows: more, next }: Awaited<ReturnType<typeof page>> = await page({ ...cursor });
    sizes.push(more.length);
    rows.push(...more);
    cursor = next;
  }
  return { sizes, rows };
};

const artifacts = (server: RawServer, run_id: string, limit?: number) =>
  walk(async (cursor) => {
    const answer = await server.call('telic_get_run', { run_id, ...cursor, ...(limit !== undefined && { limit }) });
    const { artifacts: rows, artifactCount, nextAfterIndex } = Artifacts.parse(answer);
    expect(artifactCount).toBe(2048);
    return { rows, next: nextAfterIndex === null ? null : { after_index: nextAfterIndex } };
  });

const events = (server: RawServer, run_id: string, limit?: number) =>
  walk(async (cursor) => {
    const answer = await server.call('telic_get_trace', { run_id, ...cursor, ...(limit !== undefined && { limit }) });
    const { events: rows, hasMore, nextAfterSequence } = Trace.parse(answer);
    expect(hasMore).toBe(nextAfterSequence !== null);
    return { rows, next: nextAfterSequence === null ? null : { after_sequence: nextAfterSequence } };
  });

const listed = (server: RawServer, limit?: number) =>
  walk(async (cursor) => {
    const answer = await server.call('telic_list_runs', { ...cursor, ...(limit !== undefined && { limit }) });
    const { runs: rows, nextCursor } = Runs.parse(answer);
    return { rows, next: nextCursor === undefined ? null : { cursor: nextCursor } };
  });

const steps = (server: RawServer, run_id: string, limit?: number) =>
  walk(async (cursor) => {
    const answer = await server.call('telic_replay_run', { run_id, ...cursor, ...(limit !== undefined && { limit }) });
    const { steps: rows, stepCount, highlightCount, nextAfterIndex } = Replay.parse(answer).report;
    if (nextAfterIndex === undefined) return { rows, next: null };
    expect(stepCount).toBe(2048);
    expect(highlightCount).toBeGreaterThan(9900);
    return { rows, next: { after_index: nextAfterIndex } };
  });

const pages = (rows: number, page: number): number[] => [
  ...Array.from({ length: Math.floor(rows / page) }, () => page),
  ...(rows % page > 0 ? [rows % page] : []),
];

describe('a run of 2,048 artifacts and 10,000 events (T11)', () => {
  it('is read by default in pages of 20, 100 and 100, which say what follows, and whole by their cursors', async () => {
    const { server, run_id } = await serve();
    const list = await listed(server);
    expect(list.sizes).toEqual([20, 3]);
    expect(new Set(list.rows.map(({ runId }) => runId)).size).toBe(runs);
    expect(list.rows[0]?.runId).toBe(run_id);

    const run = await artifacts(server, run_id);
    expect(run.sizes).toEqual(pages(2048, 100));
    expect(new Set(run.rows.map(({ id }) => id)).size).toBe(2048);

    const trace = await events(server, run_id);
    expect(trace.sizes).toEqual(pages(10_000, 100));
    expect(trace.rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 10_000 }, (_, at) => at + 1));
  });

  it('is read in pages of exactly the limit that a caller names, whatever the host', async () => {
    for (const name of ['raw', 'codex-mcp-client']) {
      const { server, run_id } = await serve(name);
      expect((await artifacts(server, run_id, 500)).sizes).toEqual(pages(2048, 500));
      expect((await events(server, run_id, 500)).sizes).toEqual(pages(10_000, 500));
      expect((await listed(server, 7)).sizes).toEqual([7, 7, 7, 2]);
      expect((await listed(server, 23)).sizes).toEqual([23]);
      expect((await listed(server, 100)).sizes).toEqual([23]);
      for (const [tool, key] of [
        ['telic_get_run', 'artifacts'],
        ['telic_get_trace', 'events'],
      ] as const) {
        const one = await server.call(tool, { run_id, limit: 1 });
        expect(one[key]).toHaveLength(1);
      }
    }
  });

  it('answers every read tool in few characters by default, also where it is only named', async () => {
    const { server, run_id } = await serve();
    const calls = [
      ['telic_list_runs', {}],
      ['telic_get_run', { run_id }],
      ['telic_get_artifact', { run_id, artifact_id: run_id }],
      ['telic_get_trace', { run_id }],
      ['telic_get_next_action', { run_id }],
      ['telic_replay_run', { run_id }],
    ] as const;
    for (const [tool, args] of calls) {
      const answer = await server.call(tool, args);
      expect(answer, tool).toMatchObject({ ok: true });
      expect(JSON.stringify(answer).length, tool).toBeLessThan(120_000);
    }
  });

  it('is shown to a host with little room in shorter pages by default, which lead on as well', async () => {
    const { server, run_id } = await serve('codex-mcp-client');
    for (const tool of ['telic_list_runs', 'telic_get_run', 'telic_get_trace']) {
      const answer = await server.call(tool, tool === 'telic_list_runs' ? {} : { run_id });
      expect(JSON.stringify(answer).length, tool).toBeLessThanOrEqual(11_500);
    }
    const trace = await events(server, run_id);
    expect(trace.rows).toHaveLength(10_000);
  });

  it('is replayed in pages, each artifact once', async () => {
    const { server, run_id } = await serve();
    const { sizes, rows } = await steps(server, run_id, 500);
    expect(sizes.slice(0, 5)).toEqual(pages(2048, 500));
    expect(new Set(rows.map(({ artifactRef }) => artifactRef)).size).toBe(2048);
    const { report } = Replay.parse(await server.call('telic_replay_run', { run_id }));
    expect(report).toMatchObject({ stepCount: 2048, nextAfterIndex: 100 });
    expect(report.steps).toHaveLength(100);
    expect(report.traceHighlights).toHaveLength(100);
  });

  it('is a resource of bounded size, whose pages lead through the whole trace', async () => {
    const { server, run_id } = await serve();
    const read = async (uri: string): Promise<string> => {
      const { result } = await server.request('resources/read', { uri });
      return z.object({ contents: z.tuple([z.looseObject({ text: z.string() })]) }).parse(result).contents[0].text;
    };
    expect(Artifacts.parse(JSON.parse(await read(`run://${run_id}`)))).toMatchObject({ nextAfterIndex: 100 });
    const { rows, sizes } = await walk(async ({ after }) => {
      const query = typeof after === 'number' ? `?after_sequence=${after}` : '';
      const page = Trace.parse(JSON.parse(await read(`trace://${run_id}${query}`)));
      return { rows: page.events, next: page.nextAfterSequence === null ? null : { after: page.nextAfterSequence } };
    });
    expect(sizes).toEqual(pages(10_000, 500));
    expect(rows).toHaveLength(10_000);
  });
});
