import { phaseTable, RecordPhase, type WorkRole } from '../../schemas/vocabulary.ts';
import { doneEvent, type Named, type OutlineRow, type OutlineState } from './outline.ts';
import { guardWords, namedWords } from './words.ts';

/**
 * What is drawn of an outline, whatever the format: boxes in boxes, arrows, and what a box does without leaving it.
 * A phase that is routed by what it ended with is drawn closed: its exits are the names on the arrows that leave it.
 */

/** One row on an arrow or in a box. */
export interface Line {
  /** The place in the list of its event; null when the list has no other row. */
  readonly order: number | null;
  /** The event, where the arrow's start does not say it. */
  readonly event: string | null;
  /** When it is taken; empty when it takes every event that comes to it. */
  readonly when: string;
  readonly does: readonly string[];
}

/** What stays put on one event: the refusals in their order, and what is accepted without moving. */
export interface Staying {
  readonly event: string;
  readonly refuses: readonly Line[];
  readonly takes: readonly Line[];
}

export interface Box {
  readonly id: string;
  readonly label: string;
  /** `choice` stands for the end of a box with several states, `any` for whatever state of the box around it. */
  readonly kind: 'state' | 'group' | 'end' | 'history' | 'choice' | 'any';
  readonly role: WorkRole | null;
  /** The phase as the record names it. */
  readonly phase: RecordPhase | null;
  /** The status with which an end closes the run. */
  readonly status: string | null;
  /** Events that move the run on from here. */
  readonly asks: readonly string[];
  /** Events that are taken without moving the run, where their rows are not told one by one. */
  readonly supports: readonly string[];
  /** How it can end, where its exits are not drawn. */
  readonly exits: readonly string[];
  readonly staying: readonly Staying[];
  readonly boxes: readonly Box[];
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly lines: readonly Line[];
}

export interface Picture {
  readonly title: string;
  readonly root: Box;
  /** The id of the box where it starts. */
  readonly start: string;
  readonly arrows: readonly Arrow[];
}

const isRefusal = ({ actions }: OutlineRow): boolean => actions.some(({ name }) => name === 'refuse');
const isDone = ({ event }: OutlineRow): boolean => event === doneEvent;
const isClosed = (state: OutlineState): boolean => state.rows.some(isDone);

/** The states of a closed phase that are not exits. */
const openStates = (state: OutlineState): readonly OutlineState[] =>
  state.states.filter(({ type }) => type !== 'final');

const anyOf = (id: string): string => `${id}.any`;
const choiceOf = (id: string): string => `${id}.done`;

const lineOf = (row: OutlineRow, event: string | null): Line => ({
  order: row.of > 1 ? row.order : null,
  event,
  when: guardWords(row.guard),
  does: row.actions.filter(({ name }) => name !== 'refuse').map(namedWords),
});

const stayingOf = (rows: readonly OutlineRow[]): readonly Staying[] =>
  [...new Set(rows.map(({ event }) => event))]
    .map((event) => {
      const still = rows.filter((row) => row.event === event && row.targets.length === 0);
      return {
        event,
        refuses: still.filter(isRefusal).map((row) => lineOf(row, null)),
        takes: still.filter((row) => !isRefusal(row)).map((row) => lineOf(row, null)),
      };
    })
    .filter(({ refuses, takes }) => refuses.length + takes.length > 0);

const factOf = (entry: readonly Named[], action: string, fact: string): string | null => {
  const value = entry.find(({ name }) => name === action)?.facts[fact];
  return typeof value === 'string' ? value : null;
};

const phaseOf = (entry: readonly Named[]): RecordPhase | null => {
  const known = RecordPhase.safeParse(factOf(entry, 'enter', 'phase'));
  return known.success ? known.data : null;
};

const kindOf = (state: OutlineState): Box['kind'] => {
  if (state.type === 'final') return 'end';
  if (state.type === 'history') return 'history';
  return state.type === 'compound' ? 'group' : 'state';
};

const labelOf = (state: OutlineState): string =>
  state.history ? `back to where it paused (${state.history})` : state.key;

interface Drawn {
  readonly box: Box;
  readonly arrows: readonly Arrow[];
  /** Where an arrow to a state of the outline ends in the picture. */
  readonly aliases: readonly (readonly [string, string])[];
}

const boxOf = (state: OutlineState, more: Partial<Box> = {}): Box => {
  const phase = phaseOf(state.entry);
  const moving = state.rows.filter((row) => row.targets.length > 0 && !isDone(row));
  return {
    id: state.id,
    label: labelOf(state),
    kind: kindOf(state),
    role: phase && phaseTable[phase].role,
    phase,
    status: factOf(state.entry, 'close', 'status'),
    asks: [...new Set(moving.map(({ event }) => event))],
    supports: [],
    exits: [],
    staying: stayingOf(state.rows),
    boxes: [],
    ...more,
  };
};

