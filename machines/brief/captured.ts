import type { EvidenceKind } from '../../schemas/artifacts/evidence.ts';
import type { ActionCapability } from '../../schemas/vocabulary.ts';
import { type Artifact, type RunRecord, uriOf } from '../record.ts';
import { resultsOf } from '../rules/derived.ts';
import { kindsFor } from '../rules/evidenceKinds.ts';
import { most } from './draft.ts';

export type Captured = Artifact<'Evidence'>;

/** What was captured for the pending node, oldest first: everything since the last result of its plan. */
export const capturedFor = (record: RunRecord): readonly Captured[] => {
  const plan = record.latest('WorkPlan');
  if (!plan) return [];
  const since = record.indexOf((resultsOf(record, plan).at(-1) ?? plan).id);
  return record.all('Evidence').filter(({ id }) => record.indexOf(id) > since);
};

/** The references of captured Evidence, the newest ones where there are more than a field should cite. */
export const refsOf = (captured: readonly Captured[], kinds?: readonly EvidenceKind[]): readonly string[] =>
  captured
    .filter(({ body }) => kinds === undefined || kinds.includes(body.kind))
    .slice(-most.references)
    .map(uriOf);

/** The references that can show an action of a capability (admission section 3.3). */
export const refsFor = (captured: readonly Captured[], capability: ActionCapability): readonly string[] =>
  refsOf(captured, kindsFor(capability));
