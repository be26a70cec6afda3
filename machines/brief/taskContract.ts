import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { type CorrectionField, correctionFields } from '../../schemas/artifacts/shared.ts';
import { anySource, type Blank } from '../../schemas/brief.ts';
import { executes, type VerificationCapability, verificationCapabilities } from '../../schemas/vocabulary.ts';
import { meet } from '../feasibility/meet.ts';
import { covers } from '../permissions/permissionSet.ts';
import { uriOf } from '../record.ts';
import { distinct, effectiveFor, originalRequestRef, type Stage } from '../rules/derived.ts';
import { contextOf } from '../rules/taskContract.ts';
import { correctionsOf } from '../rules/taskContractRevision.ts';
import { shorten } from '../sentence.ts';
import { choice, type Draft, headOf, list, most, rationale, type Stand, some, text, texts } from './draft.ts';
import { sourcesOf } from './sources.ts';

type Contract = BodyOf<'TaskContract'>;
type Fields = Partial<Record<keyof Contract, unknown>>;

/** A test run shows a fix best; else what was read. */
const preferred = (mode: Contract['intentMode'], stage: Stage): readonly VerificationCapability[] =>
  stage === 'completion' && mode !== 'analyze_only'
    ? distinct<VerificationCapability>(['shell.execute', ...verificationCapabilities])
    : verificationCapabilities;

const stagesOf = ({ run }: Stand): readonly Stage[] => {
  if (!executes(run.mode)) return [];
  return run.mode === 'analyze_and_fix' ? ['diagnosis', 'completion'] : ['completion'];
};

/** The capability that a verification of a stage can use, best first; undefined where authority has none. */
const capabilityFor = ({ run, record }: Stand, stage: Stage): VerificationCapability | undefined => {
  const open = meet([
    effectiveFor(record, run.mode),
    effectiveFor(record, stage === 'diagnosis' ? 'analyze_only' : run.mode),
  ]);
  return preferred(run.mode, stage).find((capability) => covers(open, capability));
};

/**
 * Whether the authority of the run alone forbids every contract: a mode that executes has to verify each of its stages,
 * and nothing that a verification could use is granted (guidance section 3).
 */
export const forbidsContract = (stand: Stand): boolean =>
  stagesOf(stand).some((stage) => capabilityFor(stand, stage) === undefined);

/** An assumption; it may cite the sources, and what the frame cites. */
const assumption = ({ record }: Stand): NonNullable<Blank['element']> => {
  const frame = record.latest('ProblemFrame');
  const sources = sourcesOf(record).map(({ ref }) => ref);
  const cited = frame
    ? [uriOf(frame), ...frame.body.knownFacts.map(({ sourceRef }) => sourceRef), ...contextOf(frame.body)]
    : [];
  const others = distinct(cited).filter((ref) => !sources.includes(ref));
  return {
    value: { id: 'assumption-01', text: '', sourceRefs: [], reversible: null },
    blanks: [
      text('text', ''),
      some('sourceRefs', '{source}: any ref of sources.', [...others, ...(sources.length > 0 ? [anySource] : [])], {
        maximum: Math.min(most.references, others.length + sources.length),
      }),
      choice('reversible', 'Can it be undone?', [true, false]),
    ],
  };
};

const fallback: Blank = text('verificationRequirements[*].fallback', 'What to do where it cannot be run.', {
  optional: true,
});

const firstContract = (stand: Stand): Draft | null => {
  const { run, record } = stand;
  const frame = record.latest('ProblemFrame');
  const request = originalRequestRef(record);
  if (!frame || request === undefined || forbidsContract(stand)) return null;
  const { body } = frame;
  const verifications = stagesOf(stand).map((stage, index) => ({
    id: `verification-${String(index + 1).padStart(2, '0')}`,
    stage,
    description: '',
    required: true,
    capability: capabilityFor(stand, stage),
    fallback: null,
  }));
  return {
    body: {
      ...headOf(stand, 'contract'),
      version: 1,
      originalRequestRef: request,
      problemFrameRef: uriOf(frame),
      intentMode: run.mode,
      objective: '',
      scope: body.scope,
      constraints: body.constraints,
      nonGoals: body.nonGoals,
      contextRefs: contextOf(body),
      ruleRefs: distinct(body.applicableRuleRefs),
      permissions: effectiveFor(record, run.mode),
      acceptanceCriteria: body.draftAcceptanceCriteria,
      requiredOutputs: [''],
      verificationRequirements: verifications,
      stopConditions: [''],
      assumptions: [],
      unresolvedQuestions: [],
      rationaleSummary: '',
    },
    blanks: [
      text('objective', 'What is to be achieved, as the frame says it.'),
      text('requiredOutputs[0]', 'What to hand over.'),
      texts('requiredOutputs', 'More.'),
      ...(verifications.length > 0
        ? [text('verificationRequirements[*].description', 'What its capability checks, what must be seen.'), fallback]
        : []),
      text('stopConditions[0]', 'When the work must stop.'),
      texts('stopConditions', 'More.'),
      list('assumptions', 'What you take for granted.', assumption(stand)),
      texts('unresolvedQuestions', 'What stays open.'),
      rationale(),
    ],
    variants: [],
  };
};

