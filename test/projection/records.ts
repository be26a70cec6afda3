import { readFileSync } from 'node:fs';
import { sealed } from '../../machines/companions/sealed.ts';
import { newRun, type RunContext } from '../../machines/context.ts';
import {
  type AnyArtifact,
  type Artifact,
  artifactUri,
  emptyRecord,
  type PriorRun,
  type RunRecord,
} from '../../machines/record.ts';
import { mergedReferences } from '../../machines/rules/bodyReferences.ts';
import type { StartArgs } from '../../machines/start/start.ts';
import { type BodyOf, bodySchemas } from '../../schemas/artifacts/index.ts';
import { phaseTable, producers, type StoredType } from '../../schemas/vocabulary.ts';
import { everyCapability, facts, started } from '../start/starts.ts';

export const runId = facts.runId;
export const requestRef = artifactUri(runId, facts.requestId);

export interface Stand {
  readonly run: RunContext;
  readonly record: RunRecord;
}

/** A run that has just begun, in whatever phase and state is given. */
export const begun = (
  args: Partial<StartArgs> & Pick<StartArgs, 'mode'>,
  over: Partial<RunContext> = {},
  prior: PriorRun | null = null,
): Stand => {
  const { input, effect } = started({ hostCapabilities: everyCapability, ...args });
  return {
    run: { ...newRun({ input }), ...over },
    record: emptyRecord(runId, prior).extend(effect.artifacts, { added: effect.trace.length, denials: 0 }),
  };
};

const sampleFiles = {
  ContextManifest: 'ContextManifest/valid-basic',
  ClarificationRequest: 'ClarificationRequest/valid-user-owned',
  ProblemFrame: 'ProblemFrame/valid-basic',
  ScenarioSpec: 'ScenarioSpec/valid-basic',
  TaskContract: 'TaskContract/valid-analyze-and-fix',
  PromptReview: 'PromptReview/valid-pass',
  WorkPlan: 'WorkPlan/valid-two-nodes',
  WorkResult: 'WorkResult/valid-completed',
  QualityReview: 'QualityReview/valid-pass',
  ReleaseAudit: 'ReleaseAudit/valid-release',
  ReceiptAudit: 'ReceiptAudit/valid-verified',
  UserReport: 'UserReport/valid-completed',
  Evidence: 'Evidence/valid-text',
  ContextDocument: 'ContextDocument/valid-source',
  UserMessage: 'UserMessage/valid-request',
} as const;
type SampleType = keyof typeof sampleFiles;

/** A body of the conformance data, moved into this run; its request is this run's request. */
export const sample = <T extends SampleType>(type: T, file: string = sampleFiles[type]): BodyOf<T> => {
  const text = readFileSync(new URL(`../conformance/artifacts/${file}.json`, import.meta.url), 'utf8');
  const moved = text.replaceAll('artifact://run-timeout-01/msg-01', requestRef).replaceAll('run-timeout-01', runId);
  return bodySchemas[type].parse(JSON.parse(moved));
};

const producerOf = (type: SampleType, phase: RunContext['phase']) =>
  type === 'ClarificationRequest' ? phaseTable[phase].role : producers[type];

/** A sample with its id and what a test changes of it. */
export const artifact = <T extends SampleType>(
  type: T,
  id: string,
  over: Partial<BodyOf<T>> = {},
  { sourceRefs = [], record }: { sourceRefs?: readonly string[]; record?: RunRecord } = {},
): Artifact<T> => {
  const body: BodyOf<T> = { ...sample(type), id, ...over };
  return sealed(
    type,
    producerOf(type, 'agent_1_frame'),
    { runId, id, createdAt: facts.at },
    body,
    record ? mergedReferences(record, body, sourceRefs) : sourceRefs,
  );
};

export const withArtifacts = (record: RunRecord, ...artifacts: readonly AnyArtifact[]): RunRecord =>
  artifacts.reduce((grown, one) => grown.extend([one], { added: 1, denials: 0 }), record);

export const uri = (id: string): string => artifactUri(runId, id);

export const idsOf = (refs: readonly string[]): readonly string[] =>
  refs.map((ref) => ref.slice(`artifact://${runId}/`.length));

export const typesIn = (record: RunRecord): readonly StoredType[] => record.entries().map(({ type }) => type);
