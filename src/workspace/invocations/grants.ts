import type { Ruling } from '../../../machines/invocation/index.ts';
import type { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import type { Token } from '../caller.ts';
import type { Clock } from '../sources.ts';
import type { Registry } from '../store/store.ts';
import type { InvocationRows, SameCall } from './rows.ts';

const reaches: readonly ActionKind[] = ['read', 'undoable', 'outside'];

/** How long a refusal counts (D-22). */
const refusalMs = 3_600_000;

/**
 * What a token allows at most in a workspace, or in any it opens where none is named; null when it no longer stands: it
 * may have ended while a call was held.
 */
export const boundOf = (
  { registry, clock }: Readonly<{ registry: Pick<Registry, 'tokens'>; clock: Clock }>,
  { id }: Pick<Token, 'id'>,
  workspace: string | null,
): ActionKind | null => {
  const token = registry.tokens().find((row) => row.id === id);
  if (token === undefined || token.revoked_ms !== null) return null;
  if (token.expires_ms !== null && token.expires_ms <= clock.now()) return null;
  if (workspace !== null && token.workspace !== null && token.workspace !== workspace) return null;
  return token.max;
};

/** What the host finds about a call before it may run or ask. */
export interface Grants {
  /** @see boundOf */
  bound(token: Pick<Token, 'id'>, workspace: string): ActionKind | null;
  ruling(call: SameCall & Readonly<{ action_kind: ActionKind }>): Ruling;
}

export const createGrants = ({
  registry,
  rows,
  clock,
}: Readonly<{ registry: Pick<Registry, 'tokens'>; rows: InvocationRows; clock: Clock }>): Grants => {
  const bound: Grants['bound'] = (token, workspace) => boundOf({ registry, clock }, token, workspace);
  return {
    bound,
    ruling: (call) => {
      const max = bound({ id: call.token }, call.workspace);
      return {
        granted: max !== null && reaches.indexOf(call.action_kind) <= reaches.indexOf(max),
        refusals: rows.refusals(call, clock.now() - refusalMs),
      };
    },
  };
};
