/**
 * What a machine consists of, as plain data read from its definition: the common ground of every picture. A walk over
 * `machine.root`, so that a picture cannot say anything that the machine does not do.
 */

import { rowEntries } from '../entries.ts';

/** A fact of a guard or an action: the named value that it compares with or sets. */
export type FactValue = string | number | boolean | null;

/** A guard or an action by its name, with the facts that it was given; facts computed from the event are left out. */
export interface Named {
  readonly name: string;
  readonly facts: Readonly<Record<string, FactValue>>;
}

/** One row of a transition list. */
export interface OutlineRow {
  /** Its place in the list of its event, from 1: the first row whose guard holds is taken. */
  readonly order: number;
  /** How many rows the list has. */
  readonly of: number;
  /** The event as the machine names it; `done` when the state itself has ended. */
  readonly event: string;
  /** Null takes what the rows above left. */
  readonly guard: Named | null;
  /** Ids of the states that it leads to; none when it stays put. */
  readonly targets: readonly string[];
  readonly actions: readonly Named[];
}

export interface OutlineState {
  /** The full id, `run.working.frame`. */
  readonly id: string;
  /** The last part of the id. */
  readonly key: string;
  readonly type: 'atomic' | 'compound' | 'final' | 'history';
  readonly history: 'shallow' | 'deep' | null;
  /** The id of the initial child. */
  readonly initial: string | null;
  readonly entry: readonly Named[];
  readonly rows: readonly OutlineRow[];
  readonly states: readonly OutlineState[];
}

/** The part of a state node that is read; every machine of XState has it. */
interface StateLike {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly history: false | 'shallow' | 'deep';
  readonly initial: Readonly<{ target: readonly StateLike[] | undefined }>;
  readonly entry: readonly unknown[];
  readonly transitions: ReadonlyMap<string, readonly RowLike[]>;
  readonly states: Readonly<Record<string, StateLike>>;
}

interface RowLike {
  readonly guard?: unknown;
  readonly target: readonly StateLike[] | undefined;
  readonly actions: readonly unknown[];
}

export type MachineLike = Readonly<{ root: StateLike }>;

/** The event that a row of `onDone` waits for, as an outline writes it. */
export const doneEvent = 'done';

const isFact = (value: unknown): value is FactValue =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** What a row records is computed when it is taken; the name of the computation says what it is. */
const isNamedEntry = (params: unknown): params is { name: string } =>
  typeof params === 'function' && Object.hasOwn(rowEntries, params.name);

const factsOf = (params: unknown): Readonly<Record<string, FactValue>> => {
  if (isNamedEntry(params)) return { entry: params.name };
  return typeof params === 'object' && params !== null
    ? Object.fromEntries(Object.entries(params).filter((pair): pair is [string, FactValue] => isFact(pair[1])))
    : {};
};

const namedOf = (part: unknown): Named => {
  if (typeof part === 'string') return { name: part, facts: {} };
  if (typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string') {
    return { name: part.type, facts: 'params' in part ? factsOf(part.params) : {} };
  }
  throw new TypeError('A guard or an action without a name cannot be drawn.');
};

const typeOf = (type: string): OutlineState['type'] => {
  if (type === 'atomic' || type === 'compound' || type === 'final' || type === 'history') return type;
  throw new TypeError(`A ${type} state cannot be drawn.`);
};

const stateOf = (node: StateLike): OutlineState => ({
  id: node.id,
  key: node.key,
  type: typeOf(node.type),
  history: node.type === 'history' ? node.history || 'shallow' : null,
  initial: node.type === 'compound' ? (node.initial.target?.[0]?.id ?? null) : null,
  entry: node.entry.map(namedOf),
  rows: [...node.transitions].flatMap(([event, rows]) =>
    rows.map((row, index) => ({
      order: index + 1,
      of: rows.length,
      event: event === `xstate.done.state.${node.id}` ? doneEvent : event,
      guard: row.guard === undefined ? null : namedOf(row.guard),
      targets: (row.target ?? []).map(({ id }) => id),
      actions: row.actions.map(namedOf),
    })),
  ),
  states: Object.values(node.states).map(stateOf),
});

/**
 * The outline of a machine: its root state with all that lies in it, in the order of the definition.
 * @throws TypeError when a guard or an action is a bare function, or a state is parallel: a picture could not name it
 */
export const outlineOf = (machine: MachineLike): OutlineState => stateOf(machine.root);

/** A state and everything in it, outer states first. */
export const allStates = (state: OutlineState): readonly OutlineState[] => [
  state,
  ...state.states.flatMap((child) => allStates(child)),
];
