import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { newRun, type RunContext } from '../../machines/context.ts';
import type { Facts } from '../../machines/events.ts';
import {
  type AnyArtifact,
  type Artifact,
  artifactUri,
  emptyRecord,
  type PriorRun,
  type RunRecord,
} from '../../machines/record.ts';
import { mergedReferences, valueAt } from '../../machines/rules/bodyReferences.ts';
import type { BookEntry, Query, RuledType, Said } from '../../machines/rules/book.ts';
import { type BodyOf, bodySchemas } from '../../schemas/artifacts/index.ts';
import type { Finding } from '../../schemas/failure.ts';
import { checkBody } from '../../schemas/issues.ts';
import { type LogicalRole, producers, type StoredType } from '../../schemas/vocabulary.ts';
import { type Call, expectTaught } from './expectTaught.ts';
import { at, bodies, priorId, root, runId } from './fixtureBodies.ts';

/** One small run as artifacts, records and queries, and the two tests that every rule has. */

export * from './fixtureBodies.ts';

/** The control data of the run; `analyze_and_fix` in its frame phase where nothing else is said. */
export const run = (more: Partial<RunContext> = {}): RunContext => ({
  ...newRun({
    input: {
      runId,
      repositoryRoot: root,
      mode: 'analyze_and_fix',
      topology: 'forensic',
      priorRunId: null,
      createdAt: at,
    },
  }),
  phase: 'agent_1_frame',
  ...more,
});

const producerOf = (type: StoredType): LogicalRole =>
  type === 'ClarificationRequest' ? 'scenario_author' : producers[type];

/** An artifact as stored; its body is parsed by its schema. */
export const stored = <T extends StoredType>(
  type: T,
  body: unknown,
  more: Partial<Pick<AnyArtifact, 'id' | 'producer' | 'sourceRefs' | 'runId'>> = {},
): Artifact<T> => {
  const parsed: BodyOf<T> = bodySchemas[type].parse(body);
  const id = valueAt(parsed, ['id']);
  return {
    id: typeof id === 'string' ? id : runId,
    runId,
    type,
    producer: producerOf(type),
    sha256: `sha256:${createHash('sha256').update(JSON.stringify(parsed)).digest('hex')}`,
    sourceRefs: [],
    redaction: 'none',
    createdAt: at,
    body: parsed,
    ...more,
  };
};

const steps = () =>
  [
    stored('UserMessage', bodies.request()),
    stored('RunEnvelope', bodies.envelope()),
    stored('ContextDocument', bodies.document()),
    stored('ContextManifest', bodies.manifest()),
    stored('ProblemFrame', bodies.frame()),
    stored('TaskContract', bodies.contract()),
    stored('PromptReview', bodies.review()),
    stored('WorkPlan', bodies.plan()),
    stored('Evidence', bodies.evidence('ev-repo', 'repository')),
    stored('Evidence', bodies.evidence('ev-test', 'test')),
    stored('Evidence', bodies.evidence('ev-log', 'log')),
    stored('Evidence', bodies.evidence('ev-diff', 'diff')),
    stored('WorkResult', bodies.result()),
    stored('QualityReview', bodies.quality()),
    stored('ReleaseAudit', bodies.audit()),
  ] as const;

/** The record of the run as far as the last artifact of a type, and one trace event an artifact. */
export const recordUpTo = (type: StoredType, prior: PriorRun | null = null): RunRecord => {
  const all: readonly AnyArtifact[] = steps();
  const last = all.findLastIndex((artifact) => artifact.type === type);
  return emptyRecord(runId, prior).extend(all.slice(0, last + 1), { added: last + 1, denials: 0 });
};

/** The record with more artifacts. */
export const plus = (record: RunRecord, ...artifacts: readonly AnyArtifact[]): RunRecord =>
  record.extend(artifacts, { added: artifacts.length, denials: 0 });

/** A finished run of the same repository, holding one Evidence of kind `runtime` and one plan. */
export const priorRun = (more: Partial<PriorRun> = {}): PriorRun => {
  const of = { runId: priorId };
  const kept: readonly AnyArtifact[] = [
    stored('Evidence', { ...bodies.evidence('ev-old', 'runtime'), ...of }, of),
    stored('WorkPlan', { ...bodies.plan(), id: 'plan-old', ...of }, of),
  ];
  return {
    runId: priorId,
    repositoryRoot: root,
    exists: true,
    get: (id) => kept.find((one) => one.id === id),
    ...more,
  };
};
export const foreign = (id: string): string => artifactUri(priorId, id);

