import { limits, type RecordPhase, type StoredType } from '../../schemas/vocabulary.ts';
import { type AnyArtifact, parseArtifactUri, type RunRecord, uriOf } from '../record.ts';
import { bodyReferences } from '../rules/bodyReferences.ts';
import { originalRequestRef } from '../rules/derived.ts';
import { ProjectionError } from './projectionError.ts';

const planning: readonly StoredType[] = [
  'TaskContract',
  'ContextManifest',
  'QualityReview',
  'ReleaseAudit',
  'UserMessage',
  'ClarificationRequest',
];

const judging: readonly StoredType[] = [
  'TaskContract',
  'WorkPlan',
  'WorkResult',
  'Evidence',
  'QualityReview',
  'ReleaseAudit',
  'UserMessage',
  'ClarificationRequest',
];

/** What a phase may be given to read (run-machine section 12.1). */
export const eligibleTypes: Readonly<Record<RecordPhase, readonly StoredType[]>> = {
  context_grounding: ['RunEnvelope', 'UserMessage', 'ClarificationRequest'],
  agent_1_frame: ['RunEnvelope', 'UserMessage', 'ContextManifest', 'ClarificationRequest'],
  agent_2_compile: ['RunEnvelope', 'UserMessage', 'ContextManifest', 'ProblemFrame', 'ClarificationRequest'],
  agent_1_review: ['UserMessage', 'ProblemFrame', 'TaskContract', 'ClarificationRequest'],
  agent_2_revise: ['UserMessage', 'ProblemFrame', 'TaskContract', 'PromptReview', 'ClarificationRequest'],
  agent_3_plan: [...planning, 'PromptReview'],
  agent_4_execute: [...planning, 'WorkPlan'],
  agent_3_review: judging,
  agent_3_evidence_reverify: judging,
  agent_5_audit: [
    'UserMessage',
    'TaskContract',
    'WorkPlan',
    'WorkResult',
    'Evidence',
    'QualityReview',
    'ClarificationRequest',
  ],
  agent_5_report: [
    'UserMessage',
    'ProblemFrame',
    'TaskContract',
    'PromptReview',
    'WorkPlan',
    'WorkResult',
    'Evidence',
    'QualityReview',
    'ReleaseAudit',
    'ClarificationRequest',
  ],
};

const links = new WeakMap<AnyArtifact, readonly string[]>();

/**
 * The ids that an artifact cites in its own run, Evidence left out. Bodies can be large and never change, so each is
 * walked once; a reference that is Evidence now will be Evidence for ever.
 */
const linksOf = (record: RunRecord, artifact: AnyArtifact): readonly string[] => {
  const known = links.get(artifact);
  if (known) return known;
  const cited = new Set<string>();
  for (const ref of [...bodyReferences(artifact.body).map(({ ref }) => ref), ...artifact.sourceRefs]) {
    const at = parseArtifactUri(ref);
    if (at?.runId === record.runId && record.get(at.id)?.type !== 'Evidence') cited.add(at.id);
  }
  const found = [...cited];
  links.set(artifact, found);
  return found;
};

const tooMany = (count: number): ProjectionError =>
  new ProjectionError(
    'ADM-INT-05',
    `The next phase would have to read ${count} artifacts; ${limits.references} are the most that an action can name.`,
    'Use a plan with fewer nodes.',
  );

/** The artifacts that a phase has to be given, by id: the current ones and all that they rest on, Evidence apart. */
const mandatory = (record: RunRecord, types: readonly StoredType[]): ReadonlyMap<string, AnyArtifact> => {
  const eligible = new Set(types);
  const selected = new Map<string, AnyArtifact>();
  const select = (id: string | undefined): void => {
    const artifact = id === undefined ? undefined : record.get(id);
    if (!artifact || artifact.type === 'Evidence' || !eligible.has(artifact.type)) return;
    selected.set(artifact.id, artifact);
    if (selected.size > limits.references) throw tooMany(selected.size);
  };
  for (const type of types) select(record.latest(type)?.id);
  select(parseArtifactUri(originalRequestRef(record) ?? '')?.id);
  for (const type of ['WorkPlan', 'WorkResult'] as const)
    if (eligible.has(type)) for (const { id } of record.all(type)) select(id);
  // A map also yields what is added while it is walked, so this closes over the new ones, too.
  for (const artifact of selected.values()) for (const id of linksOf(record, artifact)) select(id);
  return selected;
};

/**
 * The reading list of a phase, in the order in which its artifacts were stored: the mandatory ones, filled up to 256
 * with the newest Evidence. It is no access rule. Costs what it returns, whatever the size of the run.
 * @throws ProjectionError ADM-INT-05 when the mandatory ones alone are more than 256
 */
export const inputRefsOf = (record: RunRecord, phase: RecordPhase): readonly string[] => {
  const types = eligibleTypes[phase];
  const chosen = [...mandatory(record, types).values()];
  if (types.includes('Evidence')) {
    const entries = record.entries();
    for (let at = entries.length - 1; at >= 0 && chosen.length < limits.references; at -= 1) {
      const artifact = entries[at];
      if (artifact?.type === 'Evidence') chosen.push(artifact);
    }
  }
  return chosen
    .map((artifact) => ({ position: record.indexOf(artifact.id), ref: uriOf(artifact) }))
    .sort((one, other) => one.position - other.position)
    .map(({ ref }) => ref);
};
