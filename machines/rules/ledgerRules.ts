import type { Finding } from '../../schemas/failure.ts';
import { found } from '../../schemas/found.ts';
import { limits } from '../../schemas/vocabulary.ts';
import { type AnyArtifact, parseArtifactUri, type RunRecord, uriOf } from '../record.ts';
import { type BookEntry, type Query, type RuledType, rule, ruledTypes, type Said } from './book.ts';
import { canonicalEqual } from './equality.ts';
import { freeId } from './freeId.ts';

/**
 * Ids and quotas, judged last and inside the write (admission sections 1, 2, 6 and 8.4; run-machine section 13). The
 * first of them that fails ends the judgement.
 */

/** What of an artifact a repeat must have in common with the stored one; equal bodies have equal digests. */
export type Repeat = Pick<AnyArtifact, 'id' | 'type' | 'body' | 'sourceRefs'> & Partial<Pick<AnyArtifact, 'redaction'>>;

/**
 * What a supporting artifact is to the record: `new`, the `same` as one stored before (accepted again, nothing is
 * written), or `different` from the one that has its id. Rules: SCEN-05, EVID-08.
 */
export const supportingReplay = (record: RunRecord, artifact: Repeat): 'new' | 'same' | 'different' => {
  const stored = record.get(artifact.id);
  if (!stored) return 'new';
  const same =
    stored.type === artifact.type &&
    stored.redaction === (artifact.redaction ?? 'none') &&
    canonicalEqual(stored.sourceRefs, artifact.sourceRefs) &&
    canonicalEqual(stored.body, artifact.body);
  return same ? 'same' : 'different';
};

/** Whether a supporting artifact repeats a stored one exactly. */
export const isSupportingReplay = (record: RunRecord, artifact: Repeat): boolean =>
  supportingReplay(record, artifact) === 'same';

const isSupporting = (query: Query): boolean => query.type === 'Evidence' || query.type === 'ScenarioSpec';

const replayOf = (query: Query): 'new' | 'same' | 'different' =>
  supportingReplay(query.record, {
    id: query.body.id,
    type: query.type,
    body: query.body,
    sourceRefs: query.sourceRefs,
  });

/** An exact repeat writes nothing, so no quota is asked. */
const writes = (query: Query): boolean => !isSupporting(query) || replayOf(query) !== 'same';

const isQueryOf = <T extends RuledType>(query: Query, type: T): query is Query & Query<T> => query.type === type;

/** How many artifacts and trace events the acceptance of a submission writes, companions included. */
const growth = (query: Query): Readonly<{ artifacts: number; events: number }> => {
  if (isQueryOf(query, 'ContextManifest')) {
    const { derivedRefs } = query.body;
    // The record of a grounding may hold the documents already; their trace entries are still to be written.
    const documents = derivedRefs.filter((ref) => !query.record.get(parseArtifactUri(ref)?.id ?? ''));
    return { artifacts: 1 + documents.length, events: 1 + derivedRefs.length };
  }
  if (isQueryOf(query, 'WorkResult'))
    return { artifacts: 1, events: 1 + query.body.actions.filter(({ status }) => status !== 'skipped').length };
  if (query.type === 'ProblemFrame' && query.run.topology === 'micro') return { artifacts: 3, events: 3 };
  // A receipt, its entry and its digest check, or an escalation.
  if (query.type === 'QualityReview') return { artifacts: 2, events: 4 };
  return { artifacts: 1, events: query.type === 'UserReport' ? 2 : 1 };
};

/** The room of the trace that results with their many checks leave to the artifacts that close a run. */
const closingEvents = 100;

/** How many events there may be after this one: the reserve is for versioned events, its end for those that close (D10). */
const eventCeiling = (query: Query): number => {
  if (isSupporting(query)) return limits.traceEvents - limits.reservedTraceEvents;
  if (query.type === 'WorkResult') return limits.traceEvents - closingEvents;
  // One event is always left: cancelling must work.
  return limits.traceEvents - 1;
};

const full = (events: number): Said => ({
  path: 'run_id',
  message: `The trace of this run holds ${events} of ${limits.traceEvents} events; what is left is kept for ending the run.`,
  fix: 'Submit the artifact that the next action asks for, or cancel the run.',
});

/** COM-15 for an event that moves nothing (a tool check): only the reserve of the trace is left (D10). */
export const checkQuota = (record: RunRecord): readonly Finding[] =>
  record.traceLength + 1 > limits.traceEvents - limits.reservedTraceEvents
    ? [{ ...full(record.traceLength), code: 'ADM-COM-15' }]
    : [];

/** How many Evidence artifacts may still be stored for the current plan (EVID-07). */
export const evidenceLeft = (record: RunRecord): number => {
  const plan = record.latest('WorkPlan');
  if (!plan) return 0;
  const since = record.indexOf(plan.id);
  const stored = record.all('Evidence').filter(({ id }) => record.indexOf(id) > since).length;
  return Math.max(0, limits.evidencePerPlan - stored);
};

const bytesOf = (body: unknown): number => {
  // Canonical JSON orders keys and changes no length, so the plain text has its size.
  return Buffer.byteLength(JSON.stringify(body), 'utf8');
};

