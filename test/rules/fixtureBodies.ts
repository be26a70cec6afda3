import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { artifactUri } from '../../machines/record.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';

/** The bodies of one small run, from its request to its report: they satisfy their schemas and the rules. */

export const runId = 'run-1';
export const priorId = 'run-0';
export const root = '/srv/fetchr';
export const at = '2026-03-02T09:00:00.000Z';
export const own = (id: string): string => artifactUri(runId, id);
export const source = 'repo://src/args.ts';
export const house = 'repo://AGENTS.md';
const sha = `sha256:${'a'.repeat(64)}`;
const otherSha = `sha256:${'b'.repeat(64)}`;
const head = (id: string) => ({ schemaVersion: '1.0', id, runId });
const why = 'Seen in the source.';

export const permissions = {
  ...emptyPermissions(),
  repository: { read: ['**'], write: ['src/args.ts'], delete: [] },
  shell: { inspect: true, executeAllowlist: ['npm test'] },
};

export const bodies = {
  request: () => ({ ...head('msg-01'), content: 'fetchr ignores --timeout. Find out why and fix it.' }),
  envelope: (mode: IntentMode = 'analyze_and_fix') => ({
    schemaVersion: '1.0',
    runId,
    createdAt: at,
    originalRequestRef: own('msg-01'),
    followupRequestRefs: [],
    requestedMode: mode,
    topology: 'forensic',
    status: 'active',
    workingContext: { repositoryRoot: root, activeFiles: [], applicableRuleRefs: [] },
    host: { name: 'sample-host', version: null, nativeSubagents: 'unknown', capabilities: ['repository.read'] },
    authorization: { granted: permissions, denied: emptyPermissions() },
    budgets: { promptRevisions: 1, postExecutionRemediations: 1, maximumParallelWorkers: 1, maximumSubagentDepth: 0 },
    policyRefs: [],
  }),
  document: () => ({
    ...head('doc-01'),
    repositoryRef: source,
    contentHash: sha,
    sizeBytes: 4,
    trustKind: 'untrusted_repository_content',
    instructionScope: null,
    content: 'code',
  }),
  manifest: () => ({
    ...head('context-01'),
    repositoryFingerprint: { headCommit: null, dirtyWorktreeHash: sha },
    pinnedRefs: [house],
    candidates: [house, source].map((ref, index) => ({
      id: `candidate-000${index + 1}`,
      ref,
      locations: [ref.slice(7)],
      contentHash: sha,
      byteSize: 4,
      decision: 'selected',
      selectionReason: 'It matches.',
      path: ref.slice(7),
      score: 1,
      pinned: ref === house,
    })),
    derivedRefs: [own('doc-01')],
    excludedCandidateSummaries: [],
    inventorySource: 'git',
    warnings: [],
    budget: {
      maximumFiles: 48,
      maximumFileBytes: 1000,
      maximumTotalBytes: 1000,
      maximumInventoryFiles: 1000,
      candidateFiles: 2,
      selectedFiles: 2,
      selectedBytes: 8,
      estimatedTokens: 2,
    },
  }),
  question: () => ({
    ...head('clarify-01'),
    question: 'Seconds or milliseconds?',
    reason: 'user_owned_materially_divergent',
    divergence: 'The readings differ by a factor of one thousand.',
    evidenceInspected: [own('msg-01')],
    blockedBoundary: 'flag semantics',
    responseConstraints: 'Pick one id.',
    responseChoices: [
      choice('seconds', 'resume', 'Five means five seconds.'),
      choice('stop', 'cancel', 'The run ends without a change.'),
    ],
    permissionExpansionRequired: false,
    rationaleSummary: why,
  }),
  frame: () => ({
    ...head('frame-01'),
    originalRequestRef: own('msg-01'),
    intentMode: 'analyze_and_fix',
    goal: 'Make --timeout take effect.',
    knownFacts: [
      { id: 'KF-1', claim: 'The wait is 30 seconds.', provenance: 'user', sourceRef: own('msg-01') },
      { id: 'KF-2', claim: 'The value stays a string.', provenance: 'repository', sourceRef: source },
    ],
    inferences: [{ id: 'INF-1', claim: 'The deadline wants a number.', sourceRefs: [source], confidence: 0.8 }],
    unknowns: [],
    scope: { include: ['src/args.ts'], exclude: ['docs/**'] },
    constraints: ['Keep the flag names.'],
    nonGoals: ['No new dependency.'],
    applicableRuleRefs: [house],
    draftAcceptanceCriteria: [
      { id: 'AC-1', stage: 'diagnosis', requirement: 'The cause is shown.', evidenceRequired: ['output'] },
      { id: 'AC-2', stage: 'completion', requirement: 'It ends after five seconds.', evidenceRequired: ['output'] },
    ],
    clarification: { required: false, reason: null },
    rationaleSummary: why,
  }),
  scenario: () => ({
    ...head('scenario-01'),
    problemFrameRef: own('frame-01'),
    title: 'The ignored timeout',
    narrative: 'A user waits.',
    actor: 'CLI user',
    observableSymptoms: [],
    desiredOutcome: 'It takes effect.',
    sourceMap: [{ field: 'narrative', sourceRefs: [own('frame-01')] }],
    promptReadinessRubricRef: 'artifact://system/rubrics/contract-readiness-v1',
    rationaleSummary: why,
  }),
  contract: () => {
    const frame = bodies.frame();
    return {
      ...head('contract-01'),
      version: 1,
      originalRequestRef: own('msg-01'),
      problemFrameRef: own('frame-01'),
      intentMode: 'analyze_and_fix',
      objective: 'Make --timeout take effect.',
      scope: frame.scope,
      constraints: frame.constraints,
      nonGoals: frame.nonGoals,
      contextRefs: [source],
      ruleRefs: [house],
      permissions,
      acceptanceCriteria: frame.draftAcceptanceCriteria,
      requiredOutputs: ['A patch'],
      verificationRequirements: [
        verification('VR-1', 'diagnosis', 'repository.read'),
        verification('VR-2', 'completion', 'shell.execute'),
      ],
      stopConditions: ['Stop outside the scope.'],
      assumptions: [],
      unresolvedQuestions: [],
      rationaleSummary: why,
    };
  },
  review: () => ({
    ...head('review-01'),
    targetRef: own('contract-01'),
    rubricId: 'contract-readiness-v1',
    revisionNumber: 0,
    coverage: [
      coverage(own('msg-01'), ['objective', 'intentMode']),
      coverage(own('frame-01'), ['scope', 'constraints', 'nonGoals', 'acceptanceCriteria', 'ruleRefs']),
      coverage(own('contract-01'), [
        'permissions',
        'contextRefs',
        'requiredOutputs',
        'verificationRequirements',
        'stopConditions',
        'assumptions',
        'unresolvedQuestions',
      ]),
    ],
    dimensionScores: {
      intentFidelity: 90,
      repositoryGrounding: 90,
      constraintsAndPermissions: 90,
      testableAcceptance: 90,
      executionFeasibility: 90,
      contextEfficiency: 90,
    },
    overallScore: 90,
    hardGates: [gate(own('contract-01'))],
    findings: [],
    decision: 'pass',
    rationaleSummary: why,
  }),
  /** A review that asks to correct `objective` and to keep `scope`. */
  revising: () => ({
    ...bodies.review(),
    findings: [correction(['objective'], ['scope', 'id', 'version'])],
    decision: 'revise',
  }),
  revised: () => ({
    ...bodies.contract(),
    id: 'contract-02',
    version: 2,
    objective: 'Make --timeout count in seconds.',
  }),
  plan: () => ({
    ...head('plan-01'),
    taskContractRef: own('contract-01'),
    executionMode: 'serial',
    nodes: [node('diagnose', ['AC-1'])],
    joinRules: [],
    globalBudgets: { maximumToolCalls: 10, maximumParallelWorkers: 1, maximumSubagentDepth: 0 },
    planValidation: 'valid',
    rationaleSummary: why,
  }),
  evidence: (id: string, kind: string) => ({
    ...head(id),
    kind,
    capturedAt: at,
    summary: 'Output of the tests.',
    contentType: 'text/plain',
    encoding: 'utf8',
    content: 'ok 1 - numeric timeout\n',
    sourceRefs: [],
    redactions: [],
    rationaleSummary: why,
  }),
  result: () => ({
    ...head('result-01'),
    workPlanRef: own('plan-01'),
    nodeId: 'diagnose',
    status: 'completed',
    observations: [
      { id: 'OB-1', text: 'It stays a string.', status: 'observed', evidenceRefs: [own('doc-01')], confidence: 1 },
    ],
    inferences: [],
    actions: [action('repository.read', 'src/args.ts', own('ev-repo'))],
    filesChanged: [],
    toolEventRefs: [],
    evidenceRefs: [own('ev-repo')],
    testResults: [
      {
        id: 'T-1',
        name: 'npm test',
        status: 'passed',
        commandRef: own('ev-log'),
        outputRef: own('ev-test'),
        exitCode: 0,
        rationaleSummary: why,
      },
    ],
    acceptanceCoverage: [
      { criterionId: 'AC-1', status: 'pass', evidenceRefs: [own('ev-test')], rationaleSummary: why },
    ],
    unresolvedIssues: [],
    deviations: [],
    rationaleSummary: why,
  }),
  quality: () => ({
    ...head('quality-01'),
    taskContractRef: own('contract-01'),
    workPlanRefs: [own('plan-01')],
    workResultRefs: [own('result-01')],
    rubricId: 'execution-quality-v1',
    acceptanceResults: [{ criterionId: 'AC-1', status: 'pass', evidenceRefs: [own('ev-test')], rationaleSummary: why }],
    ruleCompliance: [check(house, own('ev-test'))],
    regressionChecks: [],
    verificationResults: [
      {
        requirementId: 'VR-1',
        capability: 'repository.read',
        status: 'pass',
        evidenceRefs: [own('ev-repo')],
        rationaleSummary: why,
      },
    ],
    findings: [],
    hardGates: [gate(own('ev-test'))],
    score: 90,
    remainingRemediations: 1,
    reviewKind: 'spot',
    decision: 'partial',
    diagnosisGate: null,
    remediationWorkOrder: null,
    rationaleSummary: why,
  }),
  audit: () => ({
    ...head('audit-01'),
    originalRequestRef: own('msg-01'),
    taskContractRef: own('contract-01'),
    workPlanRefs: [own('plan-01')],
    workResultRefs: [own('result-01')],
    qualityReviewRef: own('quality-01'),
    userFidelity: [check(own('msg-01'), own('ev-test'))],
    modeCompliance: 'pass',
    claimEvidenceMatrix: [claim('direct', own('ev-test'))],
    unresolvedRisks: ['One case is open.'],
    findings: [],
    remainingRemediations: 1,
    decision: 'partial',
    remediationDefect: null,
    userReportRef: own('report-01'),
    rationaleSummary: why,
  }),
  report: () => ({
    ...head('report-01'),
    terminalStatus: 'partial',
    summary: 'The cause is known.',
    completionClaims: [
      { id: 'CC-1', text: 'It is shown.', status: 'observed', evidenceRefs: [own('ev-test')], confidence: 1 },
    ],
    findingRefs: [],
    changeRefs: [],
    verificationRefs: [own('ev-test')],
    unresolvedRisks: ['One case is open.'],
    permissionsHonored: true,
    nextActions: [],
    traceRef: `trace://${runId}`,
    rationaleSummary: why,
  }),
};

