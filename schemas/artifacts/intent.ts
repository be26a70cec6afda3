import { z } from 'zod';
import { type Breach, repeats, rule, withRules } from '../bodyRules.ts';
import { PermissionSet } from '../permissions.ts';
import {
  ArtifactUri,
  head,
  Id,
  int,
  list,
  num,
  Refs,
  RefUri,
  SomeRefs,
  Summary,
  str,
  Text,
  Texts,
} from '../primitives.ts';
import { IntentMode, VerificationCapability } from '../vocabulary.ts';
import { AcceptanceCriterion, Scope, Stage } from './shared.ts';

/** What the user wants, retold and made testable: frame, scenario, contract (artifacts 6.1 to 6.3). */

export const Provenance = z.enum(['user', 'repository', 'runtime', 'browser', 'tool']);
export type Provenance = z.infer<typeof Provenance>;

export const UnknownClass = z.enum([
  'discoverable',
  'bounded_reversible',
  'user_owned_materially_divergent',
  'permission_expanding',
  'irrelevant',
]);
export type UnknownClass = z.infer<typeof UnknownClass>;

export const KnownFact = z.strictObject({ id: Id, claim: Text, provenance: Provenance, sourceRef: RefUri });
export type KnownFact = z.infer<typeof KnownFact>;

export const Inference = z.strictObject({ id: Id, claim: Text, sourceRefs: SomeRefs, confidence: num(0, 1) });
export type Inference = z.infer<typeof Inference>;

export const Unknown = z.strictObject({
  id: Id,
  question: Text,
  classification: UnknownClass,
  impact: Summary,
  evidenceInspected: Refs,
});
export type Unknown = z.infer<typeof Unknown>;

export const Clarification = z.discriminatedUnion('required', [
  z.strictObject({ required: z.literal(false), reason: Summary.nullable() }),
  z.strictObject({ required: z.literal(true), reason: Summary, requestRef: ArtifactUri }),
]);
export type Clarification = z.infer<typeof Clarification>;

const ProblemFrameFields = z.strictObject({
  ...head,
  originalRequestRef: ArtifactUri,
  intentMode: IntentMode,
  goal: Text,
  knownFacts: list(KnownFact),
  inferences: list(Inference),
  unknowns: list(Unknown),
  scope: Scope,
  constraints: Texts,
  nonGoals: Texts,
  applicableRuleRefs: Refs,
  draftAcceptanceCriteria: list(AcceptanceCriterion),
  clarification: Clarification,
  rationaleSummary: Summary,
});
type Frame = z.output<typeof ProblemFrameFields>;

const frameLists = ['knownFacts', 'inferences', 'unknowns', 'draftAcceptanceCriteria'] as const;

export const problemFrameRules = [
  {
    code: 'SCH-FRAME-01',
    text: 'Facts, inferences, unknowns and draft criteria share one space of ids.',
    fix: 'Give each entry of the four lists its own id.',
    check: (body: Frame): Breach[] =>
      repeats(
        frameLists.flatMap((name) => body[name].map(({ id }, index) => ({ name, index, id }))),
        ({ id }) => id,
      ).map(({ item, key }) => ({
        path: [item.name],
        wrong: `${item.name}.${item.index} has the id "${key}", which an earlier entry has already`,
      })),
  },
  rule<Frame>(
    'SCH-FRAME-02',
    ['clarification', 'required'],
    'An unknown that only the user can settle, or that would expand permissions, makes the clarification required.',
    'Ask it with a ClarificationRequest first, or classify the unknown as one that can be discovered or reversed.',
    ({ unknowns, clarification }) => {
      const open = unknowns.find(
        ({ classification }) =>
          classification === 'user_owned_materially_divergent' || classification === 'permission_expanding',
      );
      return (
        open !== undefined &&
        !clarification.required &&
        `unknown "${open.id}" is ${open.classification} and clarification.required is false`
      );
    },
  ),
] as const;

export const ProblemFrame = withRules(ProblemFrameFields, problemFrameRules);
export type ProblemFrame = z.infer<typeof ProblemFrame>;

export const SourceMapEntry = z.strictObject({ field: str(1, 255), sourceRefs: SomeRefs });
export type SourceMapEntry = z.infer<typeof SourceMapEntry>;

export const ScenarioSpec = z.strictObject({
  ...head,
  problemFrameRef: ArtifactUri,
  title: str(1, 255),
  narrative: Text,
  actor: str(1, 512),
  observableSymptoms: Texts,
  desiredOutcome: Text,
  sourceMap: list(SourceMapEntry),
  promptReadinessRubricRef: ArtifactUri,
  rationaleSummary: Summary,
});
export type ScenarioSpec = z.infer<typeof ScenarioSpec>;

export const VerificationRequirement = z.strictObject({
  id: Id,
  stage: Stage,
  description: Text,
  required: z.boolean(),
  capability: VerificationCapability,
  fallback: Text.nullable(),
});
export type VerificationRequirement = z.infer<typeof VerificationRequirement>;

export const Assumption = z.strictObject({ id: Id, text: Text, sourceRefs: Refs, reversible: z.boolean() });
export type Assumption = z.infer<typeof Assumption>;

