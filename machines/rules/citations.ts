import { type AnyArtifact, parseArtifactUri } from '../record.ts';
import { type BodyReference, bodyReferences, isReference, isSystemRef } from './bodyReferences.ts';
import type { Query } from './book.ts';
import { type EvidenceRole, evidenceRole } from './directEvidence.ts';
import { lineageFault, priorRunId } from './lineage.ts';

/** What a reference points at, as far as its text and the record tell. */
export type Place =
  | Readonly<{ kind: 'system' }>
  | Readonly<{ kind: 'repository' }>
  /** `event` is null for the whole trace, and undefined where the reference is malformed or names another run. */
  | Readonly<{ kind: 'trace'; event: string | null | undefined }>
  | Readonly<{ kind: 'malformed' }>
  | Readonly<{ kind: 'own'; id: string; target: AnyArtifact | undefined }>
  /** `target` is set when the reference is one that the link allows. */
  | Readonly<{ kind: 'foreign'; linked: boolean; target: AnyArtifact | undefined }>;

/** One reference of a submission, of its body or of its `source_refs`. */
export interface Citation extends BodyReference {
  readonly role: EvidenceRole;
  readonly place: Place;
}

const placeOf = (query: Query, ref: string): Place => {
  if (isSystemRef(ref)) return { kind: 'system' };
  if (ref.startsWith('repo://')) return { kind: 'repository' };
  if (ref.startsWith('trace://')) {
    const [run, event, ...more] = ref.slice('trace://'.length).split('/');
    const good = run === query.run.runId && more.length === 0 && event !== '';
    return { kind: 'trace', event: good ? (event ?? null) : undefined };
  }
  const parsed = parseArtifactUri(ref);
  if (!parsed) return { kind: 'malformed' };
  if (parsed.runId === query.run.runId) return { kind: 'own', id: parsed.id, target: query.record.get(parsed.id) };
  const linked = priorRunId(query) !== null;
  const allowed = linked && lineageFault(query, ref) === null;
  return { kind: 'foreign', linked, target: allowed ? query.record.prior?.get(parsed.id) : undefined };
};

const known = new WeakMap<Query, readonly Citation[]>();

/**
 * The references of a submission in the order in which they are judged: those of the body in document order, then the
 * supplied `source_refs` (path `source_refs.<i>`), those of bad form left out (REF-01 names them). Walked once a query.
 */
export const citationsOf = (query: Query): readonly Citation[] => {
  const before = known.get(query);
  if (before) return before;
  const inBody = bodyReferences(query.body).map((reference) => ({
    ...reference,
    role: evidenceRole(query.type, query.body, reference),
    place: placeOf(query, reference.ref),
  }));
  const supplied = query.submission.sourceRefs.flatMap((ref, index): Citation[] =>
    isReference(ref)
      ? [
          {
            path: `source_refs.${index}`,
            pattern: 'source_refs[]',
            steps: ['source_refs', index],
            key: 'source_refs',
            ref,
            role: 'plain',
            place: placeOf(query, ref),
          },
        ]
      : [],
  );
  const all = [...inBody, ...supplied];
  known.set(query, all);
  return all;
};
