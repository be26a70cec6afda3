import type { InvocationEvent, InvocationStep, Payload } from '../../../machines/invocation/index.ts';
import type { Args } from '../apps/app.ts';
import type { Failure } from '../failure.ts';
import type { Prepared } from '../history/history.ts';
import { interrupted } from './failures.ts';
import type { InvocationRow } from './rows.ts';
import { endPhase } from './runEvents.ts';

/** What events bring and stored effects take. */
interface Deeds extends Payload {
  readonly edits: Args;
  readonly failure: Failure;
  readonly outcome: Prepared;
}

/** What happens to an invocation. */
export type LifeEvent = InvocationEvent<Deeds>;

export type LifeStep = InvocationStep<Deeds>;

type Moved = Extract<LifeStep, { outcome: 'moved' }>;

/** When a transition is stored, and who decided it. */
interface Moment {
  readonly time_ms: number;
  /** The name of the person; null when it was no decision. */
  readonly by: string | null;
  /** The id for an ask that has none yet. */
  newAsk(): string;
}

/** What the stored effects of a step make of a row, but for the operations that `commit` brings. */
const withStored = (row: InvocationRow, effects: Moved['effects']): InvocationRow => {
  const next = { ...row };
  for (const effect of effects)
    switch (effect.type) {
      case 'storeEdits':
        next.edited_json = effect.params.edits;
        break;
      case 'storeFailure':
        if (effect.params.code === 'refused') next.reason = effect.params.reason;
        else next.error_json = effect.params.code === null ? effect.params.failure : interrupted(row);
        break;
      case 'commit': {
        const { result, resources } = effect.params.outcome;
        next.result_json = { ...(result !== undefined && { result }), resources };
        break;
      }
      default:
    }
  return next;
};

/** An ask that is put to the person: of an earlier one, that expired, nothing is left but its id. */
const withAsk = (row: InvocationRow, newAsk: () => string): InvocationRow => ({
  ...row,
  ask_id: row.ask_id ?? newAsk(),
  announced: row.announced + 1,
  edited_json: null,
  decided_ms: null,
  decided_by: null,
});

/** The row after a transition, from the row before it and the step of the machine. */
export const advancedRow = (row: InvocationRow, step: Moved, { time_ms, by, newAsk }: Moment): InvocationRow => {
  const does = (type: Moved['effects'][number]['type']): boolean => step.effects.some((effect) => effect.type === type);
  return {
    ...withStored(does('openAsk') ? withAsk(row, newAsk) : row, step.effects),
    state: step.state,
    version: step.context.version,
    context_json: step.context,
    deadline_ms: step.context.deadlineMs,
    ...(by !== null && { decided_ms: time_ms, decided_by: by }),
    ...(does('runApp') && { started_ms: time_ms }),
    ...(endPhase(step.state) !== null && { ended_ms: time_ms }),
  };
};
