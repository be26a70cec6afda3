import { expect } from 'vitest';
import { type RunView, viewOf } from '../../machines/context.ts';
import { offered } from '../../machines/graph/labels.ts';
import { newSnapshot, type Pair } from '../../machines/graph/runGraph.ts';
import { artifactUri } from '../../machines/record.ts';
import { type RunSnapshot, step } from '../../machines/step.ts';
import { phaseTable } from '../../schemas/vocabulary.ts';
import { type Action, Moved, Refused, Supported } from '../../src/sdk/answers.ts';
import type { Answer, CallTool, Product, StartRequest } from '../../src/sdk/index.ts';
import { readerOf } from '../../src/sdk/runReader.ts';
import { carryOut, standOf } from '../../src/sdk/scriptedAuthor/acts.ts';
import { write } from '../../src/sdk/scriptedAuthor/move.ts';
import type { Forbidden, Path } from './cover.ts';
import type { Host } from './host.ts';
import { choiceFor, moveFor } from './labels.ts';
import { startOf } from './starts.ts';

/** Plays paths of the abstract machine against a server; after each step the run has to be the one of the machine. */

/** What is told of a run beside who it is and when it was. */
type Shown = Omit<RunView, 'runId' | 'repositoryRoot' | 'priorRunId' | 'createdAt' | 'updatedAt'> &
  Readonly<{ action: string; next: string }>;

const shown = (
  { runId: _, repositoryRoot: __, priorRunId: ___, createdAt: ____, updatedAt: _____, ...run }: RunView,
  action: string,
  next: string,
): Shown => ({ ...run, action, next });

/** The published phase; at an end also the status, which says more. */
const published = (action: Action): string =>
  action.kind === 'terminal' ? `${action.phase}, ${action.status}` : action.phase;

const expectedNext = (snapshot: RunSnapshot): string => {
  const { status, phase } = snapshot.context;
  if (status === 'running') return phaseTable[phase].wire;
  if (status === 'awaiting_clarification') return status;
  return `${status}, ${snapshot.matches({ terminal: 'failed_verification' }) ? 'failed_verification' : status}`;
};

const startArguments = ({ originalRequest, mode, hostCapabilities, topologyOverride }: StartRequest) => ({
  original_request: originalRequest,
  mode,
  ...(hostCapabilities && { host_capabilities: hostCapabilities }),
  ...(topologyOverride && { topology_override: topologyOverride }),
});

const insisting =
  (call: CallTool): CallTool =>
  async (tool, args) => {
    const answer = await call(tool, args);
    if (answer.ok !== true) throw new Error(`${tool} was refused: ${JSON.stringify(answer)}`);
    return answer;
  };

/** One run on the server and its snapshot on the machine, side by side. */
interface SideBySide {
  /** Takes a label on both sides and compares. @throws when either side refuses it, or they differ */
  take(label: string, rest: Path): Promise<void>;
  /** Tries on the server what a rule forbids: refused by that rule alone, and the run stays. */
  refuse(label: string, rule: string): Promise<void>;
}

const start = async ({ call, inspect, makeChange }: Host, pair: Pair): Promise<SideBySide> => {
  const must = insisting(call);
  let state = Moved.parse(await must('telic_start_run', startArguments(startOf(pair))));
  let snapshot = newSnapshot(pair);
  const { runId } = state.run;
  const reader = readerOf(must, runId);

  const compare = (): void => {
    const { run, nextAction } = state;
    const { context } = snapshot;
    expect(shown(run, nextAction.id, published(nextAction))).toEqual(
      shown(viewOf(context), `action:${runId}:${context.version}`, expectedNext(snapshot)),
    );
  };

  const token = () => ({ run_id: runId, action_id: state.nextAction.id, expected_run_version: state.run.version });
  const submission = ({ type, body, sourceRefs = [] }: Product) => ({
    ...token(),
    artifact_type: type,
    body,
    source_refs: [...new Set(sourceRefs)],
  });
  const support = async (product: Product): Promise<string> => {
    const { artifact } = Supported.parse(await must('telic_submit_artifact', submission(product)));
    return artifactUri(runId, artifact.id);
  };

  const send = async (label: string, rest: Path): Promise<Answer> => {
    if (label === 'CANCEL') return call('telic_cancel_run', token());
    if (label === 'GROUND') return call('telic_ground_context', token());
    if (label.startsWith('ANSWER'))
      return call('telic_submit_artifact', { ...token(), clarification_response: choiceFor(label) });
    const { run } = state;
    const move = await moveFor(label, {
      rest,
      version: run.version,
      carryOut: () => carryOut({ run, reader, support }, inspect, makeChange),
    });
    return call('telic_submit_artifact', submission(write(await standOf({ run, reader }), move)));
  };

  const fetch = async (): Promise<Moved> => Moved.parse(await must('telic_get_run', { run_id: runId, limit: 1 }));

  compare();
  return {
    take: async (label, rest) => {
      const event = offered(snapshot).find((one) => one.label === label)?.event;
      const taken = event && step(snapshot, event);
      if (taken?.outcome !== 'accepted') throw new Error(`The machine does not take ${label} here.`);
      const answer = await send(label, rest);
      if (taken.moved === null) {
        if (answer.ok !== true) throw new Error(`${label} was refused: ${JSON.stringify(answer)}`);
        state = Moved.parse(answer);
      } else {
        expect(answer).toMatchObject({ ok: false, kind: 'moved', rule: 'ADM-ESC-04' });
        state = await fetch();
      }
      snapshot = taken.next;
      compare();
    },
    refuse: async (label, rule) => {
      const { issues, kind } = Refused.parse(await send(label, []));
      expect({ kind, rules: issues.map(({ code }) => code) }).toEqual({ kind: 'refused', rules: [rule] });
      state = await fetch();
      compare();
    },
  };
};

/**
 * Plays a path from the start of a run.
 *
 * @throws at the first step that differs, with the path up to it
 */
export const playPath = async (host: Host, pair: Pair, path: Path): Promise<SideBySide> => {
  const run = await start(host, pair);
  for (const [index, label] of path.entries()) {
    try {
      await run.take(label, path.slice(index + 1));
    } catch (cause) {
      throw new Error(`${pair.join(' ')}: ${path.slice(0, index + 1).join(' > ')}`, { cause });
    }
  }
  return run;
};

/** Plays the way to an edge that a rule forbids, and tries it. */
export const tryForbidden = async (host: Host, pair: Pair, { path, label, rule }: Forbidden): Promise<void> => {
  const run = await playPath(host, pair, path);
  await run.refuse(label, rule);
};
