import { createHash } from 'node:crypto';
import { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import type { Token } from '../caller.ts';
import type { Clock, IdSource } from '../sources.ts';
import { StoreError } from './errors.ts';
import { noted } from './noted.ts';
import type { Registry, Store, TokenRow } from './store.ts';

type Tokens = Pick<Registry, 'createToken' | 'tokens' | 'revokeToken' | 'tokenOf'>;

/** How stale a "last used" may be: noting it is a commit that reaches the disk, too dear for each call. */
export const touchMilliseconds = 60_000;

/** What is kept of a secret that has 128 random bits or more: its SHA-256 in hex (D-08). */
export const secretDigest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const tokenText = /^tlo_[A-Za-z0-9_-]{43}$/;

interface Stored extends Omit<TokenRow, 'max'> {
  readonly max: string;
}

const columns = 'id, label, workspace, max, run, created_ms, expires_ms, revoked_ms, last_used_ms';

/** Bearer tokens (workspace-wire 2.3). */
export const createTokens = (
  { db }: Store,
  { clock, ids }: Readonly<{ clock: Clock; ids: IdSource }>,
  known: (workspace: string) => boolean,
): Tokens => {
  const insert = db.prepare<[string, string, string, string | null, string, string | null, number, number | null]>(
    'INSERT INTO tokens (id, digest, label, workspace, max, run, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const all = db.prepare<[], Stored>(`SELECT ${columns} FROM tokens ORDER BY created_ms, rowid`);
  const byDigest = db.prepare<[string], Stored>(`SELECT ${columns} FROM tokens WHERE digest = ?`);
  const revoke = db.prepare<[number, string]>('UPDATE tokens SET revoked_ms = ? WHERE id = ? AND revoked_ms IS NULL');
  const touch = db.prepare<[number, string]>('UPDATE tokens SET last_used_ms = ? WHERE id = ?');

  return {
    createToken: ({ label, workspace, max, expires_ms, run }) => {
      if (label.trim() === '') throw new StoreError('invalid_name', 'A token needs a label.');
      if (workspace !== null && !known(workspace))
        throw new StoreError('unknown', `There is no workspace ${workspace}.`);
      const id = ids.hex();
      const text = `tlo_${ids.bytes(32).toString('base64url')}`;
      insert.run(id, secretDigest(text), label, workspace, max, run, clock.now(), expires_ms);
      return { id, text };
    },
    tokens: () => all.all().map((row) => ({ ...row, max: ActionKind.parse(row.max) })),
    revokeToken: (id) => revoke.run(clock.now(), id).changes > 0,
    tokenOf: (text): Token | null => {
      if (!tokenText.test(text)) return null;
      const row = byDigest.get(secretDigest(text));
      const now = clock.now();
      if (row === undefined || row.revoked_ms !== null) return null;
      if (row.expires_ms !== null && row.expires_ms <= now) return null;
      if (row.last_used_ms === null || now - row.last_used_ms >= touchMilliseconds) noted(() => touch.run(now, row.id));
      return { id: row.id, label: row.label, workspace: row.workspace, max: ActionKind.parse(row.max), run: row.run };
    },
  };
};
