import type { BodyOf } from '../../schemas/artifacts/index.ts';
import type { FailureCode, Finding } from '../../schemas/failure.ts';
import type { DroppedGrant } from '../../schemas/permissions.ts';
import { type IntentMode, type RecordStatus, type RunTopology, schemaVersion } from '../../schemas/vocabulary.ts';
import { sealed } from '../companions/sealed.ts';
import type { RunInput } from '../context.ts';
import { entry } from '../entry.ts';
import type { RecordEffect, TraceEntry } from '../events.ts';
import { type Authority, authorize, subagentBudgets } from '../permissions/authorize.ts';
import { effectivePermissions } from '../permissions/modes.ts';
import { capabilitiesOf } from '../permissions/permissionSet.ts';
import { type AnyArtifact, artifactUri, type RunRecord } from '../record.ts';
import { type Classification, classify, type Misfit } from './classify.ts';
import { type Lineage, lineageOf } from './lineage.ts';
import { startRules } from './rules.ts';

/** What a caller asks for (mcp-surface section 3, telic_start_run); an absent list is not an empty one. */
export interface StartArgs {
  readonly originalRequest: string;
  readonly mode: IntentMode;
  readonly hostName: string;
  readonly nativeSubagents: 'available' | 'unavailable' | 'unknown';
  readonly hostCapabilities?: readonly string[] | undefined;
  readonly granted?: readonly string[] | undefined;
  readonly denied?: readonly string[] | undefined;
  readonly commands?: readonly string[] | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly topologyOverride?: RunTopology | undefined;
  readonly priorRunId?: string | undefined;
}

/** What the ledger says of the run that `priorRunId` names. */
export interface PriorFacts {
  readonly runId: string;
  readonly repositoryRoot: string;
  readonly status: RecordStatus;
  /** An artifact whose body is missing or has another digest; null when all are intact. */
  readonly damaged: string | null;
  readonly record: RunRecord;
}

/** What the outside says: ids, time, the canonical root, the linked run or null when the ledger holds none of that id. */
export interface StartFacts {
  readonly runId: string;
  /** The id of the UserMessage that keeps the request. */
  readonly requestId: string;
  readonly at: string;
  readonly repositoryRoot: string;
  readonly prior: PriorFacts | null;
}

export type StartOutcome =
  | Readonly<{
      ok: true;
      input: RunInput;
      effect: RecordEffect;
      droppedGrants: readonly DroppedGrant[];
      lineage?: Lineage;
    }>
  | Readonly<{ ok: false; code: FailureCode; findings: readonly Finding[] }>;

const maximumRequest = 32_768;

const requestFindings = ({ originalRequest, hostName }: StartArgs): readonly Finding[] => {
  const findings: Finding[] = [];
  if (originalRequest.trim() === '')
    findings.push({
      path: 'original_request',
      code: 'ADM-START-01',
      message: 'original_request holds nothing but blanks.',
      fix: "Put the user's request there, word for word.",
    });
  if (originalRequest.length > maximumRequest)
    findings.push({
      path: 'original_request',
      code: 'ADM-START-02',
      message: `original_request is ${originalRequest.length} characters long; a run takes ${maximumRequest}.`,
      expected: maximumRequest,
      fix: 'Shorten the request, or name long material as files of the repository.',
    });
  if (hostName.trim() === '')
    findings.push({
      path: 'host_name',
      code: 'ADM-START-03',
      message: 'host_name holds nothing but blanks.',
      fix: 'Name the host, or leave host_name out.',
    });
  return findings;
};

const misfitFinding = ({ topology, signals, misses }: Misfit): Finding => {
  const against = [...signals, ...misses];
  return {
    path: 'topology_override',
    code: topology === 'micro' ? 'ADM-START-13' : 'ADM-START-14',
    message: `This request is more than a ${topology} run may carry: ${against.join('; ')}.`,
    expected: topology === 'micro' && signals.length === 0 ? ['standard', 'forensic'] : ['forensic'],
    fix: 'Leave topology_override out, or ask for a stricter topology.',
  };
};

const lineageFinding = (code: string, message: string, fix: string): Finding => ({
  path: 'prior_run_id',
  code,
  message,
  fix,
});

