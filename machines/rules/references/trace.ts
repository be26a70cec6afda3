import { found } from '../../../schemas/found.ts';
import type { RunRecord } from '../../record.ts';
import type { BookEntry, Query } from '../book.ts';
import { proofs, userMessages } from '../sources.ts';
import { choice } from '../wording.ts';
import { each, type Fault } from './each.ts';

const traceIsNoEvidence = (ref: string, query: Query): Fault => ({
  message: `${found(ref)} is of the trace; no trace entry counts as evidence.`,
  ...choice(proofs(query)),
  fix: 'Cite the Evidence artifact that was captured for it.',
});

const eventExists = (event: string, record: RunRecord): boolean => {
  const digits = /^event-(\d{4,15})$/.exec(event)?.[1];
  if (digits === undefined) return false;
  const sequence = Number(digits);
  return String(sequence).padStart(4, '0') === digits && sequence >= 1 && sequence <= record.traceLength;
};

/** What a reference to the trace names, and that it shows nothing (admission section 3.1). */
export const traceRules: readonly BookEntry[] = [
  each(
    'ADM-REF-08',
    'A claim on the word of the user rests on the message of the user, not on the trace.',
    [],
    (citation, { record }) =>
      citation.place.kind === 'trace' && citation.role === 'user_reported'
        ? {
            message: `${found(citation.ref)} is of the trace; a user-reported claim rests on what the user said.`,
            ...choice(userMessages(record)),
            fix: 'Cite the UserMessage, or change the basis of the claim and cite captured Evidence.',
          }
        : null,
  ),
  each(
    'ADM-REF-09',
    'A trace reference is trace://<run> or trace://<run>/<event> of this run.',
    [],
    ({ place, ref }, { run }) =>
      place.kind === 'trace' && place.event === undefined
        ? {
            message: `${found(ref)} is malformed or names the trace of another run.`,
            expected: `trace://${run.runId}`,
            fix: `Write trace://${run.runId}, with /event-NNNN for one event.`,
          }
        : null,
  ),
  each('ADM-REF-10', 'The trace as a whole is no evidence.', [], ({ place, role, ref }, query) =>
    place.kind === 'trace' && place.event === null && role === 'direct' ? traceIsNoEvidence(ref, query) : null,
  ),
  each(
    'ADM-REF-11',
    'A trace reference to an event names one that exists.',
    ['trace'],
    ({ place, role, ref }, query) => {
      const { record, run } = query;
      if (place.kind !== 'trace' || typeof place.event !== 'string' || eventExists(place.event, record)) return null;
      return role === 'direct'
        ? traceIsNoEvidence(ref, query)
        : {
            message: `${found(ref)} names no event; the trace holds event-0001 to event-${String(record.traceLength).padStart(4, '0')}.`,
            expected: `trace://${run.runId}`,
            fix: 'Name an existing event, or the whole trace.',
          };
    },
  ),
  each('ADM-REF-12', 'No event of the trace counts as evidence.', ['trace'], ({ place, role, ref }, query) =>
    place.kind === 'trace' &&
    typeof place.event === 'string' &&
    role === 'direct' &&
    eventExists(place.event, query.record)
      ? traceIsNoEvidence(ref, query)
      : null,
  ),
];
