import { join } from 'node:path';
import { type Title, titlesBelow } from './titles.ts';

/** Every test of the project, as its file tells it. */
export const titles = titlesBelow(join(import.meta.dirname, '..'));

/** A sentence that tests prove: `file under test/ > words of the title`, or the name of a group. */
export type Proven = Readonly<{ id: string; proofs: readonly string[] }>;

/** The whole title of a test, its groups before it. */
export const full = ({ path }: Title): string => path.join(' > ');
const groupsOf = ({ path }: Title): readonly string[] => path.slice(0, -1);

/** The tests that a proof names: the one whose title holds its text, or all of the group that is called so. */
export const proving = (proof: string, among: readonly Title[] = titles): readonly Title[] => {
  const [file, ...rest] = proof.split(' > ');
  const text = rest.join(' > ');
  const here = among.filter((title) => title.file === file);
  const group = here.filter((title) => groupsOf(title).includes(text));
  return group.length > 0 ? group : here.filter((title) => text !== '' && full(title).includes(text));
};

const isGroup = (proof: string, found: readonly Title[]): boolean =>
  found.some((title) => groupsOf(title).includes(proof.split(' > ').slice(1).join(' > ')));

/** What is wrong with the proofs of one requirement: no such test, more than one, or only such as may be skipped. */
export const faultsOf = ({ id, proofs }: Proven, among?: readonly Title[]): readonly string[] => [
  ...proofs.flatMap((proof) => {
    const found = proving(proof, among);
    if (found.length === 0) return [`${id}: no test is called ${proof}`];
    if (found.length > 1 && !isGroup(proof, found)) return [`${id}: ${found.length} tests are called ${proof}`];
    return [];
  }),
  ...(proofs.length > 0 && proofs.every((proof) => proving(proof, among).every(({ conditional }) => conditional))
    ? [`${id}: every proof of it may be skipped`]
    : []),
];
