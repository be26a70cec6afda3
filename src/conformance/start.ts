import { type AnyArtifact, emptyRecord, type PriorRun } from '../../machines/record.ts';
import { type PriorFacts, type StartArgs, startRun } from '../../machines/start/start.ts';
import { begin } from '../../machines/step.ts';
import type { FailureCode, Finding } from '../../schemas/failure.ts';
import { failureCodes } from '../../schemas/failure.ts';
import { parseArguments } from '../../schemas/tools/parse.ts';
import { artifactIn, Moved, RunPage } from '../sdk/answers.ts';
import type { Answer } from '../sdk/connectStdio.ts';
import type { StartRequest } from '../sdk/followRun.ts';
import { asking } from './asking.ts';
import type { Bench } from './bench.ts';
import { type Difference, differing, digestDifferences, stateDifferences } from './compare.ts';
import { DivergenceError } from './divergence.ts';
import { beginModel, type Model } from './model.ts';
import { type RunUnderTest, runUnderTest } from './runUnderTest.ts';

/** What a start is judged by: our rules of the start, and the artifacts that it must leave. */

const argsOf = (start: StartRequest): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({
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
    }).filter(([, value]) => value !== undefined),
  );

/** The host's name when it gives none (mcp-surface, telic_start_run). */
const unnamedHost = 'mcp-host';

const ruleArgs = (start: StartRequest): StartArgs => ({
  originalRequest: start.originalRequest,
  mode: start.mode,
  hostName: start.hostName ?? unnamedHost,
  nativeSubagents: start.nativeSubagents ?? 'unknown',
  hostCapabilities: start.hostCapabilities,
  granted: start.authorizationGranted,
  denied: start.authorizationDenied,
  commands: start.shellExecuteAllowlist,
  hosts: start.networkReadDomains,
  topologyOverride: start.topologyOverride,
  priorRunId: start.priorRunId,
});

const priorFacts = (model: Model | null): PriorFacts | null => {
  if (!model) return null;
  const { runId, repositoryRoot, status } = model.snapshot.context;
  return { runId, repositoryRoot, status, damaged: null, record: model.record };
};

const linked = (model: Model | null): PriorRun | null => {
  if (!model) return null;
  const { runId, repositoryRoot } = model.snapshot.context;
  return {
    runId,
    repositoryRoot,
    exists: true,
    get: (id) => model.record.get(id),
    evidence: () => model.record.all('Evidence'),
  };
};

const wordsOf = ({
  mode,
  topologyOverride,
  authorizationGranted,
  hostCapabilities,
  priorRunId,
}: StartRequest): string =>
  [
    `start ${mode}`,
    ...(topologyOverride ? [`as ${topologyOverride}`] : []),
    ...(authorizationGranted ? [`granting ${authorizationGranted.join(', ') || 'nothing'}`] : []),
    ...(hostCapabilities ? [`on a host with ${hostCapabilities.join(', ') || 'nothing'}`] : []),
    ...(priorRunId ? ['after an earlier run'] : []),
  ].join(' ');

const refusedBy = (
  start: StartRequest,
  prior: Model | null,
): Readonly<{ code: FailureCode; findings: readonly Finding[] }> | null => {
  const parsed = parseArguments('telic_start_run', argsOf(start));
  if (!parsed.ok) return { code: 'invalid_arguments', findings: parsed.findings };
  const facts = {
    runId: 'run',
    requestId: 'request',
    at: '',
    repositoryRoot: prior?.snapshot.context.repositoryRoot ?? '',
  };
  const outcome = startRun(ruleArgs(start), { ...facts, prior: priorFacts(prior) });
  return outcome.ok ? null : { code: outcome.code, findings: outcome.findings };
};

const refusalDifferences = (
  { code, findings }: Readonly<{ code: FailureCode; findings: readonly Finding[] }>,
  answer: Answer,
  strict: boolean,
): readonly Difference[] => {
  if (answer.ok === true)
    return [{ field: 'outcome', expected: `refused: ${findings[0]?.code ?? code}`, actual: 'accepted' }];
  if (!strict) return [];
  return [
    ...differing('code', code, answer.code),
    ...differing('kind', failureCodes[code], answer.kind),
    ...differing('rule', findings[0]?.code, answer.rule),
  ];
};

/**
 * Starts a run on the server and in the model.
 *
 * @param prior the model of the run that `priorRunId` names
 * @returns null when server and machine agree that it cannot be started
 * @throws DivergenceError
 */
export const startUnderTest = async (
  bench: Bench,
  start: StartRequest,
  prior: Model | null = null,
): Promise<RunUnderTest | null> => {
  const { world, tally, strict } = bench;
  const call = { tool: 'telic_start_run', args: argsOf(start) };
  const words = wordsOf(start);
  const diverge = (differences: readonly Difference[], rule: string | null = null): never => {
    throw new DivergenceError({ phase: 'start', rule, differences, steps: [words], calls: [call] });
  };
  const must = (differences: readonly Difference[], rule: string | null = null): void => {
    if (differences.length > 0) diverge(differences, rule);
  };
  const { send, parse } = asking(bench, diverge);
  const answer = await send(0, call.tool, call.args);
  const refusal = refusedBy(start, prior);
  if (refusal) {
    const rule = refusal.findings[0]?.code ?? null;
    must(refusalDifferences(refusal, answer, strict), rule);
    tally.refused += 1;
    for (const { code } of refusal.findings) tally.rules.add(code);
    return null;
  }
  if (answer.ok !== true)
    must([
      {
        field: 'outcome',
        expected: 'accepted',
        actual: `refused: ${String(answer.rule ?? answer.code ?? answer.error)}`,
      },
    ]);
  const { run } = parse('telic_start_run', () => Moved.parse(answer));
  const page = await send(0, 'telic_get_run', { run_id: run.runId });
  const stored: AnyArtifact[] = [];
  for (const { id } of parse('telic_get_run', () => RunPage.parse(page)).artifacts) {
    const read = await send(0, 'telic_get_artifact', { run_id: run.runId, artifact_id: id });
    stored.push(parse(`artifact ${id}`, () => artifactIn(read)));
  }
  const requestId = stored.find(({ type }) => type === 'UserMessage')?.id ?? '';
  const facts = { runId: run.runId, requestId, at: run.createdAt, repositoryRoot: world.root };
  const outcome = startRun(ruleArgs(start), { ...facts, prior: priorFacts(prior) });
  if (!outcome.ok) throw new Error(`A start was judged twice and not alike: ${outcome.findings[0]?.message}`);
  const { input, effect, droppedGrants } = outcome;
  must(digestDifferences(stored));
  must(
    differing(
      'artifacts',
      effect.artifacts.map(({ type, producer, sha256 }) => (strict ? [type, producer, sha256] : [type, producer])),
      stored.map(({ type, producer, sha256 }) => (strict ? [type, producer, sha256] : [type, producer])),
    ),
  );
  if (strict) must(differing('droppedGrants', droppedGrants, answer.droppedGrants));
  const model = beginModel(begin(input), emptyRecord(run.runId, linked(prior)), stored, effect.trace);
  must([...stateDifferences(model, page), ...stateDifferences(model, answer, strict)]);
  tally.accepted += 1;
  return runUnderTest(bench, model, { words, call });
};
