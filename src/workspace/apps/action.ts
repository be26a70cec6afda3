import { actionId } from '../../../schemas/wire/vocabulary.ts';
import type {
  Action,
  EffectAction,
  EffectContext,
  EffectOutcome,
  Outcome,
  Params,
  PlanContext,
  PlannedAction,
} from './app.ts';
import { AppError } from './appError.ts';
import { oneLine } from './names.ts';
import { type ArgsOf, checkParams } from './params.ts';

type Maybe<T> = T | Promise<T>;

/** An action that plans, as an app writes it down: its arguments are known from its parameters. */
export type PlannedDefinition<P extends Params> = Omit<PlannedAction, 'params' | 'plan'> & {
  readonly params: P;
  plan(ctx: PlanContext, args: ArgsOf<P>): Maybe<Outcome>;
};

/** An action that reaches outside, likewise. */
export type EffectDefinition<P extends Params> = Omit<EffectAction, 'params' | 'effect'> & {
  readonly params: P;
  effect(ctx: EffectContext, args: ArgsOf<P>): Maybe<EffectOutcome>;
};

const checked = new WeakSet<Action>();
const reserved = ['undo', 'redo'];

/** Checks one action; a second look at the same object costs nothing. @throws AppError */
export const checkAction = (action: Action): void => {
  if (checked.has(action)) return;
  const wrong = (what: string): AppError => new AppError(null, `action ${action.id}`, what);
  if (!actionId.test(action.id)) throw wrong('has no id of small letters, digits and hyphens');
  if (reserved.includes(action.id)) throw wrong("bears a name that is the host's own");
  if (!oneLine.test(action.label)) throw wrong('needs a label of one line');
  if (action.kind === 'read' && action.destroys) throw wrong('reads, so it destroys nothing');
  checkParams(action.id, action.params);
  checked.add(action);
};

/**
 * One action of a kind (workspace-wire 6.1): `plan` for what reads or can be undone, `effect` for what reaches outside.
 *
 * @throws AppError for a bad id, a reserved one, a bad parameter.
 */
export function action<const P extends Params>(definition: PlannedDefinition<P>): PlannedAction;
export function action<const P extends Params>(definition: EffectDefinition<P>): EffectAction;
export function action(definition: Action): Action {
  checkAction(definition);
  return definition;
}
