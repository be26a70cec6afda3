import type { RunView } from '../../machines/context.ts';
import { artifactUri } from '../../machines/record.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { type IntentMode, type RunTopology, SubmittedType } from '../../schemas/vocabulary.ts';
import { Grounded, Moved, type PhaseStep, Refused, ShownBrief, Supported, type TerminalStep } from './answers.ts';
import type { AnswerQuestion, Author, Product, Work } from './author.ts';
import { complete } from './complete.ts';
import type { Answer, CallTool } from './connectStdio.ts';
import { RefusedError } from './refusedError.ts';
import { type RunReader, readerOf } from './runReader.ts';

/** What a run is started with (mcp-surface section 3, telic_start_run). */
export interface StartRequest {
  readonly originalRequest: string;
  readonly mode: IntentMode;
  readonly hostName?: string;
  readonly nativeSubagents?: 'available' | 'unavailable' | 'unknown';
  readonly hostCapabilities?: readonly string[];
  readonly authorizationGranted?: readonly string[];
  readonly authorizationDenied?: readonly string[];
  readonly shellExecuteAllowlist?: readonly string[];
  readonly networkReadDomains?: readonly string[];
  readonly topologyOverride?: RunTopology;
  readonly priorRunId?: string;
}

/** What may be asked of the grounding; all of it is optional. */
export interface GroundRequest {
  readonly activePaths?: readonly string[];
  readonly maximumFiles?: number;
  readonly maximumFileBytes?: number;
  readonly maximumTotalBytes?: number;
  readonly maximumInventoryFiles?: number;
}

/** One thing that happened to the run. */
export interface Step {
  readonly kind: 'started' | 'grounded' | 'submitted' | 'supported' | 'answered' | 'refreshed' | 'ended';
  /** The published phase in which it happened. */
  readonly phase: string;
  readonly role: string | null;
  readonly artifactType: string | null;
  readonly artifactId: string | null;
  /** The version of the run after it. */
  readonly version: number;
  /** The published phase after it. */
  readonly next: string;
}

export interface FollowOptions {
  readonly call: CallTool;
  readonly author: Author;
  /** A run to start, or the id of one to go on with. */
  readonly start: StartRequest | Readonly<{ runId: string }>;
  readonly ground?: GroundRequest;
  /** Without it, a question ends the driver with a `QuestionError`; the run stays paused. */
  readonly answer?: AnswerQuestion;
  readonly onStep?: (step: Step) => void;
}

export interface Followed {
  readonly runId: string;
  readonly terminal: TerminalStep;
  readonly run: RunView;
  /** The stored report; null when the run was cancelled. */
  readonly report: BodyOf<'UserReport'> | null;
  readonly steps: readonly Step[];
  readonly reader: RunReader;
}

/** The run waits for an answer and there is nobody to give it. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
  readonly runId: string;
  readonly question: BodyOf<'ClarificationRequest'>;

  constructor(runId: string, question: BodyOf<'ClarificationRequest'>) {
    super(`Run ${runId} waits for an answer: ${question.question}`);
    this.runId = runId;
    this.question = question;
  }
}

/** How often in a row a token may turn out stale; another host that moves the run faster than we read it has taken it over. */
const mostRefreshes = 8;

const present = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

const startArguments = (start: StartRequest): Record<string, unknown> =>
  present({
    original_request: start.originalRequest,
    mode: start.mode,
    host_name: start.hostName,
    native_subagents: start.nativeSubagents,
    host_capabilities: start.hostCapabilities,
    authorization_granted: start.authorizationGranted,
    authorization_denied: start.authorizationDenied,
    shell_execute_allowlist: start.shellExecuteAllowlist,
    network_read_domains: start.networkReadDomains,
    topology_override: start.topologyOverride,
    prior_run_id: start.priorRunId,
  });

const groundArguments = (ground: GroundRequest): Record<string, unknown> => {
  const budget = present({
    max_files: ground.maximumFiles,
    max_file_bytes: ground.maximumFileBytes,
    max_total_bytes: ground.maximumTotalBytes,
    max_inventory_files: ground.maximumInventoryFiles,
  });
  return present({
    active_paths: ground.activePaths,
    ...(Object.keys(budget).length > 0 && { budget }),
  });
};

/** The same call, with refusals thrown. */
const refusing =
  (call: CallTool): CallTool =>
  async (tool, args) => {
    const answer = await call(tool, args);
    if (answer.ok === true) return answer;
    const type = args.artifact_type;
    throw new RefusedError(tool, Refused.parse(answer), typeof type === 'string' ? type : null);
  };

const isMoved = (error: unknown): boolean =>
  error instanceof RefusedError && (error.failure.kind === 'stale' || error.failure.kind === 'moved');

const idOf = (body: object): string | null => ('id' in body && typeof body.id === 'string' ? body.id : null);

/**
 * Follows one run from its start, or from where it stands, to its end: grounds, calls the author for each artifact that
 * an action requires, hands the question to `answer`, and reports each step. A token that went stale, or an escalation,
 * makes it fetch the state again and ask the author anew.
 *
 * @returns the terminal action with the report; also for runs that end partial, blocked or cancelled
 * @throws RefusedError when the server refuses a call for another reason; the run stays where it was
 * @throws QuestionError when the run asks and there is no `answer`
 */
