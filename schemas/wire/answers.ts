import { z } from 'zod';
import { FailedAnswer, WireError } from './failure.ts';
import { ActionKind, AppState } from './vocabulary.ts';

/**
 * The typed answers of the seven tools (the seed, one section a tool). Objects are loose: a reader keeps keys that a
 * newer host adds. Optional keys are left out when there is nothing to say, never null.
 */

export const ParamRow = z.looseObject({
  name: z.string(),
  /** Written in lower case; readers compare without case (D-01). */
  ty: z.string(),
  required: z.boolean(),
  description: z.string().optional(),
  choices: z.array(z.union([z.string(), z.number()])).optional(),
  /** JSON Schema, where the app gives one. */
  schema: z.record(z.string(), z.unknown()).optional(),
});
export type ParamRow = z.infer<typeof ParamRow>;

export const ActionRow = z.looseObject({
  id: z.string(),
  label: z.string(),
  params: z.array(ParamRow),
  kind: ActionKind,
});
export type ActionRow = z.infer<typeof ActionRow>;

export const ListRow = z.looseObject({
  path: z.string(),
  name: z.string(),
  label: z.string(),
  kind: z.string(),
  /** Rows of apps and workspaces. */
  state: AppState.optional(),
  has_children: z.boolean(),
  actions: z.array(ActionRow),
});
export type ListRow = z.infer<typeof ListRow>;

export const Listing = z.looseObject({
  path: z.string(),
  kind: z.string(),
  rows: z.array(ListRow),
  actions: z.array(ActionRow),
  next_cursor: z.string().optional(),
});
export type Listing = z.infer<typeof Listing>;

export const ChildRow = z.looseObject({ list: z.string(), name: z.string(), item: z.string(), path: z.string() });
export type ChildRow = z.infer<typeof ChildRow>;

export const Reading = z.looseObject({
  path: z.string(),
  kind: z.string(),
  fields: z.record(z.string(), z.unknown()),
  children: z.array(ChildRow),
  cursor: z.string().optional(),
});
export type Reading = z.infer<typeof Reading>;

/** What the person is being asked, and where they can be shown it. */
export const AskRef = z.looseObject({ invocation_id: z.string(), url: z.string().optional() });
export type AskRef = z.infer<typeof AskRef>;

const CallStatus = z.enum(['ok', 'failed', 'pending']);

/** What came of one action, in the order of the keys. */
export const Done = z.looseObject({
  status: CallStatus,
  error: WireError.optional(),
  invocation_id: z.string(),
  path: z.string(),
  result: z.unknown().optional(),
  resources: z.array(z.string()).optional(),
  edited_by_person: z.record(z.string(), z.unknown()).optional(),
  ask: AskRef.optional(),
  action: ActionRow.optional(),
});
export type Done = z.infer<typeof Done>;

/** One step of several actions: the keys of one action, `path` first. */
export const DoneStep = z.looseObject({
  path: z.string(),
  status: CallStatus,
  invocation_id: z.string(),
  error: WireError.optional(),
  result: z.unknown().optional(),
  resources: z.array(z.string()).optional(),
  edited_by_person: z.record(z.string(), z.unknown()).optional(),
  ask: AskRef.optional(),
  action: ActionRow.optional(),
});
export type DoneStep = z.infer<typeof DoneStep>;

/** What came of several actions; on failure the step at `stopped_at` says why (D-23). */
export const DoneAll = z.looseObject({
  status: CallStatus,
  stopped_at: z.int().min(0).optional(),
  invocation_id: z.string().optional(),
  ask: AskRef.optional(),
  steps: z.array(DoneStep),
});
export type DoneAll = z.infer<typeof DoneAll>;

export const Hit = z.looseObject({
  path: z.string(),
  kind: z.string(),
  label: z.string(),
  action: z.string().nullable(),
});
export type Hit = z.infer<typeof Hit>;

export const Found = z.looseObject({ hits: z.array(Hit), query: z.string() });
export type Found = z.infer<typeof Found>;

export const ProgramStep = z.looseObject({
  number: z.int(),
  apps: z.array(z.string()),
  changed: z.int(),
  program: z.string(),
});
export type ProgramStep = z.infer<typeof ProgramStep>;

export const ProgramAnswer = z.looseObject({
  status: z.enum(['ok', 'failed', 'preview']),
  error: WireError.optional(),
  output: z.array(z.string()),
  changed: z.int(),
  steps: z.array(ProgramStep),
});
export type ProgramAnswer = z.infer<typeof ProgramAnswer>;

export const ChangeEvent = z.looseObject({
  kind: z.literal('change'),
  path: z.string(),
  change: z.string(),
  sentence: z.string(),
  by: z.string(),
  /** The title of the run, when the change was made in a named one. */
  run: z.string().optional(),
  time_ms: z.int(),
  undone: z.boolean(),
});
export type ChangeEvent = z.infer<typeof ChangeEvent>;

export const RunPhase = z.enum(['started', 'succeeded', 'failed', 'cancelled']);
export type RunPhase = z.infer<typeof RunPhase>;

export const RunEvent = z.looseObject({
  kind: z.literal('run'),
  phase: RunPhase,
  invocation_id: z.string(),
  path: z.string(),
  run: z.string().optional(),
  run_id: z.string().optional(),
  time_ms: z.int(),
});
export type RunEvent = z.infer<typeof RunEvent>;

export const Presence = z.looseObject({ who: z.string(), name: z.string(), kind: z.enum(['person', 'agent']) });
export type Presence = z.infer<typeof Presence>;

export const PresenceEvent = z.looseObject({ kind: z.literal('presence'), here: z.array(Presence) });
export type PresenceEvent = z.infer<typeof PresenceEvent>;

export const WatchEvent = z.discriminatedUnion('kind', [ChangeEvent, RunEvent, PresenceEvent]);
export type WatchEvent = z.infer<typeof WatchEvent>;

export const Watched = z.looseObject({ events: z.array(WatchEvent), cursor: z.string() });
export type Watched = z.infer<typeof Watched>;

/** Each tool's answer. A failed `tilo_do`, `tilo_status` or `tilo` has its own shape, the others the bare failure. */
export const wireAnswers = {
  tilo_ls: z.union([FailedAnswer, Listing]),
  tilo_read: z.union([FailedAnswer, Reading]),
  tilo_do: z.union([DoneAll, Done, FailedAnswer]),
  tilo_find: z.union([FailedAnswer, Found]),
  tilo_status: z.union([Done, FailedAnswer]),
  tilo: ProgramAnswer,
  tilo_watch: z.union([FailedAnswer, Watched]),
} as const;

export type WireAnswers = { readonly [T in keyof typeof wireAnswers]: z.infer<(typeof wireAnswers)[T]> };
