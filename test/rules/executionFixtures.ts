import { expect, it } from 'vitest';
import { caseOf } from '../../machines/case.ts';
import type { RunContext } from '../../machines/context.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import type { ResolvedTarget } from '../../machines/permissions/resolved.ts';
import { type AnyArtifact, emptyRecord, type RunRecord } from '../../machines/record.ts';
import type { BookEntry, Query, RuledType, RuleFinding } from '../../machines/rules/book.ts';
import type { Finding } from '../../schemas/failure.ts';
import { checkBody } from '../../schemas/issues.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';
import type { IntentMode, StoredType } from '../../schemas/vocabulary.ts';
import { type Call, expectTaught } from './expectTaught.ts';
import {
  action,
  at,
  bodies,
  change,
  check,
  gate,
  own,
  pinned,
  root,
  run,
  runId,
  stored,
  verification,
} from './fixtures.ts';

/** Runs from their contract to their report, in each mode, whose bodies satisfy their schemas and the rules. */

type Json = Record<string, unknown>;
export type Body = ReturnType<typeof JSON.parse>;

const why = 'Seen in the output.';

export const grant = (more: Partial<PermissionSet> = {}): PermissionSet => ({ ...emptyPermissions(), ...more });

const reading = { read: ['**'], write: [], delete: [] };
const writing = { read: ['**'], write: ['src/**'], delete: ['src/**'] };
const testing = { inspect: true, executeAllowlist: ['npm test'] };

export const granted = grant({
  repository: writing,
  shell: testing,
  subagents: { spawn: true, maximumChildren: 3, maximumDepth: 1 },
});

/** What the contract of a mode may do. */
export const authority = (mode: IntentMode): PermissionSet => {
  if (mode === 'report_only') return grant();
  if (mode === 'plan_only') return grant({ repository: reading });
  if (mode === 'analyze_only') return grant({ repository: reading, shell: { inspect: true, executeAllowlist: [] } });
  return granted;
};

const staged = (mode: IntentMode): boolean => mode === 'analyze_and_fix';
const executes = (mode: IntentMode): boolean => mode !== 'report_only' && mode !== 'plan_only';

/** AC-1 belongs to the diagnosis of analyze_and_fix, AC-2 to its fix; elsewhere both to the completion. */
export const contract = (mode: IntentMode, more: Json = {}): Body => ({
  ...bodies.contract(),
  intentMode: mode,
  permissions: authority(mode),
  acceptanceCriteria: [
    { id: 'AC-1', stage: staged(mode) ? 'diagnosis' : 'completion', requirement: 'Shown.', evidenceRequired: ['out'] },
    { id: 'AC-2', stage: 'completion', requirement: 'It ends in time.', evidenceRequired: ['out'] },
  ],
  verificationRequirements: staged(mode)
    ? [verification('VR-1', 'diagnosis', 'repository.read'), verification('VR-2', 'completion', 'shell.execute')]
    : executes(mode) || mode === 'plan_only'
      ? [verification('VR-1', 'completion', 'repository.read')]
      : [],
  ...more,
});

export const node = (id: string, tools: readonly string[], criteria: readonly string[], more: Json = {}): Body => ({
  id,
  logicalRole: 'executor',
  objective: 'Do it.',
  dependsOn: [],
  inputRefs: [own('contract-01')],
  contextRefs: [],
  allowedTools: tools,
  requiredCapabilities: tools,
  permissions: grant({
    repository: {
      read: tools.includes('repository.read') ? ['**'] : [],
      write: tools.includes('repository.write') ? ['src/**'] : [],
      delete: tools.includes('repository.delete') ? ['src/**'] : [],
    },
    shell: {
      inspect: tools.includes('shell.inspect'),
      executeAllowlist: tools.includes('shell.execute') ? ['npm test'] : [],
    },
  }),
  outputType: 'WorkResult',
  acceptanceCriteria: criteria,
  stopConditions: [],
  budgets: { maximumToolCalls: 8, maximumChildren: 0 },
  ...more,
});

export const planOf = (nodes: readonly Body[], more: Json = {}): Body => ({
  ...bodies.plan(),
  nodes,
  globalBudgets: { maximumToolCalls: 8 * nodes.length, maximumParallelWorkers: 1, maximumSubagentDepth: 0 },
  ...more,
});

