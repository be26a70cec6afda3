import { freeId } from '../../../machines/companions/freeId.ts';
import type { RunView } from '../../../machines/context.ts';
import { type Artifact, type RunRecord, uriOf } from '../../../machines/record.ts';
import { originalRequestRef } from '../../../machines/rules/derived.ts';
import type { SelectedCandidate } from '../../../schemas/artifacts/controller.ts';
import { type StoredType, schemaVersion } from '../../../schemas/vocabulary.ts';

/** Where the run stands when the author writes: all that a body is computed from. */
export interface Stand {
  readonly run: RunView;
  /** The accepted artifacts; context documents may be missing. */
  readonly record: RunRecord;
}

/** The head of a new body, with the next free id of its series. */
export const headOf = ({ run, record }: Stand, stem: string) =>
  ({ schemaVersion, id: freeId(record, stem, ''), runId: run.runId }) as const;

/** The artifact of a type that was stored last. @throws when the run holds none, for then the phase is not this one */
export const latest = <T extends StoredType>({ record }: Stand, type: T): Artifact<T> => {
  const artifact = record.latest(type);
  if (!artifact) throw new Error(`Run ${record.runId} holds no ${type} yet.`);
  return artifact;
};

export const latestRef = (stand: Stand, type: StoredType): string => uriOf(latest(stand, type));

/** The reference of the request and its words. */
export const requestOf = (stand: Stand): Readonly<{ ref: string; words: string }> => {
  const ref = originalRequestRef(stand.record);
  const message = stand.record.all('UserMessage').find((one) => uriOf(one) === ref);
  if (ref === undefined || !message) throw new Error(`Run ${stand.run.runId} has lost its request.`);
  return { ref, words: message.body.content };
};

/** The files that were selected as context, in the order of selection. */
export const selectedFiles = ({ record }: Stand): readonly SelectedCandidate[] =>
  record.latest('ContextManifest')?.body.candidates.filter((one) => one.decision === 'selected') ?? [];

/** The question that was answered, and its answer: the artifact after the pause has to cite both. Empty without either. */
export const answeredQuestion = ({ record }: Stand): readonly string[] =>
  record.all('ClarificationRequest').flatMap((question) => {
    const ref = uriOf(question);
    const answer = record.all('UserMessage').find(({ sourceRefs }) => sourceRefs.includes(ref));
    return answer ? [ref, uriOf(answer)] : [];
  });

/** The entry of a list that is due after `done` earlier ones; undefined beyond its end. */
export const due = <T>(list: readonly T[] | undefined, done: number): T | undefined => list?.[done];
