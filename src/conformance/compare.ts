import { viewOf } from '../../machines/context.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import { type AnyArtifact, artifactUri } from '../../machines/record.ts';
import { canonicalJson, digest } from '../../schemas/canonical.ts';
import { failureCodes } from '../../schemas/failure.ts';
import { limits, phaseTable } from '../../schemas/vocabulary.ts';
import { currentOf } from '../controller/refusal.ts';
import { Action, type ArtifactMeta, Refused, Run } from '../sdk/answers.ts';
import type { Answer } from '../sdk/connectStdio.ts';
import type { Model } from './model.ts';
import type { Expected } from './oracle.ts';

/** One field in which server and machine disagree. */
export interface Difference {
  /** Where: `outcome`, `run.status`, `nextAction.inputRefs`, `artifacts.2.type`, … */
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

const plain = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value ?? null)));

/** Equal as JSON, whatever the order of keys; absent and null are the same. */
export const differing = (field: string, expected: unknown, actual: unknown): readonly Difference[] =>
  plain(expected) === plain(actual) ? [] : [{ field, expected: expected ?? null, actual: actual ?? null }];

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

const fields = (base: string, expected: object, actual: unknown): readonly Difference[] =>
  Object.entries(expected).flatMap(([name, value]) => differing(`${base}.${name}`, value, fieldOf(actual, name)));

const shaped = (base: string, wanted: string, actual: unknown): Difference => ({
  field: base,
  expected: wanted,
  actual: actual ?? null,
});

/** The run as every answer shows it. */
const runDifferences = (model: Model, run: unknown): readonly Difference[] => {
  const parsed = Run.safeParse(run);
  if (!parsed.success) return [shaped('run', 'a run with the fields of run-machine section 1', run)];
  return fields('run', viewOf(model.snapshot.context), parsed.data);
};

/** What an action says beside its sentences and schemas. */
const actionDifferences = (model: Model, action: unknown, whole: boolean): readonly Difference[] => {
  const parsed = Action.safeParse(action);
  if (!parsed.success) return [shaped('nextAction', 'a next action of run-machine section 12', action)];
  const { context } = model.snapshot;
  const expected = projectNextAction(context, model.record, []);
  const { rationaleSummary: _, ...said } = expected;
  const head = Object.fromEntries(
    Object.entries(said).filter(([name]) => name !== 'stopConditions' && name !== 'brief' && name !== 'schemaVersion'),
  );
  const found = fields('nextAction', head, parsed.data);
  if (expected.kind !== 'phase' || !whole) return found;
  const { accepts, supports } = phaseTable[context.phase];
  const alternatives = [...accepts.slice(1), ...supports].toSorted();
  const offered = Object.keys({ ...(fieldOf(parsed.data, 'additionalOutputSchemas') ?? {}) }).toSorted();
  return [...found, ...differing('nextAction.additionalOutputSchemas', alternatives, offered)];
};

/** Run and next action in an answer, or as read again. */
export const stateDifferences = (model: Model, answer: Answer, whole = true): readonly Difference[] => [
  ...runDifferences(model, answer.run),
  ...actionDifferences(model, answer.nextAction, whole),
];

const metaOf = ({ id, runId, type, producer, sha256, sourceRefs, redaction, createdAt }: AnyArtifact) => ({
  id,
  runId,
  type,
  producer,
  sha256,
  sourceRefs,
  redaction,
  createdAt,
});

/** How closely a server is compared: ours to the letter, another by what it accepts and where the run then stands. */
export type Strictness = Readonly<{ strict: boolean }>;

const artifactDifferences = (
  expected: AnyArtifact,
  stored: AnyArtifact | undefined,
  at: number,
  { strict }: Strictness,
): readonly Difference[] => {
  const base = `artifacts.${at}`;
  if (!stored) return [shaped(base, `${expected.type} ${expected.id}`, null)];
  const { type, producer } = metaOf(expected);
  return fields(base, strict ? metaOf(expected) : { type, producer }, stored);
};

/** What an accepted event must have stored. */
const storedDifferences = (
  expected: readonly AnyArtifact[],
  stored: readonly AnyArtifact[],
  how: Strictness,
): readonly Difference[] => [
  ...differing(
    'artifacts',
    expected.map(({ type }) => type),
    stored.map(({ type }) => type),
  ),
  ...(expected.length === stored.length
    ? expected.flatMap((artifact, at) => artifactDifferences(artifact, stored[at], at, how))
    : []),
];

