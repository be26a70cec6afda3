import { passingScore } from '../../schemas/artifacts/promptReview.ts';
import type { Blank, Variant } from '../../schemas/brief.ts';
import { parseArtifactUri, type RunRecord, uriOf } from '../record.ts';
import { distinct } from '../rules/derived.ts';
import { decisionsNow } from '../rules/qualityDecision.ts';
import { changedSomething } from '../rules/qualityReview.ts';
import { backingOf, keptVerifications, type Requirement, reviewScopeOf, showingActions } from '../rules/reviewScope.ts';
import { choice, type Draft, headOf, most, number, rationale, type Stand, text } from './draft.ts';
import { executionGates } from './instructions/executionQuality.ts';
import { canPass, numbered, type Verdict, verdict, verdictBlanks, words } from './verdicts.ts';
import { criteriaBlank, type DraftedOrder, draftOrder, orderBlanks, orderBody } from './workOrder.ts';

/** What a check of the whole cites: more of it would say no more. */
const mostOfGate = 1;

interface Shown {
  readonly refs: readonly string[];
  /** The rules let it pass with these references. */
  readonly passes: boolean;
}

const nothing: Shown = { refs: [], passes: false };

/** Any part of what passed it will do (QUALITY-08); what was kept is cited whole. */
const criterionShown = (stand: Stand, criterionId: string): Shown => {
  const { executed, planRef, results } = reviewScopeOf(stand);
  if (!executed) return planRef === undefined ? nothing : { refs: [planRef], passes: true };
  const { current, kept } = backingOf(stand, criterionId);
  const backing = current[0]?.slice(0, most.references) ?? kept.at(-1);
  if (backing) return { refs: backing, passes: true };
  const seen = results
    .flatMap(({ body }) => body.acceptanceCoverage)
    .findLast((covered) => covered.criterionId === criterionId && covered.evidenceRefs.length > 0);
  return { refs: seen?.evidenceRefs.slice(0, most.references) ?? [], passes: false };
};

const verificationShown = (stand: Stand, requirement: Requirement): Shown => {
  const { executed, planRef, results } = reviewScopeOf(stand);
  if (!executed) return planRef === undefined ? nothing : { refs: [planRef], passes: true };
  const [action] = showingActions(stand, requirement);
  const backing = action?.evidenceRefs.slice(0, most.references) ?? keptVerifications(stand, requirement).at(-1);
  if (backing) return { refs: backing, passes: true };
  const seen = results
    .flatMap(({ body }) => body.actions)
    .findLast(({ capability, evidenceRefs }) => capability === requirement.capability && evidenceRefs.length > 0);
  return { refs: seen?.evidenceRefs.slice(0, most.references) ?? [], passes: false };
};

const criterionVerdict = (stand: Stand, criterionId: string): Verdict => {
  const { refs, passes } = criterionShown(stand, criterionId);
  const element = { criterionId, status: null, evidenceRefs: refs, rationaleSummary: '' };
  return verdict(element, words(refs.length > 0, passes, ['unverified']));
};

const verificationVerdict = (stand: Stand, requirement: Requirement): Verdict => {
  const { id, capability, required } = requirement;
  const { refs, passes } = verificationShown(stand, requirement);
  const element = { requirementId: id, capability, status: null, evidenceRefs: refs, rationaleSummary: '' };
  return verdict(element, words(refs.length > 0, passes, ['unverified', 'unavailable']), required);
};

/** The newest of what shows anything: a check of the whole looks at how things stand now. */
const newestOf = (record: RunRecord, refs: readonly string[]): readonly string[] => {
  const age = (ref: string): number => record.indexOf(parseArtifactUri(ref)?.id ?? '');
  return refs.toSorted((one, other) => age(one) - age(other)).slice(-mostOfGate);
};

const ruleVerdict = (subjectRef: string, index: number, proof: readonly string[]): Verdict =>
  verdict(
    {
      id: numbered('rule', index),
      subjectRef,
      description: 'Was this rule kept?',
      status: null,
      evidenceRefs: proof,
      rationaleSummary: '',
    },
    words(proof.length > 0, true, ['unverified']),
  );

