import { caseOf } from '../../machines/case.ts';
import { actionIdOf } from '../../machines/context.ts';
import type { NamedType, RunEvent } from '../../machines/events.ts';
import { canonicalCapability } from '../../machines/permissions/capability.ts';
import { artifactUri } from '../../machines/record.ts';
import { digest } from '../../schemas/canonical.ts';
import { checkBody } from '../../schemas/issues.ts';
import { artifactTypes, SubmittedType } from '../../schemas/vocabulary.ts';
import type { ChainRow, Ledger } from '../ledger/ledger.ts';
import { resolveTargets } from '../targets/resolveTarget.ts';
import type { SubmitArgs, TokenArgs } from './api.ts';
import type { LoadedRun } from './runStore.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objects = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

const texts = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) => (typeof value === 'string' ? [value] : []));

/** The repository paths that a WorkResult names, read before its schema has judged it: the disk is asked once for all. */
export const targetsNamedBy = (type: string, body: unknown): readonly string[] => {
  if (type !== 'WorkResult' || !isObject(body)) return [];
  const actions = objects(body.actions).filter(
    ({ capability }) =>
      typeof capability === 'string' && (canonicalCapability(capability)?.startsWith('repository.') ?? false),
  );
  return [
    ...new Set(texts([...actions.map(({ target }) => target), ...objects(body.filesChanged).map(({ path }) => path)])),
  ];
};

/** Every type that a caller may name; a word outside the vocabulary never gets here. */
const namedTypes: readonly NamedType[] = [...artifactTypes, 'UserMessage', 'ContextDocument'];
export const isNamedType = (word: string): word is NamedType => namedTypes.some((type) => type === word);

/** The event of a submission. */
export const submitEvent = (args: SubmitArgs, type: NamedType, at: string, repositoryRoot: string) => {
  const targets = resolveTargets(repositoryRoot, targetsNamedBy(type, args.body));
  const submission = { type, from: 'host' as const, body: args.body, sourceRefs: args.sourceRefs, targets };
  return ({ snapshot, record }: LoadedRun): RunEvent => ({
    type: `submit.${type}`,
    token: { actionId: args.actionId, expectedVersion: args.expectedVersion },
    at,
    case: caseOf(snapshot.context, record, submission, at),
  });
};

/** What an accepted event of an old version says to whoever sends it again. */
export type Accepted = Readonly<{ artifactRef: string; version: number }>;

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** The id that a body carries, if it is text. */
export const idOf = (body: unknown): string | undefined => {
  const id = fieldOf(body, 'id');
  return typeof id === 'string' ? id : undefined;
};

const acceptedRow = (ledger: Ledger, { snapshot }: LoadedRun, token: TokenArgs): ChainRow | null => {
  const { context } = snapshot;
  const sent = { runId: context.runId, version: token.expectedVersion };
  if (token.expectedVersion >= context.version || token.actionId !== actionIdOf(sent)) return null;
  return ledger.eventOfVersion(context.runId, token.expectedVersion + 1);
};

/**
 * Recognises an exact repeat of an accepted submission (decisions 11): same token, same type, same canonical body. A host
 * that lost the answer learns that nothing is left to do.
 */
export const acceptedBefore = (ledger: Ledger, run: LoadedRun, args: SubmitArgs): Accepted | null => {
  const row = acceptedRow(ledger, run, args);
  const type = SubmittedType.safeParse(args.artifactType);
  if (row?.type !== `submit.${args.artifactType}` || !type.success) return null;
  const checked = checkBody(type.data, args.body);
  if (!checked.ok) return null;
  const sha256 = digest(checked.body);
  const stored = row.artifacts.find((artifact) => artifact.sha256 === sha256);
  return stored ? { artifactRef: artifactUri(row.runId, stored.id), version: row.version } : null;
};

/** The same for the answer to the question. */
export const answeredBefore = (ledger: Ledger, run: LoadedRun, token: TokenArgs, answer: string): Accepted | null => {
  const row = acceptedRow(ledger, run, token);
  if (row?.type !== 'user.answer' || fieldOf(row.payload, 'answer') !== answer) return null;
  const messageId = fieldOf(row.payload, 'messageId');
  return typeof messageId === 'string'
    ? { artifactRef: artifactUri(row.runId, messageId), version: row.version }
    : null;
};
