import type { Clock, IdSource } from '../sources.ts';
import { StoreError } from './errors.ts';
import type { Registry, Store } from './store.ts';
import { secretDigest } from './tokens.ts';

type Entry = Pick<Registry, 'person' | 'setPerson' | 'createLoginCode' | 'enter' | 'personOf'>;

const codeMilliseconds = 5 * 60_000;
const sessionMilliseconds = 30 * 24 * 3_600_000;

/** The id of a person whose name has no letter to make one of. */
const nameless = 'owner';
const idLength = 32;

/** `mira` for Mira: an id made of the first name that is told; it stays when the name changes. */
const idFor = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, idLength) || nameless;

interface Person {
  readonly id: string;
  readonly name: string;
}

/** The person and their way in: one-use codes and the sessions of their page (workspace-wire section 9, Entry). */
export const createEntry = (
  { db, transaction }: Store,
  { clock, ids }: Readonly<{ clock: Clock; ids: IdSource }>,
  known: (workspace: string) => boolean,
): Entry => {
  // An account has one owner.
  const read = db.prepare<[], Person>('SELECT id, name FROM people LIMIT 1');
  const write = db.prepare<[string, string]>(
    'INSERT INTO people (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  );
  const insertCode = db.prepare<[string, string, string, number]>(
    'INSERT INTO login_codes (digest, person, workspace, expires_ms) VALUES (?, ?, ?, ?)',
  );
  const useCode = db.prepare<[number, string, number], { person: string; workspace: string }>(
    `UPDATE login_codes SET used_ms = ? WHERE digest = ? AND used_ms IS NULL AND expires_ms > ?
     RETURNING person, workspace`,
  );
  const dropCodes = db.prepare<[number]>('DELETE FROM login_codes WHERE expires_ms <= ?');
  const insertSession = db.prepare<[string, string, number, number]>(
    'INSERT INTO person_sessions (digest, person, created_ms, expires_ms) VALUES (?, ?, ?, ?)',
  );
  const dropSessions = db.prepare<[number]>('DELETE FROM person_sessions WHERE expires_ms <= ?');
  const bySession = db.prepare<[string, number], Person>(
    `SELECT p.id, p.name FROM person_sessions s JOIN people p ON p.id = s.person
     WHERE s.digest = ? AND s.expires_ms > ?`,
  );

  const person = (): Person => read.get() ?? { id: nameless, name: '' };
  const setPerson = (name: string): void => {
    write.run(read.get()?.id ?? idFor(name), name);
  };
  return {
    person,
    setPerson,
    createLoginCode: (workspace) => {
      if (!known(workspace)) throw new StoreError('unknown', `There is no workspace ${workspace}.`);
      const code = ids.bytes(16).toString('base64url');
      const now = clock.now();
      transaction(() => {
        if (read.get() === undefined) setPerson('');
        dropCodes.run(now);
        insertCode.run(secretDigest(code), person().id, workspace, now + codeMilliseconds);
      });
      return code;
    },
    enter: (code) => {
      const now = clock.now();
      return transaction(() => {
        const used = useCode.get(now, secretDigest(code), now);
        if (used === undefined) return null;
        const session = ids.bytes(32).toString('base64url');
        dropSessions.run(now);
        insertSession.run(secretDigest(session), used.person, now, now + sessionMilliseconds);
        return { session, workspace: used.workspace };
      });
    },
    personOf: (session) => bySession.get(secretDigest(session), clock.now()) ?? null,
  };
};