/** The first plan of a mode: one node that covers what is due. */
export const plan = (mode: IntentMode, more: Json = {}): Body => {
  if (staged(mode)) return planOf([node('diagnose', ['repository.read'], ['AC-1'])], more);
  if (mode === 'fix_only')
    return planOf([node('fix', ['repository.read', 'repository.write'], ['AC-1', 'AC-2'])], more);
  if (mode === 'report_only') return planOf([node('answer', [], ['AC-1', 'AC-2'])], more);
  return planOf([node('look', ['repository.read'], ['AC-1', 'AC-2'])], more);
};

/** The plan that unlocks the fix. */
export const fixPlan = (more: Json = {}): Body =>
  planOf(
    [
      node('fix', ['repository.write', 'shell.execute'], ['AC-2'], {
        inputRefs: [own('contract-01'), own('quality-01')],
      }),
    ],
    { id: 'plan-02', ...more },
  );

export const act = (id: string, capability: string, target: string, evidence: string, more: Json = {}): Body => ({
  ...action(capability, target, own(evidence)),
  id,
  ...more,
});

export const covered = (id: string, evidence: string, status = 'pass'): Body => ({
  criterionId: id,
  status,
  evidenceRefs: [own(evidence)],
  rationaleSummary: why,
});

const looked = (): Body => act('ACT-1', 'repository.read', 'src/args.ts', 'ev-repo');
const wrote = (): Body => act('ACT-1', 'repository.write', 'src/args.ts', 'ev-diff', { mutating: true });

/** The result of the first plan of a mode. */
export const result = (mode: IntentMode, more: Json = {}): Body => ({
  ...bodies.result(),
  nodeId: plan(mode).nodes[0].id,
  observations: [],
  testResults: [],
  actions: mode === 'fix_only' ? [wrote(), act('ACT-2', 'repository.read', 'src/args.ts', 'ev-repo')] : [looked()],
  filesChanged: mode === 'fix_only' ? [change('src/args.ts', own('ev-diff'))] : [],
  acceptanceCoverage: plan(mode).nodes[0].acceptanceCriteria.map((id: string) => covered(id, 'ev-repo')),
  ...more,
});

/** The result of the fix of analyze_and_fix. */
export const fixResult = (more: Json = {}): Body => ({
  ...result('fix_only'),
  id: 'result-02',
  workPlanRef: own('plan-02'),
  nodeId: 'fix',
  actions: [wrote(), act('ACT-2', 'shell.execute', 'npm test', 'ev-test')],
  acceptanceCoverage: [covered('AC-2', 'ev-test')],
  ...more,
});

export const order = (field: string, criteria: readonly string[], more: Json = {}): Body => ({
  id: 'ORDER-1',
  [field]: criteria,
  objective: 'Mend it.',
  allowedCapabilities: ['repository.read'],
  permissions: grant({ repository: reading }),
  sourceRefs: [own('ev-repo')],
  maximumToolCalls: 20,
  rationaleSummary: why,
  ...more,
});

export const correctionOrder = (more: Json = {}): Body =>
  order('targetCriterionIds', ['AC-2'], {
    allowedCapabilities: ['repository.write', 'shell.execute'],
    permissions: grant({
      repository: { read: [], write: ['src/**'], delete: [] },
      shell: { inspect: false, executeAllowlist: ['npm test'] },
    }),
    ...more,
  });

export const diagnosisGate = (more: Json = {}): Body => ({
  id: 'DG-1',
  status: 'supported',
  rootCause: 'The value stays a string.',
  directEvidenceRefs: [own('ev-repo')],
  correctionWorkOrder: correctionOrder(),
  withinApprovedScope: true,
  permissionsSufficient: true,
  rationaleSummary: why,
  ...more,
});

const passed = (requirementId: string, capability: string, evidence: string): Body => ({
  requirementId,
  capability,
  status: 'pass',
  evidenceRefs: [own(evidence)],
  rationaleSummary: why,
});

/** A review of the first plan of a mode: pass, in analyze_and_fix proceed_to_fix. */
export const review = (mode: IntentMode, more: Json = {}): Body => ({
  ...bodies.quality(),
  workResultRefs: executes(mode) ? [own('result-01')] : [],
  acceptanceResults: (staged(mode) ? ['AC-1'] : ['AC-1', 'AC-2']).map((id) => covered(id, 'ev-repo')),
  ruleCompliance: [check('repo://AGENTS.md', own('ev-repo'))],
  verificationResults: mode === 'report_only' ? [] : [passed('VR-1', 'repository.read', 'ev-repo')],
  hardGates: [gate(own('ev-repo'))],
  decision: staged(mode) ? 'proceed_to_fix' : 'pass',
  diagnosisGate: staged(mode) ? diagnosisGate() : null,
  ...more,
});

