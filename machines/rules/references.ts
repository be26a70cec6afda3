import type { Finding } from '../../schemas/failure.ts';
import type { BookEntry, Query } from './book.ts';
import { citationsOf } from './citations.ts';
import { artifactRules } from './references/artifacts.ts';
import { backingRules } from './references/backing.ts';
import { linkedRunRules } from './references/linkedRun.ts';
import { repositoryRules } from './references/repositorySources.ts';
import { formRules } from './references/sourceRefs.ts';
import { systemRules } from './references/systemArtifacts.ts';
import { traceRules } from './references/trace.ts';

/** The reference rules (admission sections 3.1 and 14): they hold for every submission. */

export { mergedReferences } from './bodyReferences.ts';
export { mergeRules } from './references/sourceRefs.ts';

/** The rules of single references, in the order in which each reference is judged. */
export const referenceRules: readonly BookEntry[] = [
  ...formRules,
  ...systemRules,
  ...repositoryRules,
  ...traceRules,
  ...artifactRules,
  ...backingRules,
  ...linkedRunRules,
];

const referenceCodes: ReadonlySet<string> = new Set(referenceRules.map(({ code }) => code));

/**
 * Puts the findings about references into the order in which references are judged: one reference after the other, the
 * body first (admission section 1, step 3). Other findings keep their places before them.
 */
export const inReferenceOrder = <F extends Pick<Finding, 'code' | 'path'>>(
  query: Query,
  findings: readonly F[],
): F[] => {
  const about = findings.filter(({ code }) => referenceCodes.has(code));
  if (about.length === 0) return [...findings];
  const places = new Map(citationsOf(query).map(({ path }, index) => [path, index]));
  const placeOf = ({ path }: F): number => places.get(path) ?? places.size;
  const others = findings.filter(({ code }) => !referenceCodes.has(code));
  return [...others, ...about.sort((a, b) => placeOf(a) - placeOf(b))];
};
