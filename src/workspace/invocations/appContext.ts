import type { EffectContext, PlanContext, State } from '../apps/app.ts';
import type { NextStep, Place } from '../world/world.ts';

/** An action that its app ended as failed, in the app's own words (workspace-wire 6.1, `ctx.fail`). */
export class AppFailure extends Error {
  override readonly name = 'AppFailure';
  readonly code: string;
  readonly next: readonly NextStep[];

  constructor(code: string, message: string, next: readonly NextStep[]) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

/** What a plan is given. `state` may be that of the database or an overlay of it. */
export const planContext = (
  of: Readonly<{ place: Place; state: State; now_ms: number; newItem: () => string; signal: AbortSignal }>,
): PlanContext => ({
  get: (key) => of.state.get(key),
  list: (prefix) => of.state.list(prefix),
  resource: of.place.resource,
  now_ms: of.now_ms,
  newItem: of.newItem,
  fail: (code, message, next = []) => {
    throw new AppFailure(code, message, next);
  },
  signal: of.signal,
});

/** What an effect is given besides. */
export const effectContext = (
  plan: PlanContext,
  beside: Pick<EffectContext, 'idempotencyKey' | 'publish'>,
): EffectContext => ({ ...plan, ...beside });