const refsIn = (verdicts: readonly Verdict[]): readonly string[] =>
  distinct(
    verdicts.flatMap(({ element: { evidenceRefs } }) =>
      Array.isArray(evidenceRefs) ? evidenceRefs.filter((ref) => typeof ref === 'string') : [],
    ),
  );

interface Judged {
  readonly criteria: readonly Verdict[];
  readonly rules: readonly Verdict[];
  readonly verifications: readonly Verdict[];
  /** Everything that shows anything. */
  readonly proof: readonly string[];
  /** What the gates cite: the result itself where nothing was captured, and then no gate is passed (REF-19). */
  readonly gateRefs: readonly string[];
}

const judge = (stand: Stand): Judged => {
  const { record } = stand;
  const { contract, criteria: due, requirements, results } = reviewScopeOf(stand);
  const criteria = due.map((id) => criterionVerdict(stand, id));
  const verifications = requirements.map((requirement) => verificationVerdict(stand, requirement));
  const shown = refsIn([...criteria, ...verifications]);
  const proof = shown.length > 0 ? shown : record.all('Evidence').slice(-mostOfGate).map(uriOf);
  return {
    criteria,
    rules: distinct(contract?.body.ruleRefs ?? []).map((ref, index) =>
      ruleVerdict(ref, index, newestOf(record, proof)),
    ),
    verifications,
    proof,
    gateRefs: newestOf(record, proof.length > 0 ? proof : results.map(uriOf)),
  };
};

const gates = (answers: readonly boolean[]): Blank =>
  choice('hardGates[*].passed', 'Your answer to its description.', answers);
const score = (least: number): Blank => number('score', 'How good it is, 100 is best.', least, 100);

const verdicts = ({ criteria, rules, verifications }: Judged, words: 'open' | 'passing'): readonly Blank[] => [
  ...verdictBlanks('acceptanceResults', 'Does its evidence show it?', criteria, words),
  ...verdictBlanks('ruleCompliance', 'Was the rule kept?', rules, words),
  ...verdictBlanks('verificationResults', 'What the check gave.', verifications, words),
];

const passVariant = (judged: Judged): Variant => ({
  name: 'pass',
  when: 'Every criterion, rule and required check passes, and every gate holds.',
  patch: { decision: 'pass' },
  blanks: [...verdicts(judged, 'passing'), gates([true]), score(passingScore)],
});

const onwardVariant = (judged: Judged, order: DraftedOrder): Variant => {
  const at = 'diagnosisGate.correctionWorkOrder';
  return {
    name: 'proceed_to_fix',
    when: 'The cause is shown by evidence, and the fix lies within the contract.',
    patch: {
      decision: 'proceed_to_fix',
      diagnosisGate: {
        id: 'diagnosis-01',
        status: 'supported',
        rootCause: '',
        directEvidenceRefs: order.sourceRefs,
        correctionWorkOrder: {
          ...orderBody('correction-01', order),
          targetCriterionIds: order.criteria,
          objective: '',
        },
        withinApprovedScope: true,
        permissionsSufficient: true,
        rationaleSummary: '',
      },
    },
    blanks: [
      // Criteria may stay open here; everything else has to pass.
      ...verdicts({ ...judged, criteria: [] }, 'passing'),
      gates([true]),
      score(passingScore),
      text('diagnosisGate.rootCause', 'The cause, as the evidence shows it.'),
      rationale('diagnosisGate.rationaleSummary'),
      ...orderBlanks(at, order, 'objective'),
    ],
  };
};

const remediateVariant = (order: DraftedOrder): Variant => {
  const at = 'remediationWorkOrder';
  return {
    name: 'remediate',
    when: 'Work must be done again: say in rationales and order what is wrong. It is the one remediation of the run.',
    patch: {
      decision: 'remediate',
      [at]: { ...orderBody('remediation-01', order), failedCriterionIds: [], objective: '' },
    },
    blanks: [criteriaBlank(at, order), ...orderBlanks(at, order, 'objective')],
  };
};

