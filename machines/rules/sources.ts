import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { executes } from '../../schemas/vocabulary.ts';
import { type RunRecord, uriOf } from '../record.ts';
import type { Query } from './book.ts';

/** What a run has to cite: findings about references offer it. */

type Kind = BodyOf<'Evidence'>['kind'];

const selections = new WeakMap<object, ReadonlySet<string>>();

/** The repository sources that were selected when the context was grounded. */
export const selectedSources = (record: RunRecord): ReadonlySet<string> => {
  const manifest = record.latest('ContextManifest');
  if (!manifest) return new Set();
  const known = selections.get(manifest);
  if (known) return known;
  const selected = new Set([
    ...manifest.body.pinnedRefs,
    ...manifest.body.candidates.filter(({ decision }) => decision === 'selected').map(({ ref }) => ref),
  ]);
  selections.set(manifest, selected);
  return selected;
};

const wordsOf = (ref: string): ReadonlySet<string> =>
  new Set(
    ref
      .slice('repo://'.length)
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== ''),
  );

/** The selected sources that share most words of their path with a reference, three at most. */
export const nearestSources = (ref: string, selected: ReadonlySet<string>): string[] => {
  const wanted = wordsOf(ref);
  return [...selected]
    .map((source) => ({ source, shared: [...wordsOf(source)].filter((word) => wanted.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 3)
    .map(({ source }) => source);
};

/** The last captured Evidence, of some kinds or of any. */
export const evidenceOf = (record: RunRecord, kinds?: readonly Kind[]): readonly string[] =>
  record
    .all('Evidence')
    .filter(({ body }) => kinds === undefined || kinds.includes(body.kind))
    .slice(-16)
    .map(uriOf);

/** What can stand where something must be shown: captured Evidence, and the plan in the modes that execute nothing. */
export const proofs = ({ record, run }: Pick<Query, 'record' | 'run'>): readonly string[] => {
  const plan = executes(run.mode) ? undefined : record.latest('WorkPlan');
  return [...evidenceOf(record), ...(plan ? [uriOf(plan)] : [])];
};

/** The messages that the user wrote. */
export const userMessages = (record: RunRecord): readonly string[] =>
  record
    .all('UserMessage')
    .filter(({ producer }) => producer === 'user')
    .map(uriOf);
