import type { Ruling } from '../../../machines/invocation/index.ts';
import type { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import type { Token } from '../caller.ts';
import type { Clock } from '../sources.ts';
import type { Registry } from '../store/store.ts';
import type { InvocationRows, SameCall } from './rows.ts';

const reaches: readonly ActionKind[] = ['read', 'undoable', 'outside'];

/** How long a refusal counts (D-22). */
const refusalMs = 3_600_000;

/** What the host finds about a call before it may run or ask. */
export interface Grants {
  /** What the token allows at most in a workspace; null when it no longer stands: it may have ended while a call was held. */
  bound(token: Pick<Token, 'id'>, workspace: string): ActionKind | null;
  ruling(call: SameCall & Readonly<{ action_kind: ActionKind }>): Ruling;
}

export const createGrants = ({
  registry,
  rows,
  clock,
}: Readonly<{ registry: Pick<Registry, 'tokens'>; rows: InvocationRows; clock: Clock }>): Grants => {
  const bound: Grants['bound'] = ({ id }, workspace) => {
    const token = registry.tokens().find((row) => row.id === id);
    if (token === undefined || token.revoked_ms !== null) return null;
    if (token.expires_ms !== null && token.expires_ms <= clock.now()) return null;
    if (token.workspace !== null && token.workspace !== workspace) return null;
    return token.max;
  };
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
