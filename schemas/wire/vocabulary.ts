import { z } from 'zod';

/** The words of the workspace wire (workspace-wire sections 1 and 3.2). */

export const WireTool = z.enum(['tilo_ls', 'tilo_read', 'tilo_do', 'tilo_find', 'tilo_status', 'tilo', 'tilo_watch']);
/** In the order in which `tools/list` names them. */
export type WireTool = z.infer<typeof WireTool>;

export const ParamType = z.enum([
  'text',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
  'resource',
  'datetime',
  'secret',
]);
export type ParamType = z.infer<typeof ParamType>;

/** What running an action may reach. */
export const ActionKind = z.enum(['read', 'undoable', 'outside']);
export type ActionKind = z.infer<typeof ActionKind>;

/** `running` has live resources, `service` works without a document of its own, `installed` is known and not started. */
export const AppState = z.enum(['running', 'service', 'installed']);
export type AppState = z.infer<typeof AppState>;

/** Codes of the host itself; an app may name codes of its own beside them. */
export const WireCode = z.enum([
  'unknown_workspace',
  'unknown_app',
  'unknown_path',
  'unknown_action',
  'ambiguous_path',
  'invalid_arguments',
  'action_confirmation_required',
  'refused',
  'ask_expired',
  'cancelled',
  'interrupted',
  'invocation_mismatch',
  'unknown_invocation',
  'invalid_cursor',
  'cursor_expired',
  'undo_conflict',
  'nothing_to_undo',
  'nothing_to_redo',
  'not_granted',
  'not_available',
  'stale_version',
  'limit_exceeded',
  'work_limit',
  'app_stopped',
  'syntax_error',
  'unknown_name',
  'type_mismatch',
  'action_not_allowed_here',
  'one_workspace',
  'failed',
]);
export type WireCode = z.infer<typeof WireCode>;

/** Names of workspaces and ids of apps. */
export const spaceName = /^[a-z][a-z0-9-]{0,31}$/;
export const actionId = /^[a-z][a-z0-9-]{0,63}$/;
export const invocationId = /^[A-Za-z0-9._:-]{1,128}$/;
