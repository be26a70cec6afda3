import { z } from 'zod';
import type { Alternative, Variant } from '../../schemas/brief.ts';
import { bodyByRule } from '../brief/fill.ts';
import { type RawServer, startServer } from '../mcp/rawServer.ts';

/**
 * A host whose server is killed while it works: it starts, grounds, submits and cancels runs, and remembers what it was
 * told, so that the next server can be asked for exactly that.
 */

const Run = z.looseObject({ runId: z.string(), version: z.number(), status: z.string() });

const Draft = z.record(z.string(), z.unknown());
const Moved = z.looseObject({
  ok: z.literal(true),
  run: Run,
  nextAction: z.looseObject({
    id: z.string(),
    kind: z.string(),
    requiredOutputType: z.string().optional(),
    brief: z
      .looseObject({
        draft: Draft.nullable(),
        blanks: z.array(z.custom<Alternative['blanks'][number]>()),
        variants: z.array(z.custom<Variant>()),
        sourceRefs: z.array(z.string()),
        sources: z.array(z.looseObject({ ref: z.string() })),
      })
      .optional(),
  }),
});
type Moved = z.infer<typeof Moved>;

/** What was acknowledged of a run, and what was asked for and not answered any more. */
export interface Told {
  /** The last answer; null when not even the start was answered. */
  readonly last: Moved | null;
  /** A call was on its way when the server died. */
  readonly pending: boolean;
}

/** Modes that change nothing outside: every step of theirs is the server's own. */
const modes = ['plan_only', 'report_only'] as const;

const tokenOf = ({ run, nextAction }: Moved) => ({
  run_id: run.runId,
  action_id: nextAction.id,
  expected_run_version: run.version,
});

const submissionOf = (moved: Moved): Readonly<[string, Record<string, unknown>]> => {
  const { nextAction } = moved;
  const { brief, requiredOutputType } = nextAction;
  if (requiredOutputType === 'ContextManifest') return ['telic_ground_context', tokenOf(moved)];
  if (!brief?.draft) throw new Error(`There is no draft of ${requiredOutputType}.`);
  const draft: Alternative = { type: '', when: '', draft: brief.draft, blanks: brief.blanks };
  const sources = brief.sources.map(({ ref }) => ref);
  return [
    'telic_submit_artifact',
    {
      ...tokenOf(moved),
      artifact_type: requiredOutputType,
      body: bodyByRule(draft, brief.variants[0], sources),
      source_refs: brief.sourceRefs,
    },
  ];
};

/** The next call of a host that goes on with one of its runs, begins another, or gives one up. */
const nextCall = (runs: ReadonlyMap<string, Told>, random: () => number) => {
  const open = [...runs.values()].flatMap(({ last }) => (last?.run.status === 'running' ? [last] : []));
  const at = open[Math.floor(random() * open.length)];
  if (!at || random() < 0.15 || open.length < 2) {
    const mode = modes[random() < 0.7 ? 0 : 1];
    return { of: null, tool: 'telic_start_run', args: { original_request: 'Say what src/app.ts exports.', mode } };
  }
  if (random() < 0.08) return { of: at.run.runId, tool: 'telic_cancel_run', args: tokenOf(at) };
  const [tool, args] = submissionOf(at);
  return { of: at.run.runId, tool, args };
};

/** How often each tool was on its way when the server died. */
export type Struck = Map<string, number>;

/** When a server dies: so long after it began to work, or after it was sent a call of a tool. */
export interface Kill {
  readonly milliseconds: number;
  readonly tool?: string;
}

export interface KilledHost {
  /** Starts a server, compares what it has with what was told, and works until it is killed. */
  round(kill: Kill): Promise<void>;
  readonly runs: ReadonlyMap<string, Told>;
  readonly struck: Struck;
}

/** @param random decides what the host does; the moment of the kill is the caller's. */
export const killedHost = (root: string, state: string, random: () => number): KilledHost => {
  const runs = new Map<string, Told>();
  const struck: Struck = new Map();
  /** Whether the start of a run was on its way, so that one may be there that nobody knows. */
  let startPending = false;

  const reconcile = async (server: RawServer): Promise<void> => {
    if (startPending) {
      const list = z.looseObject({ runs: z.array(Run) }).parse(await server.call('telic_list_runs', { limit: 100 }));
      const unknown = list.runs.filter(({ runId }) => !runs.has(runId));
      if (unknown.length > 1) throw new Error(`One start was pending, ${unknown.length} runs are new.`);
      for (const { runId } of unknown) runs.set(runId, { last: null, pending: true });
      startPending = false;
    }
    for (const [runId, { last, pending }] of runs) {
      if (last && !pending && last.run.status !== 'running') continue;
      const found = Moved.parse(await server.call('telic_get_run', { run_id: runId, limit: 1 }));
      const version = last?.run.version ?? 1;
      const possible = pending && last ? [version, version + 1] : [version];
      if (!possible.includes(found.run.version))
        throw new Error(`Run ${runId} was told at version ${version} and is at ${found.run.version}.`);
      runs.set(runId, { last: found, pending: false });
    }
  };

  const work = async (server: RawServer, sent: (tool: string) => void): Promise<void> => {
    for (;;) {
      const { of, tool, args } = nextCall(runs, random);
      const before = of === null ? undefined : runs.get(of);
      if (of === null) startPending = true;
      else runs.set(of, { last: before?.last ?? null, pending: true });
      let answer: Record<string, unknown>;
      try {
        const called = server.call(tool, args);
        sent(tool);
        answer = await called;
      } catch (error) {
        struck.set(tool, (struck.get(tool) ?? 0) + 1);
        throw error;
      }
      const moved = Moved.parse(answer);
      runs.set(moved.run.runId, { last: moved, pending: false });
      if (of === null) startPending = false;
    }
  };

  return {
    runs,
    struck,
    round: async ({ milliseconds, tool: struckTool }) => {
      const server = startServer({ root, state });
      await server.initialize();
      await reconcile(server);
      let timer: NodeJS.Timeout | undefined;
      const kill = (): void => {
        timer ??= setTimeout(() => server.child.kill('SIGKILL'), milliseconds);
      };
      if (struckTool === undefined) kill();
      try {
        await work(server, (tool) => {
          if (tool === struckTool) kill();
        });
      } catch (error) {
        // Only the kill ends the work; a refusal or a wrong answer is a failure.
        if (!(error instanceof Error && error.message.startsWith('The server has ended'))) throw error;
        const { signal } = await server.exit;
        if (signal !== 'SIGKILL') throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
};
