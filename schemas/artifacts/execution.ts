import { z } from 'zod';
import { type Breach, rule, withRules } from '../bodyRules.ts';
import { ArtifactUri, head, Id, int, list, Refs, RelPath, Sha256, Summary, str, Texts } from '../primitives.ts';
import { ActionCapability } from '../vocabulary.ts';
import { AcceptanceCoverage, EvidenceClaim } from './shared.ts';

/** What was done for one node of the plan, and what was seen (artifacts 7.2). */

export const ActionStatus = z.enum(['completed', 'failed', 'denied', 'skipped']);
export type ActionStatus = z.infer<typeof ActionStatus>;

export const ChangeType = z.enum(['created', 'modified', 'deleted']);
export type ChangeType = z.infer<typeof ChangeType>;

export const TestStatus = z.enum(['passed', 'failed', 'skipped', 'unavailable']);
export type TestStatus = z.infer<typeof TestStatus>;

export const WorkStatus = z.enum(['completed', 'partial', 'blocked', 'failed']);
export type WorkStatus = z.infer<typeof WorkStatus>;

const WorkActionFields = z.strictObject({
  id: Id,
  capability: ActionCapability,
  target: str(1, 2048),
  mutating: z.boolean(),
  status: ActionStatus,
  evidenceRefs: Refs,
  rationaleSummary: Summary,
});
export const workActionRules = [
  rule<z.output<typeof WorkActionFields>>(
    'SCH-ACTION-01',
    ['evidenceRefs'],
    'A completed action names its evidence.',
    'Name at least one reference in evidenceRefs, or give the action another status.',
    ({ status, evidenceRefs }) =>
      status === 'completed' && evidenceRefs.length === 0 && 'status is "completed" and evidenceRefs is empty',
    () => ({ minItems: 1 }),
  ),
];
export const WorkAction = withRules(WorkActionFields, workActionRules);
export type WorkAction = z.infer<typeof WorkAction>;

const FileChangeFields = z.strictObject({
  path: RelPath,
  changeType: ChangeType,
  beforeHash: Sha256.nullable(),
  afterHash: Sha256.nullable(),
  diffRef: ArtifactUri,
});
type Change = z.output<typeof FileChangeFields>;

export const fileChangeRules = [
  rule<Change>(
    'SCH-FILE-01',
    ['beforeHash'],
    'A created file has no digest before.',
    'Set beforeHash to null, or call the change modified.',
    ({ changeType, beforeHash }) =>
      changeType === 'created' && beforeHash !== null && 'changeType is "created" and beforeHash is not null',
    () => null,
  ),
  rule<Change>(
    'SCH-FILE-02',
    ['afterHash'],
    'A created file has a digest after.',
    'Write the digest of the new file.',
    ({ changeType, afterHash }) =>
      changeType === 'created' && afterHash === null && 'changeType is "created" and afterHash is null',
  ),
  rule<Change>(
    'SCH-FILE-03',
    ['beforeHash'],
    'A deleted file has a digest before.',
    'Write the digest of the file as it was.',
    ({ changeType, beforeHash }) =>
      changeType === 'deleted' && beforeHash === null && 'changeType is "deleted" and beforeHash is null',
  ),
  rule<Change>(
    'SCH-FILE-04',
    ['afterHash'],
    'A deleted file has no digest after.',
    'Set afterHash to null, or call the change modified.',
    ({ changeType, afterHash }) =>
      changeType === 'deleted' && afterHash !== null && 'changeType is "deleted" and afterHash is not null',
    () => null,
  ),
  rule<Change>(
    'SCH-FILE-05',
    ['afterHash'],
    'A modified file has two digests that differ.',
    'Write the digests before and after the change.',
    ({ changeType, beforeHash, afterHash }) => {
      if (changeType !== 'modified') return false;
      if (beforeHash === null || afterHash === null) return 'changeType is "modified" and a digest is null';
      return beforeHash === afterHash && 'changeType is "modified" and the two digests are equal';
    },
  ),
] as const;
export const FileChange = withRules(FileChangeFields, fileChangeRules);
export type FileChange = z.infer<typeof FileChange>;

