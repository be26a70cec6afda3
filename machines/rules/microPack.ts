import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { checkBody } from '../../schemas/issues.ts';
import { microPack } from '../companions/microPack.ts';
import { sealed } from '../companions/sealed.ts';
import type { Facts } from '../events.ts';
import { type AnyArtifact, type Artifact, emptyRecord, type RunRecord } from '../record.ts';
import { type BookEntry, type Query, rule, type Said } from './book.ts';
import { taskContractRules } from './taskContract.ts';
import { workPlanRules } from './workPlan.ts';

/**
 * The contract and the plan that the controller writes beside a micro frame (admission section 13, run-machine section
 * 6.3). They are judged before they are stored: a frame whose pack no rule would let pass is refused instead (D5).
 */

/** A record of its own: the one of the run must not learn of artifacts that may never be stored. */
const withMore = (record: RunRecord, ...more: readonly AnyArtifact[]): RunRecord =>
  emptyRecord(record.runId, record.prior).extend([...record.entries(), ...more], {
    added: record.traceLength,
    denials: record.denials,
  });

function* faultsOf(entries: readonly BookEntry[], query: Query, facts: Facts): Generator<string> {
  for (const { code, control, judge } of entries) {
    if (control && !control.holds(query.run, facts)) yield `${code}: ${control.says(query.run, facts, query).message}`;
    for (const said of judge(query)) yield `${said.code ?? code}: ${said.message}`;
  }
}

/** What the schema, else the rules of the type, say of one artifact of the pack. */
function* judged<T extends 'TaskContract' | 'WorkPlan'>(
  query: Query,
  phase: Query['run']['phase'],
  record: RunRecord,
  artifact: Artifact<T>,
  entries: readonly BookEntry[],
  facts: Facts,
): Generator<string> {
  const checked = checkBody(artifact.type, artifact.body);
  if (!checked.ok) {
    for (const { path, code, message } of checked.issues) yield `${code} at ${path}: ${message}`;
    return;
  }
  const { type, body, sourceRefs } = artifact;
  const submission = { type, from: 'controller' as const, body, sourceRefs, targets: {} };
  const about = { type, body, run: { ...query.run, phase }, facts, record, submission, sourceRefs };
  yield* faultsOf(entries, about, facts);
}

const frameOf = (query: Query<'ProblemFrame'>): Artifact<'ProblemFrame'> => {
  const body: BodyOf<'ProblemFrame'> = query.body;
  const at = { runId: query.run.runId, id: body.id, createdAt: query.run.updatedAt };
  return sealed('ProblemFrame', 'scenario_author', at, body, query.sourceRefs);
};

/** Everything that would keep the pack of a frame from being submitted by hand; empty when it could be. */
export const packFaults = (query: Query<'ProblemFrame'>): readonly string[] => {
  const frame = frameOf(query);
  const { contract, plan } = microPack(query.run, query.record, frame, frame.createdAt);
  const framed = withMore(query.record, frame);
  const contracted = withMore(query.record, frame, contract);
  return [
    ...judged(query, 'agent_2_compile', framed, contract, taskContractRules, { contractVersion: 1 }),
    ...judged(query, 'agent_3_plan', contracted, plan, workPlanRules, {}),
  ];
};

export const microPackRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-PACK-01',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'The contract and the plan that the controller writes beside a micro frame satisfy their schemas and the rules of a contract and a plan.',
    reads: ['run.topology', 'run.mode', 'RunEnvelope', 'ContextManifest'],
    refusal: 'infeasible',
    *check(query): Generator<Said> {
      // Another number of criteria, or none, is FRAME-01's to say.
      if (query.run.topology !== 'micro' || query.body.draftAcceptanceCriteria.length !== 1) return;
      for (const fault of packFaults(query))
        yield {
          path: 'body',
          message: `No contract and plan can be written for this micro frame: ${fault}`,
          fix: 'Correct what the frame says of this; if the frame is right, cancel and start the run in standard topology.',
        };
    },
  }),
];