export const remediating = (mode: IntentMode, more: Json = {}): Body =>
  review(mode, {
    decision: 'remediate',
    diagnosisGate: null,
    remediationWorkOrder: order('failedCriterionIds', ['AC-1']),
    ...more,
  });

/** The review of the fix of analyze_and_fix. */
export const fixReview = (more: Json = {}): Body => ({
  ...review('fix_only'),
  id: 'quality-02',
  workPlanRefs: [own('plan-02')],
  workResultRefs: [own('result-02')],
  acceptanceResults: [covered('AC-1', 'ev-repo'), covered('AC-2', 'ev-test')],
  verificationResults: [passed('VR-1', 'repository.read', 'ev-repo'), passed('VR-2', 'shell.execute', 'ev-test')],
  ...more,
});

export const claimOf = (id: string, criterionIds: readonly string[], more: Json = {}): Body => ({
  claimId: id,
  claim: 'It ends in time.',
  criterionIds,
  basis: 'direct',
  status: 'supported',
  evidenceRefs: [own('ev-repo')],
  rationaleSummary: why,
  ...more,
});

export const audit = (mode: IntentMode, more: Json = {}): Body => ({
  ...bodies.audit(),
  workResultRefs: executes(mode) ? [own('result-01')] : [],
  userFidelity: [check(own('msg-01'), own('ev-repo'))],
  claimEvidenceMatrix: [claimOf('CL-1', ['AC-1', 'AC-2'])],
  unresolvedRisks: [],
  decision: 'release',
  ...more,
});

export const defect = (more: Json = {}): Body => {
  const { objective: _objective, ...rest } = order('failedCriterionIds', ['AC-1'], more);
  return { ...rest, description: 'It is not shown.', returnToRole: 'quality_controller' };
};

export const report = (mode: IntentMode, more: Json = {}): Body => ({
  ...bodies.report(),
  terminalStatus: 'completed',
  completionClaims: [
    { id: 'CL-1', text: 'It ends in time.', status: 'observed', evidenceRefs: [own('ev-repo')], confidence: 1 },
  ],
  changeRefs: mode === 'fix_only' ? [own('ev-diff')] : [],
  verificationRefs: mode === 'report_only' ? [] : [own('ev-repo')],
  unresolvedRisks: [],
  ...more,
});

export const receipt = (more: Json = {}): Body => ({
  schemaVersion: '1.0',
  id: 'receipt-01',
  runId,
  controllingReviewRef: own('quality-01'),
  claimEvidenceMatrix: [claimOf('claim-AC-1', ['AC-1'])],
  digestStatus: 'verified',
  verifiedAt: at,
  ...more,
});

export type Step = readonly [StoredType, Body];

export const start = (mode: IntentMode, more: Json = {}): readonly Step[] => [
  ['UserMessage', bodies.request()],
  ['RunEnvelope', { ...bodies.envelope(mode), authorization: { granted, denied: emptyPermissions() }, ...more }],
  ['TaskContract', contract(mode)],
];

const evidence: readonly Step[] = [
  ['Evidence', bodies.evidence('ev-repo', 'repository')],
  ['Evidence', bodies.evidence('ev-diff', 'diff')],
  ['Evidence', bodies.evidence('ev-test', 'test')],
];

export const planned = (mode: IntentMode): readonly Step[] => [...start(mode), ['WorkPlan', plan(mode)], ...evidence];

export const worked = (mode: IntentMode): readonly Step[] =>
  executes(mode) ? [...planned(mode), ['WorkResult', result(mode)]] : planned(mode);

export const reviewed = (mode: IntentMode): readonly Step[] => [...worked(mode), ['QualityReview', review(mode)]];

export const audited = (mode: IntentMode): readonly Step[] => [...reviewed(mode), ['ReleaseAudit', audit(mode)]];

/** analyze_and_fix from its proceed_to_fix review on. */
export const unlocked: readonly Step[] = [...reviewed('analyze_and_fix'), ['WorkPlan', fixPlan()]];
export const fixed: readonly Step[] = [...unlocked, ['WorkResult', fixResult()]];

/** A step as stored: its body is parsed by its schema. */
const artifactOf = ([type, sent]: Step): AnyArtifact => {
  const artifact = stored(type, sent);
  const body: Body = artifact.body;
  return { ...artifact, type, body };
};

