import { randomInt, randomUUID } from 'node:crypto';

/** An id for an invocation, made before its first try, so that no later try can run the action again. */
export const newInvocationId = (): string => randomUUID().replaceAll('-', '');

const base36 = 36;

/** An id for a run: its title as a word, and six random characters, so that two runs of one title are two (D-35). */
export const runIdFor = (title: string): string => {
  const word = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  const random = randomInt(base36 ** 6)
    .toString(base36)
    .padStart(6, '0');
  return `${word || 'run'}-${random}`;
};