type Given = Readonly<{
  run?: RunContext;
  record?: RunRecord;
  facts?: Facts;
  sourceRefs?: readonly string[];
  /** The body as sent, where it is to differ from the parsed one. */
  sent?: unknown;
}>;

/** A submission before the rules: the body is parsed by its schema, the references are merged. */
export const query = <T extends RuledType>(type: T, body: unknown, given: Given = {}): Query<T> => {
  const parsed: BodyOf<T> = bodySchemas[type].parse(body);
  const record = given.record ?? recordUpTo('ContextManifest');
  const supplied = given.sourceRefs ?? [];
  return {
    type,
    body: parsed,
    run: given.run ?? run(),
    facts: given.facts ?? {},
    record,
    submission: { type, from: 'host', body: given.sent ?? body, sourceRefs: supplied, targets: {} },
    sourceRefs: mergedReferences(record, parsed, supplied),
  };
};

/** What one entry of a book says of a submission, its control part first. */
export const ask = (book: readonly BookEntry[], code: string, of: Query): readonly Said[] => {
  const entry = book.find((one) => one.code === code);
  if (!entry) throw new Error(`No entry ${code}.`);
  const { control } = entry;
  const said = control && !control.holds(of.run, of.facts) ? [control.says(of.run, of.facts)] : [];
  return [...said, ...entry.judge(of)];
};

/** The facts that the machine would read of a mended body, where it had read them of the refused one. */
const factsOf = (facts: Facts, body: unknown): Facts => {
  const [version, number] = [valueAt(body, ['version']), valueAt(body, ['revisionNumber'])];
  return {
    ...(facts.contractVersion !== undefined && typeof version === 'number' ? { contractVersion: version } : {}),
    ...(facts.revisionNumber !== undefined && typeof number === 'number' ? { revisionNumber: number } : {}),
  };
};

type Sample = Readonly<{ of: Query; path?: string; says?: RegExp | string; mends?: boolean }>;

const sourceRefsIn = (call: Call): readonly string[] =>
  Array.isArray(call.source_refs) ? call.source_refs.filter((ref) => typeof ref === 'string') : [];

/** What a book says of a call: its schema first, then every rule about the type. */
const judging =
  (book: readonly BookEntry[], of: Query) =>
  (call: Call): readonly Finding[] => {
    const checked = checkBody(of.type, call.body);
    if (!checked.ok) return checked.issues;
    const sent = valueAt(of.submission.body, ['id']) === of.body.id ? {} : { sent: of.submission.body };
    const again = query(of.type, call.body, {
      run: of.run,
      record: of.record,
      facts: factsOf(of.facts, call.body),
      sourceRefs: sourceRefsIn(call),
      ...sent,
    });
    return book
      .filter(({ types }) => types.includes(of.type))
      .flatMap(({ code }) => ask(book, code, again).map((said) => ({ ...said, code: said.code ?? code })));
  };

/** Follows what the findings expect, as a host would that knows nothing of the rules. */
const expectMended = (book: readonly BookEntry[], code: string, of: Query): void => {
  expectTaught(code, { body: of.body, source_refs: of.submission.sourceRefs }, judging(book, of));
};

/** What a finding tells beside its words: where it is, and what would be right there. Kept beside the tests. */
export const pinned = (
  said: readonly Readonly<{ code?: string | undefined; path: string; expected?: unknown }>[],
): readonly unknown[] =>
  said.map(({ code, path, expected }) => ({ ...(code === undefined ? {} : { code }), path, expected }));

/**
 * Two tests of one rule: it refuses what breaks it, at the path and with the value found, and accepts the like that keeps
 * it. Where every finding tells what it expects, the refused body is accepted once that is followed (with `mends`, it must).
 */
export const pair = (
  book: readonly BookEntry[],
  code: string,
  refuses: readonly [title: string, sample: Sample],
  accepts: readonly [title: string, of: Query],
): void => {
  it(`${code} refuses ${refuses[0]}`, () => {
    const { of, path, says, mends } = refuses[1];
    const said = ask(book, code, of);
    expect(said).not.toEqual([]);
    for (const { message, fix } of said) {
      expect(message).not.toMatch(/[\n\r]/);
      expect(message.length).toBeLessThanOrEqual(400);
      expect(fix).not.toBe('');
    }
    const first = said[0];
    expect(pinned(said)).toMatchSnapshot();
    if (path !== undefined) expect(first?.path).toBe(path);
    if (says !== undefined) expect(first?.message).toMatch(says);
    if (mends) expect(first?.expected).toBeDefined();
    expectMended(book, code, of);
  });
  it(`${code} accepts ${accepts[0]}`, () => {
    expect(ask(book, code, accepts[1])).toEqual([]);
  });
};