export const followRun = async (options: FollowOptions): Promise<Followed> => {
  const { author, onStep } = options;
  const call = refusing(options.call);
  const steps: Step[] = [];
  let refreshes = 0;

  const first =
    'runId' in options.start
      ? await call('telic_get_run', { run_id: options.start.runId, limit: 1 })
      : await call('telic_start_run', startArguments(options.start));
  let answered: Answer = first;
  let state: Moved = Moved.parse(first);
  const { runId } = state.run;
  const reader = readerOf(call, runId);

  const moved = (answer: Answer): void => {
    answered = answer;
    state = Moved.parse(answer);
  };

  /** The brief of the last answer, with these parts of it fetched. */
  const brief: Work['brief'] = async (parts) => {
    const at = 'nextAction.brief';
    answered = await complete(call, answered, [at, ...parts.map((part) => `${at}.${part}`)]);
    const { nextAction } = Moved.parse(answered);
    if (nextAction.kind !== 'phase' || !nextAction.brief) throw new Error(`Phase ${nextAction.phase} has no brief.`);
    return ShownBrief.parse(nextAction.brief);
  };

  const note = (kind: Step['kind'], of: Partial<Step>, phase: string = state.nextAction.phase): void => {
    const step: Step = {
      kind,
      phase,
      role: null,
      artifactType: null,
      artifactId: null,
      version: state.run.version,
      next: state.nextAction.phase,
      ...of,
    };
    steps.push(step);
    onStep?.(step);
  };

  const token = () => ({ run_id: runId, action_id: state.nextAction.id, expected_run_version: state.run.version });

  const submission = ({ type, body, sourceRefs = [] }: Product): Record<string, unknown> => ({
    ...token(),
    artifact_type: type,
    body,
    ...(sourceRefs.length > 0 && { source_refs: [...new Set(sourceRefs)] }),
  });

  const refresh = async (): Promise<void> => {
    moved(await call('telic_get_run', { run_id: runId, limit: 1 }));
    note('refreshed', {});
  };

  const workAt = (action: PhaseStep): Work => ({
    action,
    run: state.run,
    reader,
    brief,
    support: async (supporting) => {
      const answer = await call('telic_submit_artifact', submission(supporting));
      const { artifact } = Supported.parse(answer);
      moved(answer);
      note(
        'supported',
        { role: action.logicalRole, artifactType: artifact.type, artifactId: artifact.id },
        action.phase,
      );
      return artifactUri(runId, artifact.id);
    },
  });

  const submit = async (action: PhaseStep, product: Product): Promise<void> => {
    moved(await call('telic_submit_artifact', submission(product)));
    const artifactId = idOf(product.body);
    note('submitted', { role: action.logicalRole, artifactType: product.type, artifactId }, action.phase);
  };

  const ground = async (action: PhaseStep): Promise<void> => {
    const question = await author.beforeGrounding?.(workAt(action));
    if (question) return submit(action, question);
    const args = groundArguments(options.ground ?? {});
    const answer = await call('telic_ground_context', { ...token(), ...args });
    moved(answer);
    const { id: artifactId } = Grounded.parse(answer).manifest;
    note('grounded', { role: action.logicalRole, artifactType: 'ContextManifest', artifactId }, action.phase);
  };

  const write = async (action: PhaseStep, type: SubmittedType): Promise<void> => {
    const by = author[type];
    if (!by) throw new Error(`The author has no function for ${type}, which phase ${action.phase} requires.`);
    return submit(action, await by(workAt(action)));
  };

  const ask = async (questionRef: string): Promise<void> => {
    const question = await reader.artifact(questionRef);
    if (question.type !== 'ClarificationRequest') throw new Error(`${questionRef} is not a question.`);
    if (!options.answer) throw new QuestionError(runId, question.body);
    const choice = await options.answer(question.body);
    const { phase } = state.nextAction;
    moved(await call('telic_submit_artifact', { ...token(), clarification_response: choice }));
    note('answered', { role: 'user', artifactType: 'UserMessage' }, phase);
  };

  const advance = async (): Promise<void> => {
    const action = state.nextAction;
    if (action.kind === 'clarification') return ask(action.clarificationRequestRef);
    if (action.kind === 'terminal') return;
    if (action.requiredOutputType === 'ContextManifest') return ground(action);
    return write(action, SubmittedType.parse(action.requiredOutputType));
  };

  note('started', { role: 'controller', artifactType: 'RunEnvelope', artifactId: runId });
  while (state.nextAction.kind !== 'terminal') {
    try {
      await advance();
      refreshes = 0;
    } catch (error) {
      refreshes += 1;
      if (!isMoved(error) || refreshes > mostRefreshes) throw error;
      await refresh();
    }
  }
  const terminal = state.nextAction;
  note('ended', {});
  const report = terminal.reportRef === null ? null : await reader.artifact(terminal.reportRef);
  return {
    runId,
    terminal,
    run: state.run,
    report: report?.type === 'UserReport' ? report.body : null,
    steps,
    reader,
  };
};
