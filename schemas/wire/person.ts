import { z } from 'zod';
import { ParamRow, Presence } from './answers.ts';
import { ActionKind } from './vocabulary.ts';

/** What the person's page and the host tell each other (workspace-wire section 9). */

/** The life of an invocation as the page sees it. */
export const AskState = z.enum([
  'asking',
  'allowed',
  'running',
  'cancelling',
  'succeeded',
  'failed',
  'refused',
  'cancelled',
  'expired',
]);
export type AskState = z.infer<typeof AskState>;

/** One ask: an action that waits, or waited, for its person. */
export const Ask = z.object({
  /** The host's own id of the ask, the last part of `ask.url` (D-40). */
  id: z.string(),
  state: AskState,
  /** What a decision must carry, so that two tabs cannot both decide. */
  version: z.int(),
  /** Who asks: the label of the connection, and the title of its run. */
  by: z.string(),
  run: z.string().optional(),
  path: z.string(),
  app: z.string(),
  action: z.object({
    id: z.string(),
    label: z.string(),
    kind: ActionKind,
    destroys: z.boolean(),
    params: z.array(ParamRow),
  }),
  /** The label of the resource that the action belongs to. */
  resource: z.string(),
  /** The arguments as sent; `{"secret":true}` stands for a secret. */
  args: z.record(z.string(), z.unknown()),
  /** What the person made of them, once edited. */
  edited: z.record(z.string(), z.unknown()).optional(),
  /** Whether "always allow" may be ticked here (not for actions that destroy). */
  can_always: z.boolean(),
  created_ms: z.int(),
  /** Until when it stays open, or a permission stays unused. */
  deadline_ms: z.int().optional(),
  decided_ms: z.int().optional(),
  decided_by: z.string().optional(),
  reason: z.string().optional(),
  /** How often the caller put it again: a higher number is announced anew. */
  announced: z.int(),
});
export type Ask = z.infer<typeof Ask>;

export const AskList = z.object({ asks: z.array(Ask) });
export type AskList = z.infer<typeof AskList>;

/** What the person decides on an ask. */
export const Decision = z.strictObject({
  decision: z.enum(['allow', 'allow_edited', 'refuse']),
  version: z.int(),
  args: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().max(500).optional(),
  always: z.boolean().optional(),
});
export type Decision = z.infer<typeof Decision>;

/** One ask by its id, and what a decision on it is answered with: the ask as it stands then, decided or moved on. */
export const AskAnswer = z.object({ ask: Ask });
export type AskAnswer = z.infer<typeof AskAnswer>;

/** What is wrong with the person's edits: a sentence a parameter, `args` for all of them together. */
export const InvalidEdits = z.object({ messages: z.record(z.string(), z.string()) });
export type InvalidEdits = z.infer<typeof InvalidEdits>;

/** Why a person's route did not do what it was asked. */
export const PersonRefusal = z.object({ code: z.string(), message: z.string() });
export type PersonRefusal = z.infer<typeof PersonRefusal>;

/** One change in the activity. */
export const ActivityChange = z.object({
  change: z.string(),
  path: z.string(),
  sentence: z.string(),
  time_ms: z.int(),
  undone: z.boolean(),
});
export type ActivityChange = z.infer<typeof ActivityChange>;

/** One step of the activity: changes that are taken back together, newest step first, changes oldest first. */
export const ActivityStep = z.object({
  step: z.int(),
  by: z.string(),
  run: z.string().optional(),
  run_id: z.string().optional(),
  app: z.string(),
  time_ms: z.int(),
  undone: z.boolean(),
  /** Outside actions of the step whose effects stay when it is taken back. */
  outside: z.array(z.string()),
  changes: z.array(ActivityChange),
});
export type ActivityStep = z.infer<typeof ActivityStep>;

export const Activity = z.object({ steps: z.array(ActivityStep), before: z.string().optional() });
export type Activity = z.infer<typeof Activity>;

export const Roster = z.object({ here: z.array(Presence) });
export type Roster = z.infer<typeof Roster>;

/** Take back, or put back: the step that holds a change, or every app's step of a run. */
export const UndoRequest = z.union([z.strictObject({ change: z.string() }), z.strictObject({ run_id: z.string() })]);
export type UndoRequest = z.infer<typeof UndoRequest>;

/** What came of taking back: one entry an app; a conflict in one leaves that app's step. */
export const UndoAnswer = z.object({
  done: z.array(z.object({ app: z.string(), undone: z.array(z.string()), resources: z.array(z.string()) })),
  conflicts: z.array(z.object({ app: z.string(), code: z.string(), message: z.string() })),
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;

export const PreallowRow = z.object({
  kind: z.string(),
  action: z.string(),
  label: z.string(),
  allowed: z.boolean(),
  destroys: z.boolean(),
});
export type PreallowRow = z.infer<typeof PreallowRow>;

export const TokenInfo = z.object({
  id: z.string(),
  label: z.string(),
  workspace: z.string().nullable(),
  max: ActionKind,
  created_ms: z.int(),
  expires_ms: z.int().nullable(),
  revoked_ms: z.int().nullable(),
  last_used_ms: z.int().nullable(),
});
export type TokenInfo = z.infer<typeof TokenInfo>;

export const TokenList = z.object({ tokens: z.array(TokenInfo) });
export type TokenList = z.infer<typeof TokenList>;

export const Settings = z.object({
  workspace: z.string(),
  label: z.string(),
  person: z.string(),
  preallow: z.array(PreallowRow),
  tokens: z.array(TokenInfo),
});
export type Settings = z.infer<typeof Settings>;

/** Sets or takes back "always allow" for one action of a kind. */
export const PreallowRequest = z.strictObject({ kind: z.string(), action: z.string(), allowed: z.boolean() });
export type PreallowRequest = z.infer<typeof PreallowRequest>;

/** What the event stream of the page carries, one event name each: `ask`, `change`, `roster`. */
export const PageEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ask'), ask: Ask }),
  z.object({ type: z.literal('change'), change: z.string(), app: z.string() }),
  z.object({ type: z.literal('roster'), here: z.array(Presence) }),
]);
export type PageEvent = z.infer<typeof PageEvent>;