/** The first of LIN-01 to LIN-04 that fails; each makes the later ones meaningless. */
const priorFinding = (priorRunId: string | undefined, { prior, repositoryRoot }: StartFacts): Finding | null => {
  if (priorRunId === undefined) return null;
  if (prior === null || prior.runId !== priorRunId)
    return lineageFinding(
      'ADM-LIN-01',
      `The ledger holds no run ${priorRunId} to link.`,
      'Call telic_list_runs for the ids of earlier runs, or leave prior_run_id out.',
    );
  if (prior.repositoryRoot !== repositoryRoot)
    return lineageFinding(
      'ADM-LIN-02',
      `Run ${priorRunId} was made in another repository and cannot be linked here.`,
      'Link a run of this repository, or leave prior_run_id out.',
    );
  if (prior.status === 'running' || prior.status === 'awaiting_clarification')
    return lineageFinding(
      'ADM-LIN-03',
      `Run ${priorRunId} has not ended: it is ${prior.status}.`,
      'Finish or cancel that run first, or leave prior_run_id out.',
    );
  if (prior.damaged !== null)
    return lineageFinding(
      'ADM-LIN-04',
      `Artifact ${prior.damaged} of run ${priorRunId} is damaged, so its evidence cannot be trusted.`,
      'Leave prior_run_id out; an operator has to look at the ledger.',
    );
  return null;
};

const refused = (findings: readonly Finding[]): StartOutcome => {
  const named = startRules.find(({ code }) => code === findings[0]?.code);
  return { ok: false, code: named?.refusal ?? 'invalid_arguments', findings };
};

const artifactsOf = (
  args: StartArgs,
  facts: StartFacts,
  authority: Authority,
  topology: RunTopology,
): readonly AnyArtifact[] => {
  const { runId, requestId, at, repositoryRoot } = facts;
  const requestRef = artifactUri(runId, requestId);
  const envelope: BodyOf<'RunEnvelope'> = {
    schemaVersion,
    runId,
    createdAt: at,
    originalRequestRef: requestRef,
    followupRequestRefs: [],
    requestedMode: args.mode,
    topology,
    // The envelope is immutable and tells how the run began; where it stands is the run record's to say.
    status: 'active',
    workingContext: { repositoryRoot, activeFiles: [], applicableRuleRefs: [] },
    host: {
      name: args.hostName,
      version: null,
      nativeSubagents: args.nativeSubagents,
      capabilities: [...authority.hostCapabilities],
    },
    authorization: { granted: authority.granted, denied: authority.denied },
    budgets: { promptRevisions: 1, postExecutionRemediations: 1, ...subagentBudgets(args.nativeSubagents) },
    policyRefs: [],
  };
  const message = { schemaVersion, id: requestId, runId, content: args.originalRequest } as const;
  return [
    sealed('UserMessage', 'user', { runId, id: requestId, createdAt: at }, message),
    sealed('RunEnvelope', 'controller', { runId, id: runId, createdAt: at }, envelope, [requestRef]),
  ];
};

const ground = { phase: 'context_grounding' } as const;

const traceOf = (mode: IntentMode, { rationaleCode }: Classification, prior: string | undefined): TraceEntry[] => [
  entry(ground, 'run_started', 'controller', `The run began in mode ${mode}.`),
  // The code alone, so that a reader can count starts by it.
  entry(ground, 'topology_classified', 'controller', rationaleCode),
  ...(prior === undefined
    ? []
    : [
        entry(ground, 'lineage_linked', 'controller', `The run may cite evidence of run ${prior}.`, {
          in: [`trace://${prior}`],
        }),
      ]),
];

/**
 * Decides the start of a run: either every finding against it, the first of which names the code, or what the machine
 * starts from, what to store and trace, which wanted grants can never take effect, and what a linked run hands on.
 * Rules: run-machine sections 3 and 6.1, admission sections 14 and 15, permissions section 4.
 */
export const startRun = (args: StartArgs, facts: StartFacts): StartOutcome => {
  const authority = authorize(args);
  const findings: Finding[] = [...requestFindings(args), ...(authority.ok ? [] : authority.findings)];
  const classification = authority.ok
    ? classify(
        {
          request: args.originalRequest,
          mode: args.mode,
          granted: authority.grantedList,
          effective: capabilitiesOf(effectivePermissions(args.mode, authority.granted, authority.denied)),
          commands: args.commands ?? [],
          hosts: args.hosts ?? [],
        },
        args.topologyOverride,
      )
    : null;
  if (classification && !classification.ok) findings.push(misfitFinding(classification));
  const linked = priorFinding(args.priorRunId, facts);
  if (linked) findings.push(linked);
  if (!authority.ok || !classification?.ok || findings.length > 0) return refused(findings);

  const { topology } = classification;
  return {
    ok: true,
    input: {
      runId: facts.runId,
      repositoryRoot: facts.repositoryRoot,
      mode: args.mode,
      topology,
      priorRunId: args.priorRunId ?? null,
      createdAt: facts.at,
    },
    effect: {
      artifacts: artifactsOf(args, facts, authority, topology),
      trace: traceOf(args.mode, classification, args.priorRunId),
    },
    droppedGrants: authority.droppedGrants,
    ...(args.priorRunId !== undefined && facts.prior ? { lineage: lineageOf(facts.prior.record) } : {}),
  };
};