const TestResultFields = z.strictObject({
  id: Id,
  name: str(1, 512),
  status: TestStatus,
  commandRef: ArtifactUri.nullable(),
  outputRef: ArtifactUri.nullable(),
  exitCode: int(0, 255).nullable(),
  rationaleSummary: Summary,
});
export const testResultRules = [
  rule<z.output<typeof TestResultFields>>(
    'SCH-TEST-01',
    ['outputRef'],
    'A test that ran names its output.',
    'Name the Evidence with the output, or give the test the status skipped or unavailable.',
    ({ status, outputRef }) =>
      (status === 'passed' || status === 'failed') &&
      outputRef === null &&
      `status is "${status}" and outputRef is null`,
  ),
];
export const TestResult = withRules(TestResultFields, testResultRules);
export type TestResult = z.infer<typeof TestResult>;

const Fields = z.strictObject({
  ...head,
  workPlanRef: ArtifactUri,
  nodeId: Id,
  status: WorkStatus,
  observations: list(EvidenceClaim),
  inferences: list(EvidenceClaim),
  actions: list(WorkAction),
  filesChanged: list(FileChange),
  toolEventRefs: Refs,
  evidenceRefs: Refs,
  testResults: list(TestResult),
  acceptanceCoverage: list(AcceptanceCoverage),
  unresolvedIssues: Texts,
  deviations: Texts,
  rationaleSummary: Summary,
});
type Result = z.output<typeof Fields>;

/** One breach for each entry of a list whose status the result's own status does not allow. */
const statuses = <L extends 'observations' | 'inferences' | 'actions' | 'testResults' | 'acceptanceCoverage'>(
  body: Result,
  name: L,
  bad: (status: string) => boolean,
  because: string,
): Breach[] =>
  body[name].flatMap(({ status }, index) =>
    bad(status) ? [{ path: [name, index, 'status'], wrong: `status is "${status}" and ${because}` }] : [],
  );

const completed = 'the result is "completed"';

export const workResultRules = [
  rule<Result>(
    'SCH-RESULT-01',
    ['evidenceRefs'],
    'A completed result names its evidence.',
    'Name in evidenceRefs the Evidence of this node, or choose another status.',
    ({ status, evidenceRefs }) =>
      status === 'completed' && evidenceRefs.length === 0 && 'status is "completed" and evidenceRefs is empty',
    () => ({ minItems: 1 }),
  ),
  {
    code: 'SCH-RESULT-02',
    text: 'A completed result has no failed or denied action.',
    fix: 'Give the result the status partial, blocked or failed.',
    check: (body: Result) =>
      body.status === 'completed'
        ? statuses(body, 'actions', (status) => status === 'failed' || status === 'denied', completed)
        : [],
  },
  {
    code: 'SCH-RESULT-03',
    text: 'A completed result has no failed test.',
    fix: 'Give the result the status partial, blocked or failed.',
    check: (body: Result) =>
      body.status === 'completed' ? statuses(body, 'testResults', (status) => status === 'failed', completed) : [],
  },
  {
    code: 'SCH-RESULT-04',
    text: 'A completed result passes every criterion that it lists.',
    fix: 'Give the result the status partial, blocked or failed, or list only what passed.',
    check: (body: Result) =>
      body.status === 'completed' ? statuses(body, 'acceptanceCoverage', (status) => status !== 'pass', completed) : [],
  },
  {
    code: 'SCH-RESULT-05',
    text: 'An observation was observed or reported by the user.',
    fix: 'Use observed or user_reported, or move the statement to inferences.',
    check: (body: Result) =>
      statuses(
        body,
        'observations',
        (status) => status !== 'observed' && status !== 'user_reported',
        'an observation is observed or user_reported',
      ),
  },
  {
    code: 'SCH-RESULT-06',
    text: 'An inference is inferred or unverified.',
    fix: 'Use inferred or unverified, or move the statement to observations.',
    check: (body: Result) =>
      statuses(
        body,
        'inferences',
        (status) => status !== 'inferred' && status !== 'unverified',
        'an inference is inferred or unverified',
      ),
  },
] as const;

export const WorkResult = withRules(Fields, workResultRules);
export type WorkResult = z.infer<typeof WorkResult>;
