import { assign, setup } from 'xstate';
import type { OutcomeHint, RecordPhase, RecordStatus, RunTopology } from '../schemas/vocabulary.ts';
import * as change from './changes.ts';
import type { FixGate, RunContext, RunInput } from './context.ts';
import { newRun } from './context.ts';
import * as entries from './entries.ts';
import {
  type DoneEvent,
  type Escalation,
  type EscalationReason,
  exitOf,
  isSubmit,
  type RecordEffect,
  type Refusal,
  type RunEvent,
  sent,
} from './events.ts';
import { verdictOn } from './judgement.ts';
import * as refusal from './refusals.ts';
import { type Situation, situationOf } from './situation.ts';

type MachineEvent = RunEvent | DoneEvent;

/**
 * The one setup of every machine of a run: its guards are objections (their names are what a diagram shows) and facts to
 * route by, its actions are changes of the context or effects that the controller carries out.
 */
export const kit = setup({
  types: {
    context: {} as RunContext,
    events: {} as MachineEvent,
    input: {} as RunInput,
  },
  guards: {
    // Objections, in the order in which `admit` asks them.
    stale: ({ context, event }) => refusal.isStale(context, sent(event)),
    controllerOwned: ({ event }) => refusal.ownedFindings(sent(event)).length > 0,
    breaksSchema: ({ context, event }) => isSubmit(event) && verdictOn(context, event).shape.length > 0,
    breaksCommonRule: ({ context, event }) => isSubmit(event) && verdictOn(context, event).common.length > 0,
    breaksRule: ({ context, event }) => isSubmit(event) && verdictOn(context, event).own.length > 0,
    unknownChoice: ({ context, event }) => refusal.answerFindings(context, sent(event)).length > 0,
    recordFull: ({ context, event }) => refusal.quotaFindings(context, sent(event)).length > 0,
    // Facts to route by.
    when: ({ context, event }, wanted: Partial<Situation>) => {
      const here = new Map<string, unknown>(Object.entries(situationOf(context, event)));
      return Object.entries(wanted).every(([name, value]) => here.get(name) === value);
    },
  },
  actions: {
    // Effects: handed to the caller as data, never run here.
    refuse: (_, _params: Refusal) => {},
    record: (_, _params: RecordEffect) => {},
    moved: (_, _params: Escalation) => {},
    ended: () => {},
    // Changes of the context.
    step: assign(({ context, event }) => change.step(context, sent(event))),
    note: assign(({ context, event }) => change.note(context, sent(event))),
    ask: assign(({ context, event }) => change.ask(context, sent(event))),
    answered: assign(({ context, event }) => change.answered(context, sent(event))),
    enter: assign((_, params: { phase: RecordPhase }) => ({ phase: params.phase, status: 'running' as const })),
    close: assign((_, params: { status: RecordStatus }) => ({ ...params, resumePhase: null, choices: [] })),
    spend: assign(({ context }, params: { budget: keyof RunContext['budgets'] }) => ({
      budgets: { ...context.budgets, [params.budget]: context.budgets[params.budget] - 1 },
    })),
    settle: assign((_, params: { hint: OutcomeHint | null }) => params),
    settleByReview: assign(({ context }) => change.settleByReview(context)),
    block: assign((_, params: { by: NonNullable<RunContext['blockedBy']> }) => ({
      hint: 'blocked' as const,
      blockedBy: params.by,
    })),
    lift: assign(({ context }, params: { topology: RunTopology }) => ({
      ...params,
      escalations: context.escalations + 1,
    })),
    setGate: assign((_, params: { gate: FixGate }) => params),
    planned: assign(({ context }) => change.planned(context)),
    packed: assign(({ context }) => change.packed(context)),
    executed: assign((_, params: { nodesCompleted: boolean }) => params),
  },
});

/** What parameters are computed from; the engine's own events come here too. */
type Params = Readonly<{ context: RunContext; event: Readonly<{ type: string }> }>;

type GuardName =
  | 'stale'
  | 'controllerOwned'
  | 'breaksSchema'
  | 'breaksCommonRule'
  | 'breaksRule'
  | 'unknownChoice'
  | 'recordFull';

/** Stays put and says why, when the objection holds. */
export const refuse = <const G extends GuardName>(guard: G) =>
  ({
    guard,
    actions: {
      type: 'refuse',
      params: ({ context, event }: Params) => refusal.refusalOf(guard, context, sent(event)),
    },
  }) as const;

