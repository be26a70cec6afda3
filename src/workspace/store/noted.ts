import { takesNothing } from './errors.ts';

/**
 * Notes what nobody waits for, such as a last use: a database that takes nothing now, for its disk is full or only to be
 * read, still answers what is read. The next use notes it again.
 *
 * @throws whatever the note throws that is not the database's
 */
export const noted = (note: () => void): void => {
  try {
    note();
  } catch (error) {
    if (!takesNothing(error)) throw error;
  }
};