const bare = {
  role: null,
  phase: null,
  status: null,
  asks: [],
  supports: [],
  exits: [],
  staying: [],
  boxes: [],
} as const;

/** Rows that lead somewhere, as arrows from one box; the event is named where the box waits for more than that one. */
const arrowsFrom = (from: string, rows: readonly OutlineRow[], namesEvent: boolean): readonly Arrow[] =>
  rows.flatMap((row) => row.targets.map((to) => ({ from, to, lines: [lineOf(row, namesEvent ? row.event : null)] })));

/** The names of the exits that a state of a closed phase leads to. */
const exitsOf = (phase: OutlineState, state: OutlineState): readonly string[] => {
  const reached = new Set(state.rows.flatMap(({ targets }) => targets));
  return phase.states.filter(({ type, id }) => type === 'final' && reached.has(id)).map(({ key }) => key);
};

/** A state of a closed phase, without its refusals: the picture of the phase tells them. */
const openBox = (phase: OutlineState, state: OutlineState): Box => {
  const box = boxOf(state);
  const supports = box.staying.map(({ event }) => event).filter((event) => !box.asks.includes(event));
  return { ...box, supports, exits: exitsOf(phase, state), staying: [] };
};

/** A phase whose exits are routed from outside: one box, or a box for each open state and a choice where they end. */
const drawClosed = (state: OutlineState): Drawn => {
  const done = state.rows.filter(isDone);
  const inner = openStates(state).map((child) => openBox(state, child));
  const [only] = inner;
  if (only && inner.length === 1) {
    return {
      box: { ...only, id: state.id, label: state.key },
      arrows: arrowsFrom(state.id, done, false),
      aliases: [[only.id, state.id]],
    };
  }
  const choice: Box = { ...bare, id: choiceOf(state.id), label: '', kind: 'choice' };
  return {
    box: boxOf(state, { asks: [], staying: [], boxes: [...inner, choice] }),
    arrows: [...inner.map(({ id }) => ({ from: id, to: choice.id, lines: [] })), ...arrowsFrom(choice.id, done, false)],
    aliases: state.initial === null ? [] : [[state.id, state.initial]],
  };
};

const draw = (state: OutlineState): Drawn => {
  if (isClosed(state)) return drawClosed(state);
  const children = state.states.map(draw);
  const leaving = state.rows.filter((row) => row.targets.length > 0);
  const isGroup = state.states.length > 0;
  const from = isGroup ? anyOf(state.id) : state.id;
  const any: readonly Box[] =
    isGroup && state.rows.length > 0
      ? [{ ...bare, id: from, label: `any state of ${state.key}`, kind: 'any', staying: stayingOf(state.rows) }]
      : [];
  return {
    box: boxOf(state, {
      boxes: [...children.map(({ box }) => box), ...any],
      ...(isGroup && { asks: [], staying: [] }),
    }),
    arrows: [
      ...children.flatMap(({ arrows }) => arrows),
      ...arrowsFrom(from, leaving, isGroup || new Set(leaving.map(({ event }) => event)).size > 1),
    ],
    aliases: [
      ...children.flatMap(({ aliases }) => aliases),
      ...(isGroup && state.initial !== null ? ([[state.id, state.initial]] as const) : []),
    ],
  };
};

/** One arrow for all rows between the same two boxes. */
const merged = (arrows: readonly Arrow[]): readonly Arrow[] => {
  const found = new Map<string, Arrow>();
  for (const arrow of arrows) {
    const key = `${arrow.from} ${arrow.to}`;
    const before = found.get(key);
    found.set(key, before ? { ...before, lines: [...before.lines, ...arrow.lines] } : arrow);
  }
  return [...found.values()];
};

/**
 * The picture of an outline.
 * @param title stands over it
 */
export const pictureOf = (outline: OutlineState, title: string): Picture => {
  const { box, arrows, aliases } = draw(outline);
  const names = new Map(aliases);
  const drawn = (id: string): string => {
    const other = names.get(id);
    return other === undefined ? id : drawn(other);
  };
  return {
    title,
    root: box,
    start: drawn(outline.id),
    arrows: merged(arrows.map((arrow) => ({ ...arrow, to: drawn(arrow.to) }))),
  };
};

/** A box and every box in it. */
export const allBoxes = (box: Box): readonly Box[] => [box, ...box.boxes.flatMap((inner) => allBoxes(inner))];
