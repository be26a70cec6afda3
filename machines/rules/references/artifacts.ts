import { found } from '../../../schemas/found.ts';
import type { StoredType } from '../../../schemas/vocabulary.ts';
import { artifactUri, type RunRecord, uriOf } from '../../record.ts';
import type { BookEntry, Query } from '../book.ts';
import type { Citation } from '../citations.ts';
import { freeId } from '../freeId.ts';
import { proofs, userMessages } from '../sources.ts';
import { choice } from '../wording.ts';
import { each } from './each.ts';

/** The type that a field demands of its target (REF-17). */
const typedFields: ReadonlyMap<string, StoredType> = new Map([
  ['originalRequestRef', 'UserMessage'],
  ['problemFrameRef', 'ProblemFrame'],
  ['targetRef', 'TaskContract'],
  ['taskContractRef', 'TaskContract'],
  ['workPlanRef', 'WorkPlan'],
  ['workPlanRefs', 'WorkPlan'],
  ['workResultRefs', 'WorkResult'],
  ['qualityReviewRef', 'QualityReview'],
  ['contextManifestRef', 'ContextManifest'],
  ['clarificationRequestRef', 'ClarificationRequest'],
]);

const isForward = (citation: Citation, query: Query): boolean =>
  query.type === 'ReleaseAudit' && citation.pattern === 'userReportRef';

const bodyId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

const latestRef = (record: RunRecord, type: StoredType): Readonly<{ expected?: unknown }> => {
  const latest = record.latest(type);
  return latest ? { expected: uriOf(latest) } : {};
};

/** The artifact of this run that has the id which a reference to elsewhere ends in. */
const ownOf = (ref: string, record: RunRecord): Readonly<{ expected?: unknown }> => {
  const target = record.get(ref.split('/').at(-1) ?? '');
  return target ? { expected: uriOf(target) } : {};
};

/** A name for the coming report that nothing has yet. */
const forwardOf = ({ run, record, body }: Query): Readonly<{ expected: string }> => {
  const isTaken = (id: string): boolean => id === body.id || record.get(id) !== undefined;
  const id = isTaken('report-01') ? freeId('report-01', record) : 'report-01';
  return { expected: artifactUri(run.runId, id) };
};

/** What a field that must be backed could cite instead. */
const backing = (citation: Citation, query: Query): readonly string[] =>
  citation.role === 'direct' ? proofs(query) : citation.role === 'user_reported' ? userMessages(query.record) : [];

/** Which artifacts a run may cite: stored ones of its own, each where its type belongs (admission section 3.1). */
export const artifactRules: readonly BookEntry[] = [
  each('ADM-REF-13', 'An artifact reference is artifact://<run>/<id>.', [], ({ place, ref }, { run, record }) =>
    place.kind === 'malformed'
      ? {
          message: `${found(ref)} is not of the form artifact://<run>/<id>.`,
          ...ownOf(ref, record),
          fix: `Write artifact://${run.runId}/ and the id of a stored artifact.`,
        }
      : null,
  ),
  each(
    'ADM-REF-14',
    'An artifact reference names this run; of the linked prior run only Evidence may be cited.',
    ['run.priorRunId'],
    (citation, query) => {
      const { place, ref } = citation;
      if (place.kind !== 'foreign') return null;
      if (isForward(citation, query) || !place.linked)
        return {
          message: isForward(citation, query)
            ? `${found(ref)} names another run; the report that follows this audit belongs to this run.`
            : `${found(ref)} cites another run, and no prior run is linked to this one.`,
          ...(isForward(citation, query) ? forwardOf(query) : ownOf(ref, query.record)),
          fix: `Write artifact://${query.run.runId}/ and the id of an artifact of this run.`,
        };
      return null;
    },
  ),
  each(
    'ADM-REF-15',
    'userReportRef names an id that is free and that the coming report can have.',
    ['artifacts'],
    (citation, query) => {
      const { place } = citation;
      if (!isForward(citation, query) || place.kind !== 'own') return null;
      const fix = 'Choose an id that no artifact of this run has, and give the report that id.';
      if (place.target)
        return {
          message: `userReportRef names ${found(place.id)}, a stored ${place.target.type}.`,
          ...forwardOf(query),
          fix,
        };
      if (place.id === query.body.id)
        return { message: 'userReportRef names the audit itself.', ...forwardOf(query), fix };
      return bodyId.test(place.id)
        ? null
        : { message: `No report can have the id ${found(place.id)}.`, ...forwardOf(query), fix };
    },
    { refusal: 'id_taken', types: ['ReleaseAudit'] },
  ),
  each('ADM-REF-16', 'A cited artifact is stored in this run.', ['artifacts'], (citation, query) => {
    const { place, ref, pattern } = citation;
    if (place.kind !== 'own' || place.target || isForward(citation, query)) return null;
    // The documents of a grounding are stored with the manifest that names them.
    if (query.type === 'ContextManifest' && pattern === 'derivedRefs[]') return null;
    const type = typedFields.get(citation.key);
    return {
      message: `${found(ref)} is not stored in this run.`,
      ...(type ? latestRef(query.record, type) : choice(backing(citation, query))),
      fix: type
        ? `Cite the ${type} of this run.`
        : 'Cite an artifact that the next action or a receipt names, or store this one first.',
    };
  }),
  each(
    'ADM-REF-17',
    'A field that is named after a type points to an artifact of that type in this run.',
    ['artifacts'],
    ({ place, key, ref }, { record }) => {
      const type = typedFields.get(key);
      if (!type || (place.kind !== 'own' && place.kind !== 'foreign') || !place.target) return null;
      if (place.kind === 'own' && place.target.type === type) return null;
      return {
        message: `${key} must point to a ${type} of this run; ${found(ref)} is ${place.kind === 'own' ? 'a' : 'another run’s'} ${place.target.type}.`,
        ...latestRef(record, type),
        fix: `Cite the ${type} of this run.`,
      };
    },
  ),
];
