import { adjacencyMapToArray, getAdjacencyMap } from '@xstate/graph';
import { initialTransition, type SnapshotFrom } from 'xstate';
import type { MachineEvent } from '../../machines/invocation/events.ts';
import {
  type InvocationInput,
  type InvocationState,
  invocationMachine,
  type StoredInvocation,
} from '../../machines/invocation/index.ts';
import { granted, offered, openMs, startMs } from './events.ts';

type Snapshot = SnapshotFrom<typeof invocationMachine>;

/** An edge that moves: a label, and the states between which it leads. */
export type Edge = Readonly<{ label: string; from: string; to: string }>;

/** A state of the machine with the context it was first reached with. */
export type Node = Readonly<{ state: InvocationState; context: StoredInvocation['context'] }>;

export interface Graph {
  readonly start: string;
  readonly nodes: ReadonlyMap<string, Node>;
  /** By the state that they leave. */
  readonly edges: ReadonlyMap<string, readonly Edge[]>;
}

/** The ruling on a call that is admitted. */
export const admitted = { ...granted, deadlineMs: startMs + openMs };

const admissions: readonly (readonly [label: string, MachineEvent])[] = [
  ['ADMIT granted', { type: 'ADMIT', by: 'host', ...admitted }],
  ['ADMIT ungranted', { type: 'ADMIT', by: 'host', ...admitted, granted: false }],
  ['ADMIT caller', { type: 'ADMIT', by: 'caller', ...admitted }],
];

const stateOf = ({ value }: Snapshot): InvocationState => (typeof value === 'string' ? value : value.ended);

/** Everything but the version and the time of the deadline, which never come back to what they were. */
const keyOf = (snapshot: Snapshot): string => {
  const { version: _, deadlineMs, ...context } = snapshot.context;
  return JSON.stringify([stateOf(snapshot), deadlineMs !== null, context]);
};

/** The graph of one input from `checking` on, explored with @xstate/graph. */
export const explore = (input: InvocationInput): Graph => {
  const labels = new Map<MachineEvent, string>();
  const [fromState] = initialTransition(invocationMachine, input);
  const map = getAdjacencyMap(invocationMachine, {
    fromState,
    events: ({ context }) => {
      for (const [label, event] of admissions) labels.set(event, label);
      const events = offered(context);
      for (const { label, event } of events) labels.set(event, label);
      return [...admissions.map(([, event]) => event), ...events.map(({ event }) => event)];
    },
    serializeState: keyOf,
    serializeEvent: (event) => labels.get(event) ?? event.type,
    // A context that never comes back to what it was would make the graph endless.
    limit: 50_000,
  });
  const nodes = new Map<string, Node>();
  const edges = new Map<string, Edge[]>();
  for (const [key, { state }] of Object.entries(map)) {
    nodes.set(key, { state: stateOf(state), context: state.context });
    edges.set(key, []);
  }
  for (const { state, event, nextState } of adjacencyMapToArray(map)) {
    const label = labels.get(event);
    if (label === undefined || nextState.context.version === state.context.version) continue;
    edges.get(keyOf(state))?.push({ label, from: keyOf(state), to: keyOf(nextState) });
  }
  return { start: keyOf(fromState), nodes, edges };
};

/** A state of the graph by its key. @throws when it has none */
export const nodeAt = ({ nodes }: Graph, key: string): Node => {
  const node = nodes.get(key);
  if (!node) throw new Error(`${key} is not in the graph.`);
  return node;
};

/** The edges that leave a state. */
export const edgesFrom = ({ edges }: Graph, key: string): readonly Edge[] => edges.get(key) ?? [];

/** Each state of the graph in which an invocation is stored. */
export const storedIn = ({ nodes }: Graph): readonly StoredInvocation[] =>
  [...nodes.values()].flatMap(({ state, context }) => (state === 'checking' ? [] : [{ state, context }]));