/** Stays put: nothing of this kind is taken here. */
export const astray = {
  actions: {
    type: 'refuse',
    params: ({ context, event }: Params) => refusal.refusalOf('astray', context, sent(event)),
  },
} as const;

export const current = refuse('stale');

/** What stands before the escalations of audit and report: token, schema, common and reference rules. */
export const admitCommon = [
  current,
  refuse('controllerOwned'),
  refuse('breaksSchema'),
  refuse('breaksCommonRule'),
] as const;
/** What stands after them: the rules of the type. */
export const admitOwn = [refuse('breaksRule')] as const;
/** The order of every transition list that takes an artifact. */
export const admit = [...admitCommon, ...admitOwn] as const;

/** Accepted: version and pointers rise, the artifact and its main trace entry are recorded. */
export const keep = [
  'step',
  'note',
  { type: 'record', params: ({ context, event }: Params) => entries.submissionEntries(context, sent(event)) },
] as const;

/** A supporting artifact: recorded at the current version, the snapshot stays the same object. */
export const support = {
  actions: { type: 'record', params: ({ context, event }: Params) => entries.supportEntries(context, sent(event)) },
} as const;

/** An effect that records what a row adds beside the main entry. */
export const recorded = <const N extends entries.RowEntryName>(name: N) =>
  ({ type: 'record', params: entries.rowEntries[name] }) as const;

/** One row of a transition table: where it leads when the named facts hold, and what it does. */
export const when = (wanted: Partial<Situation>) => ({ type: 'when', params: wanted }) as const;

/** An accepting row of a phase for each named exit: the decision of the artifact is the name of the final state. */
export const exits = <const E extends string>(...names: readonly E[]) =>
  names.map((exit) => ({ guard: when({ exit }), target: exit, actions: keep }) as const);

const output =
  (exit: string) =>
  ({ event }: Pick<Params, 'event'>): Readonly<{ exit: string; cause: RunEvent | null }> => ({
    exit,
    cause: sent(event),
  });

/** The final states of a phase; their output names the exit and carries the event that led there. */
export const ends = <const E extends string>(...names: readonly E[]) => {
  const states: Record<string, { type: 'final'; output: ReturnType<typeof output> }> = {};
  for (const exit of names) states[exit] = { type: 'final', output: output(exit) };
  return states as Readonly<Record<E, { type: 'final'; output: ReturnType<typeof output> }>>;
};

/** Writes the record name of the phase on entry: an action does not see the state value. */
export const enter = (phase: RecordPhase) => ({ type: 'enter', params: { phase } }) as const;

export const spend = (budget: keyof RunContext['budgets']) => ({ type: 'spend', params: { budget } }) as const;
export const settle = (hint: OutcomeHint | null) => ({ type: 'settle', params: { hint } }) as const;
export const block = (by: NonNullable<RunContext['blockedBy']>) => ({ type: 'block', params: { by } }) as const;
export const lift = (topology: RunTopology) => ({ type: 'lift', params: { topology } }) as const;
export const setGate = (gate: FixGate) => ({ type: 'setGate', params: { gate } }) as const;
export const close = (status: RecordStatus) => ({ type: 'close', params: { status } }) as const;
export const moved = (reason: EscalationReason) => ({ type: 'moved', params: { reason } }) as const;
export const executed = (nodesCompleted: boolean) => ({ type: 'executed', params: { nodesCompleted } }) as const;

/** What no row takes, refused by the root of every machine; not `*`, which would catch the engine's own events too. */
export const refusals = {
  'submit.*': [current, refuse('controllerOwned'), astray],
  'user.*': [current, astray],
} as const;

type PhaseConfig = Pick<Parameters<typeof kit.createMachine>[0], 'initial' | 'states' | 'on'>;

/**
 * A phase as a machine of its own: started, drawn and tested alone. Its output is the exit that it took.
 * @param id the name of the phase
 * @param phase the state that the run machine embeds
 */
export const standalone = (id: string, phase: PhaseConfig) =>
  kit.createMachine({
    ...phase,
    id,
    context: newRun,
    on: { ...refusals, ...phase.on },
    output: ({ event }) => exitOf(event),
  });

export { newRun };
