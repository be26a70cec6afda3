import { caseOf } from '../../machines/case.ts';
import type { NamedType, RunEvent } from '../../machines/events.ts';
import { canonicalCapability } from '../../machines/permissions/capability.ts';
import { artifactUri, uriOf } from '../../machines/record.ts';
import { digest } from '../../schemas/canonical.ts';
import { checkBody } from '../../schemas/issues.ts';
import { isJsonObject } from '../../schemas/jsonObject.ts';
import { artifactTypes, SubmittedType } from '../../schemas/vocabulary.ts';
import type { ChainRow, Ledger } from '../ledger/ledger.ts';
import { resolveTargets } from '../targets/resolveTarget.ts';
import type { SubmitArgs, TokenArgs } from './api.ts';
import type { LoadedRun } from './runStore.ts';

type Fields = Readonly<Record<string, unknown>>;

const objects = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

const texts = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) => (typeof value === 'string' ? [value] : []));

/** The repository paths that a WorkResult names, read before its schema has judged it: the disk is asked once for all. */
export const targetsNamedBy = (type: string, body: unknown): readonly string[] => {
  if (type !== 'WorkResult' || !isJsonObject(body)) return [];
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

const fieldOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined);

/** The id that a body carries, if it is text. */
export const idOf = (body: unknown): string | undefined => {
  const id = fieldOf(body, 'id');
  return typeof id === 'string' ? id : undefined;
};

const sameToken = (row: ChainRow, { actionId, expectedVersion }: TokenArgs): boolean => {
  const token = fieldOf(row.payload, 'token');
  return fieldOf(token, 'actionId') === actionId && fieldOf(token, 'expectedVersion') === expectedVersion;
};

/**
 * Recognises an exact repeat of an accepted submission (decisions 11): same token, same type, same canonical body. A host
 * that lost the answer learns that nothing is left to do.
 */
export const acceptedBefore = (ledger: Ledger, { record }: LoadedRun, args: SubmitArgs): Accepted | null => {
  const stored = record.get(idOf(args.body) ?? '');
  const type = SubmittedType.safeParse(args.artifactType);
  if (!stored || !type.success || stored.type !== type.data) return null;
  const checked = checkBody(type.data, args.body);
  if (!checked.ok || digest(checked.body) !== stored.sha256) return null;
  const row = ledger.eventOfArtifact(stored.runId, stored.id);
  return row && sameToken(row, args) ? { artifactRef: uriOf(stored), version: row.version } : null;
};

/** The same for the answer to the question. */
export const answeredBefore = (ledger: Ledger, token: TokenArgs, answer: string): Accepted | null => {
  const row = ledger.eventOfVersion(token.runId, token.expectedVersion + 1);
  if (row?.type !== 'user.answer' || !sameToken(row, token) || fieldOf(row.payload, 'answer') !== answer) return null;
  const messageId = fieldOf(row.payload, 'messageId');
  return typeof messageId === 'string'
    ? { artifactRef: artifactUri(row.runId, messageId), version: row.version }
    : null;
};