const TaskContractFields = z.strictObject({
  ...head,
  version: int(1, 2),
  originalRequestRef: ArtifactUri,
  problemFrameRef: ArtifactUri,
  intentMode: IntentMode,
  objective: Text,
  scope: Scope,
  constraints: Texts,
  nonGoals: Texts,
  contextRefs: Refs,
  ruleRefs: Refs,
  permissions: PermissionSet,
  acceptanceCriteria: list(AcceptanceCriterion, 1),
  requiredOutputs: Texts,
  verificationRequirements: list(VerificationRequirement),
  stopConditions: Texts,
  assumptions: list(Assumption),
  unresolvedQuestions: Texts,
  rationaleSummary: Summary,
});
type Contract = z.output<typeof TaskContractFields>;

const missingStages = (items: readonly { readonly stage: Stage }[]): readonly Stage[] =>
  Stage.options.filter((stage) => !items.some((item) => item.stage === stage));

/** The grants of a contract that change something, as paths below `permissions`. */
const mutatingGrants = ({ permissions: { repository, runtime, browser, network } }: Contract): readonly string[] => [
  ...(repository.write.length > 0 ? ['repository.write'] : []),
  ...(repository.delete.length > 0 ? ['repository.delete'] : []),
  ...(runtime.restart.length > 0 ? ['runtime.restart'] : []),
  ...(browser.mutateState ? ['browser.mutateState'] : []),
  ...(network.externalWrite ? ['network.externalWrite'] : []),
];

/** What is left of permissions that change nothing. */
const readOnly = ({ repository, runtime, browser, network, ...rest }: PermissionSet): PermissionSet => ({
  ...rest,
  repository: { ...repository, write: [], delete: [] },
  runtime: { ...runtime, restart: [] },
  browser: { ...browser, mutateState: false },
  network: { ...network, externalWrite: false },
});

export const taskContractRules = [
  {
    code: 'SCH-CONTRACT-01',
    text: 'Each acceptance criterion has an id of its own.',
    fix: 'Give the criterion another id.',
    check: ({ acceptanceCriteria }: Contract): Breach[] =>
      repeats(acceptanceCriteria, ({ id }) => id).map(({ index, key }) => ({
        path: ['acceptanceCriteria', index, 'id'],
        wrong: `an earlier criterion has the id "${key}" already`,
      })),
  },
  rule<Contract>(
    'SCH-CONTRACT-02',
    ['verificationRequirements'],
    'Each verification requirement has an id of its own.',
    'Give each requirement another id.',
    ({ verificationRequirements }) => {
      const twice = repeats(verificationRequirements, ({ id }) => id);
      return twice.length > 0 && `used more than once: ${[...new Set(twice.map(({ key }) => key))].join(', ')}`;
    },
  ),
  rule<Contract>(
    'SCH-CONTRACT-03',
    ['verificationRequirements'],
    'A mode that executes has at least one required verification.',
    'Add a requirement with required true, or make one of them required.',
    ({ intentMode, verificationRequirements }) =>
      (intentMode === 'analyze_only' || intentMode === 'fix_only' || intentMode === 'analyze_and_fix') &&
      !verificationRequirements.some(({ required }) => required) &&
      `intentMode is "${intentMode}" and no requirement is required`,
  ),
  rule<Contract>(
    'SCH-CONTRACT-04',
    ['acceptanceCriteria'],
    'Under analyze_and_fix the criteria cover both stages.',
    'Add a criterion of each missing stage.',
    ({ intentMode, acceptanceCriteria }) => {
      const missing = missingStages(acceptanceCriteria);
      return intentMode === 'analyze_and_fix' && missing.length > 0 && `no criterion has stage ${missing.join(' or ')}`;
    },
  ),
  rule<Contract>(
    'SCH-CONTRACT-05',
    ['verificationRequirements'],
    'Under analyze_and_fix the required verifications cover both stages.',
    'Add a required verification of each missing stage.',
    ({ intentMode, verificationRequirements }) => {
      const missing = missingStages(verificationRequirements.filter(({ required }) => required));
      return (
        intentMode === 'analyze_and_fix' &&
        missing.length > 0 &&
        `no required verification has stage ${missing.join(' or ')}`
      );
    },
  ),
  rule<Contract>(
    'SCH-CONTRACT-06',
    ['verificationRequirements'],
    'Outside analyze_and_fix every verification has stage completion.',
    'Change the stage of these requirements to completion.',
    ({ intentMode, verificationRequirements }) => {
      const early = verificationRequirements.filter(({ stage }) => stage === 'diagnosis').map(({ id }) => id);
      return (
        intentMode !== 'analyze_and_fix' &&
        early.length > 0 &&
        `intentMode is "${intentMode}" and ${early.join(', ')} has stage diagnosis`
      );
    },
    ({ verificationRequirements }) => verificationRequirements.map((one) => ({ ...one, stage: 'completion' })),
  ),
  rule<Contract>(
    'SCH-CONTRACT-07',
    ['permissions'],
    'A mode that changes nothing grants nothing that changes something.',
    'Empty these lists and set these switches to false.',
    (body) => {
      const grants = mutatingGrants(body);
      const { intentMode } = body;
      return (
        (intentMode === 'report_only' || intentMode === 'plan_only' || intentMode === 'analyze_only') &&
        grants.length > 0 &&
        `intentMode is "${intentMode}" and ${grants.join(', ')} is granted`
      );
    },
    ({ permissions }) => readOnly(permissions),
  ),
] as const;

export const TaskContract = withRules(TaskContractFields, taskContractRules);
export type TaskContract = z.infer<typeof TaskContract>;
