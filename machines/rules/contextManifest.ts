import { found } from '../../schemas/found.ts';
import { parseArtifactUri } from '../record.ts';
import { valueAt } from './bodyReferences.ts';
import { type BookEntry, type Query, rule } from './book.ts';
import { originalRequestRef } from './derived.ts';

/** What a grounding needs of the run: its original request (admission section 15). */

const requestOf = (query: Query) => {
  const ref = originalRequestRef(query.record);
  const parsed = ref === undefined ? null : parseArtifactUri(ref);
  return { ref, request: parsed ? query.record.get(parsed.id) : undefined };
};

const fix = 'Let an operator check the ledger; the run can still be cancelled.';

export const contextManifestRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-GROUND-02',
    types: ['ContextManifest'],
    part: 'own',
    text: 'The original request of the run is stored.',
    reads: ['RunEnvelope', 'UserMessage'],
    refusal: 'integrity_failed',
    ends: true,
    *check(query) {
      const { ref, request } = requestOf(query);
      if (!request) yield { path: '', message: `The run has lost its original request ${found(ref)}.`, fix };
    },
  }),
  rule({
    code: 'ADM-GROUND-03',
    types: ['ContextManifest'],
    part: 'own',
    text: 'The original request of the run can be read.',
    reads: ['UserMessage'],
    refusal: 'integrity_failed',
    ends: true,
    *check(query) {
      const { ref, request } = requestOf(query);
      if (request && typeof valueAt(request.body, ['content']) !== 'string')
        yield { path: '', message: `The original request ${found(ref)} has no text.`, fix };
    },
  }),
];