/** What a field holds now, as `how` shows it; the prior contract, cited in source_refs, has it whole. */
const present = (value: unknown): string => shorten(typeof value === 'string' ? value : JSON.stringify(value), 160);

/** A field of the revision: its value in the draft, and its blanks. */
type Corrected = Readonly<{ value: unknown; blanks: readonly Blank[] }>;

const again = (field: 'requiredOutputs' | 'stopConditions', how: string): Corrected => ({
  value: [''],
  blanks: [text(`${field}[0]`, how), texts(field, 'The others that are to hold.')],
});

/** A list that may become empty, unless it is: then something must be added for it to differ. */
const emptied = (field: keyof Contract, now: readonly unknown[], how: string, more: Blank): Corrected => {
  const element = more.element ?? { value: '', blanks: [text('', '')] };
  if (now.length > 0) return { value: [], blanks: [{ ...more, how }] };
  return {
    value: [element.value],
    blanks: element.blanks.map((blank) => ({
      ...blank,
      how: blank.how === '' ? how : blank.how,
      path: blank.path === '' ? `${field}[0]` : `${field}[0].${blank.path}`,
    })),
  };
};

const verificationsAgain = (now: Contract['verificationRequirements'], how: string): Corrected => {
  const at = 'verificationRequirements[*].description';
  if (now.length > 0)
    return { value: now.map((one) => ({ ...one, description: '' })), blanks: [text(at, how), fallback] };
  // Nothing has to be verified in this mode, so one more can only be a wish.
  const wish = {
    id: 'verification-01',
    stage: 'completion',
    description: '',
    required: false,
    capability: 'repository.read',
    fallback: null,
  };
  return { value: [wish], blanks: [text(at, how), fallback] };
};

/** The kept references stay; what is added was selected, or lies before the work. */
const contextAgain = (stand: Stand, now: readonly string[], how: string): Corrected => {
  const { record } = stand;
  const offered = [
    ...sourcesOf(record).map(({ ref }) => ref),
    ...(['ContextManifest', 'ProblemFrame', 'UserMessage', 'PromptReview'] as const).flatMap((type) => {
      const latest = record.latest(type);
      return latest ? [uriOf(latest)] : [];
    }),
  ].filter((ref) => !now.includes(ref));
  return { value: [...now, null], blanks: [choice(`contextRefs[${now.length}]`, how, offered)] };
};

const correct = (stand: Stand, prior: Contract, field: CorrectionField, how: string): Corrected => {
  switch (field) {
    case 'objective':
      return { value: '', blanks: [text(field, how)] };
    case 'rationaleSummary':
      return { value: '', blanks: [text(field, how)] };
    case 'requiredOutputs':
    case 'stopConditions':
      return again(field, how);
    case 'unresolvedQuestions':
      return emptied(field, prior[field], how, texts(field, how));
    case 'assumptions':
      return emptied(field, prior[field], how, list(field, how, assumption(stand)));
    case 'verificationRequirements':
      return verificationsAgain(prior[field], how);
    case 'contextRefs':
      return contextAgain(stand, prior[field], how);
  }
};

const isCorrectable = (field: string): field is CorrectionField => correctionFields.some((one) => one === field);

const revisedContract = (stand: Stand): Draft | null => {
  const prior = stand.record.latest('TaskContract');
  const review = stand.record.latest('PromptReview');
  if (!prior || !review) return null;
  const wanted = (field: string): string =>
    review.body.findings
      .filter((finding) => finding.severity === 'blocking' && finding.correctionFields.some((one) => one === field))
      .map(({ requiredCorrection }) => requiredCorrection ?? '')
      .join(' ');
  const corrected = correctionsOf(review.body)
    .filter(isCorrectable)
    .map((field) => {
      const how = `${shorten(wanted(field), 160)} Must differ from: ${present(prior.body[field])}`;
      return { field, ...correct(stand, prior.body, field, how) };
    });
  const changed: Fields = Object.fromEntries(corrected.map(({ field, value }) => [field, value]));
  return {
    body: { ...prior.body, ...headOf(stand, 'contract'), version: 2, ...changed },
    blanks: corrected.flatMap(({ blanks }) => blanks),
    variants: [],
    sourceRefs: [uriOf(prior), uriOf(review)],
  };
};

/**
 * The draft of a TaskContract. Compile: all that must repeat the frame, the whole authority of the run, and one required
 * verification a stage; null where authority has none that it could use. Revise: the prior contract, of which only the
 * fields that the review wants corrected are open (guidance sections 1 and 3, admission section 7).
 */
export const draftOfTaskContract = (stand: Stand): Draft | null =>
  stand.run.phase === 'agent_2_revise' ? revisedContract(stand) : firstContract(stand);