/** Every stored body must have the digest that it is stored under. */
export const digestDifferences = (stored: readonly AnyArtifact[]): readonly Difference[] =>
  stored.flatMap((artifact) => differing(`artifacts.${artifact.id}.sha256`, digest(artifact.body), artifact.sha256));

const outcomeOf = (expected: Expected): string => {
  if (expected.outcome !== 'refused') return expected.outcome === 'ended' ? 'accepted' : expected.outcome;
  const [first] = expected.findings;
  return `refused: ${first?.code ?? expected.code}`;
};

const actualOutcome = (answer: Answer): string => {
  if (answer.ok === true) return 'accepted';
  const refusal = Refused.safeParse(answer);
  return refusal.success ? `refused: ${refusal.data.rule ?? refusal.data.code}` : 'refused';
};

const issuesIn = (answer: Answer): readonly unknown[] => (Array.isArray(answer.issues) ? answer.issues : []);

/** The rule that a divergence is about: the first that only our machine names, else the one that its refusal is named by. */
export const ruleBehind = (expected: Expected, answer: Answer): string | null => {
  if (expected.outcome !== 'refused') return null;
  const told = issuesIn(answer).map((issue) => fieldOf(issue, 'code'));
  const [named] = expected.findings;
  const missing = told.length > 0 ? expected.findings.find(({ code }) => !told.includes(code)) : undefined;
  return (missing ?? named)?.code ?? null;
};

const refusalDifferences = (
  model: Model,
  expected: Extract<Expected, { outcome: 'refused' }>,
  answer: Answer,
): readonly Difference[] => {
  const { code, findings, repeat } = expected;
  const { runId } = model.snapshot.context;
  const kind = failureCodes[code];
  const listed = (issues: readonly unknown[]): readonly unknown[] =>
    issues.map((issue) => ({ code: fieldOf(issue, 'code'), path: fieldOf(issue, 'path') }));
  return [
    ...differing('code', code, answer.code),
    ...differing('kind', kind, answer.kind),
    ...differing('rule', findings[0]?.code, answer.rule),
    ...differing('issues', listed(findings.slice(0, limits.issues)), listed(issuesIn(answer))),
    ...(kind === 'stale' ? differing('current', currentOf(model.snapshot.context), answer.current) : []),
    ...differing(
      'already_accepted',
      repeat && { artifactRef: artifactUri(runId, repeat.id), version: repeat.version },
      answer.already_accepted,
    ),
  ];
};

/**
 * Where an answer differs from what the machine says of the call; empty when they agree. The state of the run is compared
 * on what is read again afterwards (`stateDifferences`).
 *
 * @param before the run before the call
 * @param stored what the run holds since then
 */
export const answerDifferences = (
  before: Model,
  expected: Expected,
  answer: Answer,
  stored: readonly AnyArtifact[],
  how: Strictness,
): readonly Difference[] => {
  const isError = expected.outcome === 'refused' || (expected.outcome === 'accepted' && expected.moved !== null);
  if (isError !== (answer.ok !== true))
    return [{ field: 'outcome', expected: outcomeOf(expected), actual: actualOutcome(answer) }];
  if (expected.outcome === 'refused') {
    const kept = storedDifferences([], stored, how);
    return how.strict ? [...refusalDifferences(before, expected, answer), ...kept] : kept;
  }
  if (expected.outcome === 'ended') return storedDifferences([], stored, how);
  const { effect, moved } = expected;
  return [
    ...storedDifferences(effect.artifacts, stored, how),
    ...(moved !== null && how.strict ? differing('code', 'run_escalated', answer.code) : []),
    ...(effect.decision && how.strict ? fields('decision', effect.decision, answer.decision) : []),
    ...(effect.decision && !how.strict
      ? differing('decision.allowed', effect.decision.allowed, fieldOf(answer.decision, 'allowed'))
      : []),
  ];
};

/** The metadata lists of a page are those of the artifacts that were read. */
export const pageDifferences = (model: Model, metas: readonly ArtifactMeta[]): readonly Difference[] =>
  differing(
    'artifacts',
    model.record.entries().map(({ id, sha256 }) => [id, sha256]),
    metas.map(({ id, sha256 }) => [id, sha256]),
  );