const ending = (name: 'partial' | 'block', when: string): Variant => ({
  name,
  when,
  patch: { decision: name },
  blanks: [],
});

const variantsOf = (stand: Stand, judged: Judged, control: string): readonly Variant[] => {
  const { run } = stand;
  const { contract, executed, unlocked, limited, planRef, results, criteria } = reviewScopeOf(stand);
  if (!contract) return [];
  const { proof, rules, verifications } = judged;
  const isOpen = (decision: string): boolean => decisionsNow(run).includes(decision);
  const goesOn =
    (!executed || run.nodesCompleted === true) && proof.length > 0 && canPass(rules) && canPass(verifications);
  const changes = run.mode === 'fix_only' || unlocked;
  const passes = isOpen('pass') && goesOn && canPass(judged.criteria) && (!changes || changedSomething(stand));
  const correction =
    isOpen('proceed_to_fix') && goesOn
      ? draftOrder(stand, {
          contract,
          control,
          mode: run.mode,
          criteria: contract.body.acceptanceCriteria.flatMap(({ id, stage }) => (stage === 'completion' ? [id] : [])),
          sources: proof,
          correcting: true,
        })
      : null;
  const remediation = isOpen('remediate')
    ? draftOrder(stand, {
        contract,
        control,
        mode: limited ? 'analyze_only' : run.mode,
        criteria,
        sources: [...(planRef === undefined ? [] : [planRef]), ...results.map(uriOf)],
        correcting: false,
      })
    : null;
  const barred =
    isOpen('proceed_to_fix') && !correction
      ? ' proceed_to_fix is not open: it needs each node completed, and each rule and check passing.'
      : '';
  return [
    ...(passes ? [passVariant(judged)] : []),
    ...(correction ? [onwardVariant(judged, correction)] : []),
    ...(remediation ? [remediateVariant(remediation)] : []),
    ending('partial', `Not everything is shown; the run then ends partial.${barred}`),
    ending('block', 'Something stands against the result; the run then ends blocked.'),
  ];
};

/**
 * The draft of a QualityReview: each criterion, rule and verification that is due, with the evidence that can carry it,
 * and the decisions that this evidence leaves open (guidance section 1, admission section 10). Null only in a damaged
 * record.
 */
export const draftOfQualityReview = (stand: Stand): Draft | null => {
  const { run } = stand;
  const { contract, planRef, results } = reviewScopeOf(stand);
  if (!contract || planRef === undefined) return null;
  const head = headOf(stand, 'quality-review');
  const judged = judge(stand);
  const { criteria, rules, verifications, proof, gateRefs } = judged;
  return {
    body: {
      ...head,
      taskContractRef: uriOf(contract),
      workPlanRefs: [planRef],
      workResultRefs: results.map(uriOf),
      rubricId: 'execution-quality-v1',
      acceptanceResults: criteria.map(({ element }) => element),
      ruleCompliance: rules.map(({ element }) => element),
      regressionChecks: [],
      verificationResults: verifications.map(({ element }) => element),
      findings: [],
      hardGates: executionGates.map(({ id, question }) => ({
        id,
        passed: null,
        description: question,
        evidenceRefs: gateRefs,
        rationaleSummary: '',
      })),
      score: null,
      remainingRemediations: run.budgets.remediations,
      reviewKind: run.phase === 'agent_3_evidence_reverify' ? 'evidence_reverify' : 'spot',
      decision: null,
      diagnosisGate: null,
      remediationWorkOrder: null,
      rationaleSummary: '',
    },
    blanks: [
      ...verdicts(judged, 'open'),
      ...['acceptanceResults', 'ruleCompliance', 'verificationResults', 'hardGates'].map((list) =>
        text(`${list}[*].rationaleSummary`, 'Why.'),
      ),
      gates(proof.length > 0 ? [true, false] : [false]),
      score(0),
      rationale(),
    ],
    variants: variantsOf(stand, judged, head.id),
  };
};