export const recordOf = (steps: readonly Step[]): RunRecord =>
  emptyRecord(runId).extend(steps.map(artifactOf), { added: steps.length, denials: 0 });

/** A record of bodies that no schema would let pass, as a damaged ledger could hold them. */
export const damagedRecord = (steps: readonly Step[]): RunRecord =>
  emptyRecord(runId).extend(
    steps.map(([type, body]) => ({
      ...stored('UserMessage', bodies.request()),
      id: body.id ?? body.runId,
      type,
      body,
    })),
    { added: steps.length, denials: 0 },
  );

export interface Given {
  readonly steps: readonly Step[] | RunRecord;
  readonly run: Partial<RunContext>;
  readonly targets?: Readonly<Record<string, ResolvedTarget>>;
}

const pathsOf = (body: Body): readonly string[] => [
  ...(body.actions ?? []).map((one: Body) => one.target),
  ...(body.filesChanged ?? []).map((one: Body) => one.path),
];

const inside = (path: string): ResolvedTarget => {
  const plain = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^\.\//, '');
  return { ok: true, lexical: plain, real: plain };
};

/** The submission as the rules see it, or null where its body breaks its schema. */
const readQuery = <T extends RuledType>(type: T, body: Body, given: Given): Query<T> | null => {
  const context = run(given.run);
  const record = 'size' in given.steps ? given.steps : recordOf(given.steps);
  const targets = Object.fromEntries(pathsOf(body).map((path) => [path, inside(path)]));
  const submission = { type, from: 'host' as const, body, sourceRefs: [], targets: { ...targets, ...given.targets } };
  const { shape, facts, dossier } = caseOf(context, record, submission, at);
  if (shape.length > 0) return null;
  const artifact = dossier?.artifact;
  if (artifact?.type !== type) throw new Error(`${type} was not read`);
  const parsed: Body = artifact.body;
  return { type, body: parsed, run: context, facts, record, submission, sourceRefs: artifact.sourceRefs };
};

/** The submission as the rules see it; its body must satisfy its schema. */
export const queryOf = <T extends RuledType>(type: T, body: Body, given: Given): Query<T> => {
  const query = readQuery(type, body, given);
  if (!query) throw new Error(`${type} breaks its schema: ${JSON.stringify(checkBody(type, body))}`);
  return query;
};

/** What a list of rules says of one submission, in their order. */
export const findings = (rules: readonly BookEntry[], query: Query): readonly RuleFinding[] => {
  const found: RuleFinding[] = [];
  for (const entry of rules) {
    if (!entry.types.includes(query.type)) continue;
    const { control } = entry;
    const said = control && !control.holds(query.run, query.facts) ? [control.says(query.run, query.facts, query)] : [];
    const faults = [...said, ...entry.judge(query)].map((one) => ({ ...one, code: one.code ?? entry.code }));
    found.push(...faults);
    if (entry.ends && faults.length > 0) break;
  }
  return found;
};

/** Tests of one type: a body that a rule refuses, or that all rules accept, with the run that it is sent to. */
export const suite = <T extends RuledType>(type: T, rules: readonly BookEntry[]) => ({
  accepts: (code: string, what: string, make: () => readonly [Body, Given]): void => {
    it(`${code} accepts ${what}`, () => {
      const [body, given] = make();
      expect(findings(rules, queryOf(type, body, given))).toEqual([]);
    });
  },
  /**
   * The code must be found, and none but the `others` beside it. Every finding teaches: one line, a fix; and where each
   * tells what it expects, following that is enough to be accepted.
   */
  refuses: (code: string, what: string, make: () => readonly [Body, Given], others: readonly string[] = []): void => {
    it(`${code} refuses ${what}`, () => {
      const [body, given] = make();
      const found = findings(rules, queryOf(type, body, given));
      expect([...new Set(found.map((one) => one.code))].sort(), JSON.stringify(found)).toEqual(
        [code, ...others].sort(),
      );
      expect(pinned(found)).toMatchSnapshot();
      for (const one of found) {
        expect(one.message).toMatch(/^[^\n]{10,400}$/);
        expect(one.fix).toMatch(/^[^\n]{5,}$/);
        expect(`${one.message} ${one.fix}`).not.toMatch(/undefined|NaN|\[object/);
      }
      const judge = ({ body: sent }: Call): readonly Finding[] => {
        const checked = checkBody(type, sent);
        return checked.ok ? findings(rules, queryOf(type, sent, given)) : checked.issues;
      };
      expectTaught(code, { body }, judge);
    });
  },
});
