import { sealed } from '../../machines/companions/sealed.ts';
import type { AnyArtifact } from '../../machines/record.ts';
import { digestOfText } from '../../schemas/canonical.ts';
import type { Commit, Ledger, TraceDraft } from '../../src/ledger/ledger.ts';
import {
  appendLine,
  type CallTool,
  type Followed,
  followRun,
  inspectRepository,
  type Script,
  type StartRequest,
  scriptedAuthor,
} from '../../src/sdk/index.ts';

export const analysis: StartRequest = {
  originalRequest: 'What does the parser do, and is anything uncommitted?',
  mode: 'analyze_only',
  hostName: 'bench',
  hostCapabilities: ['repository.read', 'shell.inspect'],
};

/** One run from its start to its report, by the author that needs no model; in the modes that may, it changes README.md. */
export const followOne = (call: CallTool, root: string, start = analysis, script: Script = {}): Promise<Followed> =>
  followRun({
    call,
    author: scriptedAuthor(inspectRepository(root), script, appendLine(root, 'README.md', 'One line more.')),
    start,
    answer: () => 'go-on',
  });

class StopHere extends Error {
  override readonly name = 'StopHere';
}

/** Whoever wants the run at a phase: brings it to where this type is due, and leaves it there. */
export const followUpTo = async (
  call: CallTool,
  root: string,
  start: StartRequest | Readonly<{ runId: string }>,
  due: 'ProblemFrame' | 'WorkResult',
): Promise<string> => {
  const author = scriptedAuthor(inspectRepository(root));
  let stoppedAt = '';
  try {
    await followRun({
      call,
      author: {
        ...author,
        [due]: ({ run }: { run: { runId: string } }) => {
          stoppedAt = run.runId;
          throw new StopHere();
        },
      },
      start,
    });
  } catch (error) {
    if (!(error instanceof StopHere)) throw error;
  }
  return stoppedAt;
};

const fillAt = '2026-01-01T00:00:00.000Z';
const batch = 250;

const document = (runId: string, index: number): AnyArtifact => {
  const content = `${`line of file ${index}\n`.repeat(40)}`;
  const repositoryRef = `repo://sample/filled/${index}.txt`;
  return sealed(
    'ContextDocument',
    'controller',
    { runId, id: `filled-${index}`, createdAt: fillAt },
    {
      schemaVersion: '1.0',
      id: `filled-${index}`,
      runId,
      repositoryRef,
      contentHash: digestOfText(content),
      sizeBytes: Buffer.byteLength(content),
      trustKind: 'untrusted_repository_content',
      instructionScope: null,
      content,
    },
    [repositoryRef],
  );
};

const draft = (index: number, budgets: TraceDraft['budgets']): TraceDraft => ({
  event: 'broker_decision',
  actor: 'controller',
  phase: 'agent_4_execute',
  inputRefs: [],
  outputRefs: [],
  summary: `allow repository.read filled/${index}.txt`,
  decision: {
    decision: 'allow',
    capability: 'repository.read',
    scope: `filled/${index}.txt`,
    policyRefs: [],
    rationaleSummary: 'Filled by hand.',
  },
  at: fillAt,
  budgets,
});

/**
 * Fills a run by hand up to a size, through the ledger and past the rules: no legal run of one plan grows so large. Context
 * documents and broker decisions stand for whatever a long run holds.
 */
export const fill = (ledger: Ledger, runId: string, upTo: Readonly<{ artifacts?: number; trace?: number }>): void => {
  for (;;) {
    const stored = ledger.run(runId);
    if (!stored) throw new Error(`No run ${runId}.`);
    const { context, snapshot, machineVersion, head, artifactCount, traceCount } = stored;
    const artifacts = Math.min(batch, Math.max(0, (upTo.artifacts ?? 0) - artifactCount));
    const trace = Math.min(batch, Math.max(0, (upTo.trace ?? 0) - traceCount));
    if (artifacts + trace === 0) return;
    const commit: Commit = {
      runId,
      expectedHead: head,
      event: { type: 'bench.fill', at: fillAt, payload: {} },
      run: { context, snapshot, machineVersion },
      artifacts: Array.from({ length: artifacts }, (_, index) => document(runId, artifactCount + index)),
      trace: Array.from({ length: trace }, (_, index) => draft(traceCount + index, context.budgets)),
    };
    if (!ledger.commit(commit)) throw new Error(`Run ${runId} was moved while it was filled.`);
  }
};

export interface Token {
  readonly run_id: string;
  readonly action_id: string;
  readonly expected_run_version: number;
}

/** The current token of a run, from the ledger. */
export const tokenOf = (ledger: Ledger, runId: string): Token => {
  const version = ledger.run(runId)?.context.version;
  if (version === undefined) throw new Error(`No run ${runId}.`);
  return { run_id: runId, action_id: `action:${runId}:${version}`, expected_run_version: version };
};

/** The arguments that submit one small piece of evidence. */
export const evidenceArguments = (token: Token, index: number): Readonly<Record<string, unknown>> => ({
  ...token,
  artifact_type: 'Evidence',
  body: {
    schemaVersion: '1.0',
    id: `sample-${index}`,
    runId: token.run_id,
    kind: 'tool_output',
    capturedAt: new Date().toISOString(),
    summary: `Sample ${index} of a measurement.`,
    contentType: 'text/plain',
    encoding: 'utf8',
    content: `output line ${index}\n`.repeat(100),
    sourceRefs: ['repo://sample/README.md'],
    redactions: [],
    rationaleSummary: 'Measures what a submission costs.',
  },
});