export const choice = (id: string, runEffect: string, consequence: string) => ({
  id,
  label: id,
  consequence,
  authorityEffect: runEffect === 'new_run' ? 'requires_new_run' : 'within_current_authority',
  runEffect,
});
export const verification = (id: string, stage: string, capability: string, required = true) => ({
  id,
  stage,
  description: 'Show it.',
  required,
  capability,
  fallback: null,
});
export const coverage = (sourceRef: string, contractFields: string[]) => ({
  sourceRef,
  contractFields,
  status: 'covered',
});
export const gate = (evidence: string, passed = true) => ({
  id: 'HG-1',
  passed,
  description: 'Inside the request.',
  evidenceRefs: [evidence],
  rationaleSummary: why,
});
export const correction = (correctionFields: string[], preserveFields: string[], severity = 'blocking') => ({
  id: 'FIND-1',
  severity,
  claim: 'It is vague.',
  sourceRefs: [own('contract-01')],
  rubricDimension: null,
  requiredCorrection: 'Say it exactly.',
  preserveFields,
  correctionFields,
  rationaleSummary: why,
});
export const node = (id: string, acceptanceCriteria: string[]) => ({
  id,
  logicalRole: 'executor',
  objective: 'Show the cause.',
  dependsOn: [],
  inputRefs: [own('contract-01')],
  contextRefs: [source],
  allowedTools: ['repository.read'],
  requiredCapabilities: ['repository.read'],
  permissions: { ...emptyPermissions(), repository: { read: ['**'], write: [], delete: [] } },
  outputType: 'WorkResult',
  acceptanceCriteria,
  stopConditions: [],
  budgets: { maximumToolCalls: 10, maximumChildren: 0 },
});
export const action = (capability: string, target: string, evidence: string) => ({
  id: 'ACT-1',
  capability,
  target,
  mutating: false,
  status: 'completed',
  evidenceRefs: [evidence],
  rationaleSummary: why,
});
export const change = (path: string, diffRef: string) => ({
  path,
  changeType: 'modified',
  beforeHash: sha,
  afterHash: otherSha,
  diffRef,
});
export const check = (subjectRef: string, evidence: string) => ({
  id: 'CH-1',
  subjectRef,
  description: 'It was kept.',
  status: 'pass',
  evidenceRefs: [evidence],
  rationaleSummary: why,
});
export const claim = (basis: string, evidence: string, criterionIds = ['AC-1']) => ({
  claimId: 'CL-1',
  claim: 'The cause is shown.',
  criterionIds,
  basis,
  status: 'supported',
  evidenceRefs: [evidence],
  rationaleSummary: why,
});