const immutable = (query: Query) => {
  const { id } = query.body;
  return replayOf(query) === 'different'
    ? [
        {
          path: 'id',
          message: `${found(id)} is stored in this run with other content; artifacts never change.`,
          expected: freeId(id, query.record),
          fix: 'Choose an id that is not used yet, or send the stored artifact unchanged.',
        },
      ]
    : [];
};

export const ledgerRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-SCEN-05',
    types: ['ScenarioSpec'],
    part: 'ledger',
    text: 'A ScenarioSpec sent again is taken when nothing of it differs, and then nothing is written.',
    reads: ['artifacts'],
    refusal: 'id_taken',
    ends: true,
    check: immutable,
  }),
  rule({
    code: 'ADM-EVID-08',
    types: ['Evidence'],
    part: 'ledger',
    text: 'Evidence sent again is taken when nothing of it differs, and then nothing is written.',
    reads: ['artifacts'],
    refusal: 'id_taken',
    ends: true,
    check: immutable,
  }),
  rule({
    code: 'ADM-COM-11',
    types: ruledTypes,
    part: 'ledger',
    text: 'The id of an artifact is new in its run.',
    reads: ['artifacts'],
    refusal: 'id_taken',
    ends: true,
    *check(query) {
      const { id } = query.body;
      const taken = query.record.get(id);
      if (taken && !isSupporting(query))
        yield {
          path: 'id',
          message: `The id ${found(id)} belongs to a stored ${taken.type} of this run.`,
          expected: freeId(id, query.record),
          fix: 'Choose an id that is not used in this run.',
        };
    },
  }),
  rule({
    code: 'ADM-SCEN-04',
    types: ['ScenarioSpec'],
    part: 'ledger',
    text: 'A frame has at most one ScenarioSpec.',
    reads: ['ScenarioSpec'],
    refusal: 'quota_exceeded',
    ends: true,
    *check(query) {
      const { problemFrameRef } = query.body;
      const other = query.record.all('ScenarioSpec').find(({ body }) => body.problemFrameRef === problemFrameRef);
      if (other && writes(query))
        yield {
          path: 'problemFrameRef',
          message: `This frame already has its ScenarioSpec, ${found(uriOf(other))}.`,
          fix: 'Go on with the TaskContract; a second presentation is not taken.',
        };
    },
  }),
  rule({
    code: 'ADM-EVID-07',
    types: ['Evidence'],
    part: 'ledger',
    text: 'At most 128 Evidence artifacts are stored for one plan.',
    reads: ['WorkPlan', 'Evidence'],
    refusal: 'quota_exceeded',
    ends: true,
    *check(query) {
      if (!writes(query) || evidenceLeft(query.record) > 0) return;
      if (!query.record.latest('WorkPlan'))
        yield {
          path: 'artifact_type',
          message: 'There is no plan that Evidence could be for.',
          fix: 'Fetch the next action.',
        };
      else
        yield {
          path: 'artifact_type',
          message: `${limits.evidencePerPlan} Evidence artifacts are stored for this plan; no more are taken.`,
          fix: 'Submit the WorkResult with the Evidence that is stored.',
        };
    },
  }),
  rule({
    code: 'ADM-COM-12',
    types: ruledTypes,
    part: 'ledger',
    text: 'A run holds at most 2048 artifacts; the last 8 are kept for those that move it.',
    reads: ['artifacts'],
    refusal: 'quota_exceeded',
    ends: true,
    *check(query) {
      if (!writes(query)) return;
      const most = isSupporting(query) ? limits.artifacts - limits.reservedArtifacts : limits.artifacts;
      const { artifacts } = growth(query);
      if (query.record.size + artifacts > most)
        yield {
          path: 'run_id',
          message: `The run holds ${query.record.size} artifacts and would get ${artifacts} more; ${most} is the limit here.`,
          fix: isSupporting(query)
            ? 'Submit the artifact that the next action asks for with what is stored already.'
            : 'Cancel the run and start another one; prior_run_id lets it cite this run’s Evidence.',
        };
    },
  }),
  rule({
    code: 'ADM-COM-13',
    types: ruledTypes,
    part: 'ledger',
    text: 'A body has at most 2097152 bytes of canonical JSON.',
    reads: [],
    refusal: 'quota_exceeded',
    ends: true,
    *check(query) {
      const bytes = bytesOf(query.body);
      if (bytes > limits.bodyBytes)
        yield {
          path: 'body',
          message: `The body has ${bytes} bytes; ${limits.bodyBytes} is the limit.`,
          expected: { maxBytes: limits.bodyBytes },
          fix: 'Shorten its texts, or cite stored artifacts instead of repeating them.',
        };
    },
  }),
  rule({
    code: 'ADM-COM-15',
    types: ruledTypes,
    part: 'ledger',
    text: 'The trace of a run holds at most 10000 events; its end is kept for what moves and closes the run.',
    reads: ['trace'],
    refusal: 'quota_exceeded',
    ends: true,
    *check(query) {
      if (writes(query) && query.record.traceLength + growth(query).events > eventCeiling(query))
        yield full(query.record.traceLength);
    },
  }),
  rule({
    code: 'ADM-COM-16',
    types: ruledTypes,
    part: 'ledger',
    text: 'A trace summary has at most 800 characters; a longer one is cut and ends with an ellipsis.',
    reads: [],
    refusal: 'quota_exceeded',
  }),
];
