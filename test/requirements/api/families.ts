import type { Requirement } from '../requirement.ts';

/** The families of artifacts: who owns each and what it holds. */
const owners = 'schemas/registry.test.ts > says which types move the run, in which phases, and who produces them';
const source = 'Families';

export const families: readonly Requirement[] = [
  {
    id: 'API-190',
    source,
    surface: 'schemas',
    behaviour:
      'The controller owns the RunEnvelope: the request, the host, the mode, the authority and the budgets, never changed.',
    proofs: [owners, 'start/start.test.ts > writes an envelope that stays active, with the budgets of the host'],
  },
  {
    id: 'API-191',
    source,
    surface: 'grounding',
    behaviour:
      'The controller owns the ContextManifest: what was selected and left out, with hashes, reasons and budgets.',
    proofs: [
      owners,
      'grounding/ground.test.ts > fits the schemas: wire form, canonical form and every document',
      'grounding/selection.test.ts > counts each reason that a still disk can give',
    ],
  },
  {
    id: 'API-192',
    source,
    surface: 'machines',
    behaviour: 'The controller owns the NextAction: one legal action with its output contract.',
    proofs: [
      'projection/nextAction.test.ts > the required type is accepted, each additional one too, and no other type is (I30)',
      'rules/token.test.ts > ADM-COM-01 refuses every type that the controller writes',
    ],
  },
  {
    id: 'API-193',
    source,
    surface: 'machines',
    behaviour: 'Any phase before the audit may ask a question; audit and report may not.',
    proofs: [
      'rules/token.test.ts > ADM-CLR-01 accepts a question in every phase before them',
      'rules/token.test.ts > ADM-CLR-01 refuses a question in audit and report',
      'machines/stateInvariants.test.ts > audit, report, clarification and terminal take no question',
    ],
  },
  {
    id: 'API-194',
    source,
    surface: 'schemas',
    behaviour: 'The scenario author owns the ProblemFrame: facts, inferences, unknowns, scope, risks and criteria.',
    proofs: [owners, 'rules/problemFrame.test.ts > ADM-FRAME-04 accepts the mode of the run'],
  },
  {
    id: 'API-195',
    source,
    surface: 'machines',
    behaviour: 'The criteria of the frame are frozen: the contract repeats them.',
    proofs: [
      'rules/taskContract.test.ts > ADM-CONTRACT-06 refuses the criteria in another order',
      'rules/taskContract.test.ts > ADM-CONTRACT-06 accepts the draft criteria',
    ],
  },
  {
    id: 'API-196',
    source,
    surface: 'schemas',
    behaviour: 'The scenario author owns the ScenarioSpec, which is optional and no authority.',
    proofs: [owners, 'requirements/run.test.ts > names no ScenarioSpec among the inputs of the compiler'],
  },
  {
    id: 'API-197',
    source,
    surface: 'machines',
    behaviour:
      'The task compiler owns the TaskContract: objective, constraints, permissions, evidence and done conditions.',
    proofs: [
      owners,
      'rules/taskContract.test.ts > ADM-CONTRACT-05 refuses other constraints and non-goals',
      'rules/taskContract.test.ts > ADM-CONTRACT-09 refuses a required verification without permission',
    ],
  },
  {
    id: 'API-198',
    source,
    surface: 'machines',
    behaviour:
      'The scenario author owns the PromptReview, which scores the contract by fixed weights and passes, revises or blocks it.',
    proofs: [
      owners,
      'schemas/promptReview.test.ts > of whole numbers equals the exact sum',
      'rules/promptReview.test.ts > ADM-REVIEW-01 refuses another target',
      'sdk/scriptedAuthor.test.ts > writes only admitted bodies: %s',
    ],
  },
  {
    id: 'API-199',
    source,
    surface: 'machines',
    behaviour:
      'The quality controller owns the WorkPlan: a validated serial graph of nodes with capabilities, budgets and stop conditions.',
    proofs: [
      owners,
      'rules/workPlan.test.ts > ADM-PLAN-02 refuses a plan whose validation is pending',
      'rules/workPlan.test.ts > ADM-PLAN-03 refuses a plan that is not serial',
      'schemas/issues.test.ts > finds a cycle exactly when no order of the nodes exists',
    ],
  },
  {
    id: 'API-200',
    source,
    surface: 'machines',
    behaviour: 'The executor owns Evidence, whose text holds no credential.',
    proofs: [
      owners,
      'rules/evidence.test.ts > ADM-EVID-05 refuses a credential in the content',
      'rules/evidence.test.ts > ADM-EVID-05 accepts a mark in its place',
    ],
  },
  {
    id: 'API-201',
    source,
    surface: 'machines',
    behaviour:
      'The executor owns the WorkResult: findings, actions, changes, tests and links to evidence, inside the node.',
    proofs: [
      owners,
      'rules/workResult.test.ts > ADM-RESULT-06 refuses a capability that the node does not allow',
      'rules/workResult.test.ts > ADM-RESULT-13 refuses a changed file that no action names',
    ],
  },
  {
    id: 'API-202',
    source,
    surface: 'machines',
    behaviour:
      'The quality controller owns the QualityReview: criteria, rules and permissions, a gate for the diagnosis and a bounded decision.',
    proofs: [
      owners,
      'rules/qualityReview.test.ts > ADM-QUALITY-07 refuses a criterion that is left out',
      'rules/qualityReview.test.ts > ADM-QUALITY-01 refuses a remediation when none is left',
      'rules/qualityReview.test.ts > ADM-QUALITY-17 refuses a pass of the diagnosis',
    ],
  },
  {
    id: 'API-203',
    source,
    surface: 'machines',
    behaviour:
      'The release auditor owns the ReleaseAudit: claims, evidence and the mode, judged apart from the review.',
    proofs: [
      owners,
      'rules/releaseAudit.test.ts > ADM-AUDIT-03 refuses an audit that does not judge the request',
      'rules/releaseAudit.test.ts > ADM-AUDIT-11 refuses a release that leaves out a criterion',
      'rules/releaseAudit.test.ts > ADM-AUDIT-04 refuses a remediation of a broken mode',
    ],
  },
  {
    id: 'API-204',
    source,
    surface: 'machines',
    behaviour: 'The release auditor owns the UserReport: audited claims, verification and the reference of the trace.',
    proofs: [
      owners,
      'rules/userReport.test.ts > ADM-REPORT-01 refuses the trace of another run',
      'rules/userReport.test.ts > ADM-REPORT-16 refuses a claim that was not audited',
      'rules/userReport.test.ts > ADM-REPORT-13 refuses verification evidence that is left out',
    ],
  },
  {
    id: 'API-205',
    source,
    surface: 'mcp',
    behaviour: 'The controller owns the TraceEvent: what can be seen of transitions, permissions and budgets.',
    proofs: [
      'requirements/reads.test.ts > and holds canonical events alone',
      'rules/token.test.ts > ADM-COM-01 refuses every type that the controller writes',
    ],
  },
  {
    id: 'API-206',
    source,
    surface: 'documents',
    behaviour: 'Bodies in the protocol page are explanations; the executable schema comes with the action.',
    proofs: [
      'docs/protocol.test.ts > show bodies that fit their schema',
      'schemas/jsonSchema.test.ts > of %s is one self-contained object schema with a dialect',
    ],
  },
];
