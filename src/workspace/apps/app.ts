import type { z } from 'zod';
import type { ActionKind, AppState, ParamType } from '../../../schemas/wire/vocabulary.ts';

/** What an app is made of (workspace-wire 6.1). `defineApp` checks a definition; everything here is its types. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The flat key space of one app in one workspace: `block/a101` → JSON. May be an overlay of planned writes. */
export interface State {
  get(key: string): Json | undefined;
  /** Every key that begins with the prefix, in the order of the keys' bytes. */
  list(prefix: string): readonly (readonly [key: string, value: Json])[];
}

/** One thing of an app, as the app sees it. */
export interface Resource extends State {
  readonly workspace: string;
  readonly app: string;
  readonly kind: string;
  /** Its item key; the app's id for the root. */
  readonly item: string;
  /** The item keys from the app downwards, without the app's id: empty for the root. */
  readonly items: readonly string[];
  /** Its path by keys, `notes/0a01/a101`: stays right when names change. Children: `${path}/${printSegment(item)}`. */
  readonly path: string;
  /** Its name as the list that holds it says; the app's label for the root. */
  readonly label: string;
}

export interface Child {
  readonly item: string;
  readonly name: string;
  /** The name when absent. */
  readonly label?: string;
  /** The kind, where a list holds several; else the list's kind. */
  readonly kind?: string;
}

/** Children by list, lists in the order of the kind's `lists`. */
export type Children = Readonly<Record<string, readonly Child[]>>;

/** Which part of a resource is read. */
export interface Page {
  /** The app's own cursor, as an earlier read gave it. */
  readonly cursor?: string;
  /** How many children a read may give over all its lists. */
  readonly children: number;
}

export interface Read {
  readonly fields: Readonly<Record<string, Json>>;
  readonly children: Children;
  readonly cursor?: string;
}

/** What a search shows and looks through; `content` is the resource's own text, not that of its children. */
export interface Searchable {
  readonly label: string;
  readonly content: string;
  /** `open`, an action's id, or null. */
  readonly action: string | null;
}

type Maybe<T> = T | Promise<T>;

export interface Param {
  readonly type: ParamType;
  readonly required: boolean;
  readonly description?: string;
  readonly choices?: readonly (string | number)[];
  /** JSON Schema that the value satisfies, for objects and arrays above all. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Filled from the item's own key when the action is called at the item's path (D-18). */
  readonly fromItem?: boolean;
}

export type Params = Readonly<Record<string, Param>>;

/** One write; null takes the key away. The host notes what stood there before. */
export interface Write {
  readonly key: string;
  readonly value: Json | null;
}

/** A resource that an action changed, by its path of keys, and what it did in a sentence for history: `ticked "Milk"`. */
export interface Touch {
  readonly resource: string;
  readonly sentence: string;
}

export interface Outcome {
  readonly ops?: readonly Write[];
  readonly result?: Json;
  /** When absent: the resource that the action belongs to, with the action's label. */
  readonly touches?: readonly Touch[];
  /** The path of keys of the resource that the action made. */
  readonly made?: string;
}

/** Of an outside action: its operations are made from the state of the turn after the effect. */
export interface EffectOutcome extends Omit<Outcome, 'ops'> {
  readonly ops?: (state: State) => readonly Write[];
}

export interface PlanContext extends State {
  readonly resource: Resource;
  /** Milliseconds since 1970, the same for the whole plan. */
  readonly now_ms: number;
  /** An item key that nothing in this app had or will have: base 36, at least four characters. */
  newItem(): string;
  /**
   * Ends the action as failed, with the app's own code, a sentence for people, and calls that would work.
   * A next step is a text, or parts of which `{ path }` is a path of keys or names.
   */
  fail(
    code: string,
    message: string,
    next?: readonly (string | readonly (string | Readonly<{ path: string }>)[])[],
  ): never;
  /** Aborted when the call is cancelled; only actions that say `abortable` are. */
  readonly signal: AbortSignal;
}

export interface EffectContext extends PlanContext {
  /** The same for every attempt of one invocation: what makes a repeat harmless on the far side. */
  readonly idempotencyKey: string;
  /** Writes a signed read-only copy into the data directory; gives the name of the link. */
  publish(content: Json): Promise<string>;
}

interface ActionBase<K extends ActionKind> {
  readonly id: string;
  readonly label: string;
  readonly kind: K;
  readonly description?: string;
  readonly params: Params;
  /** Takes something away that the person would miss. */
  readonly destroys?: boolean;
  /** `ctx.signal` stops it. */
  readonly abortable?: boolean;
  /** Why it cannot be tried now: the sentence of `unknown_action`, and calls to make instead. Null or absent: it can. */
  readonly absent?: Readonly<{
    message: string;
    next?: readonly (string | readonly (string | Readonly<{ path: string }>)[])[];
  }> | null;
}

export type Args = Readonly<Record<string, Json>>;

export interface PlannedAction extends ActionBase<'read' | 'undoable'> {
  plan(ctx: PlanContext, args: Args): Maybe<Outcome>;
}

export interface EffectAction extends ActionBase<'outside'> {
  effect(ctx: EffectContext, args: Args): Maybe<EffectOutcome>;
  /** Repeating it with the same key does no harm: after a restart it runs again. */
  readonly replaySafe?: boolean;
  /** Does nothing but operations, so that taking back its step takes all of it back. */
  readonly operationsOnly?: boolean;
}

export type Action = PlannedAction | EffectAction;

export interface Kind {
  readonly fields: z.ZodObject;
  /** List names and the kind of what they hold; a kind with lists has children, empty ones too. */
  readonly lists: Readonly<Record<string, string>>;
  /** What messages call one and several of it: `page`, `pages`. */
  readonly noun: string;
  readonly nouns: string;
  /** Every child, in order. */
  children(resource: Resource): Maybe<Children>;
  read(resource: Resource, page: Page): Maybe<Read>;
  find(resource: Resource): Maybe<Searchable>;
  /** Every action of the kind, in order, outside ones last; what cannot be tried now says so in `absent`. */
  actions(resource: Resource): readonly Action[];
}

export interface App {
  readonly id: string;
  readonly label: string;
  readonly state: AppState;
  readonly version: number;
  readonly root: Readonly<{ name: string; kind: string }>;
  readonly kinds: Readonly<Record<string, Kind>>;
  /** First words of the keys that its operations may write; any word when absent. */
  readonly keys?: readonly string[];
  /** False: the app keeps its state elsewhere and has no undo. */
  readonly history: boolean;
  /** Called once before the app is first used; an app that throws here is stopped. */
  start?(): Maybe<void>;
  /** For state that is changed elsewhere: new touches since the last call, with who made them. */
  poll?(resource: Resource): Maybe<readonly (Touch & { readonly by: string })[]>;
  /** Refines what counts as a conflict when a step is taken back: true when the write may be undone all the same. */
  mayUndo?(write: Readonly<{ key: string; before: Json | null; after: Json | null }>, current: Json | null): boolean;
}
