import { isJsonObject } from '../../schemas/jsonObject.ts';
import type { GateHost } from './hosts.ts';

/**
 * In which form a host is answered. `shared` is the event of Claude Code, Codex and Qwen alike, `extension` Cline in an
 * editor, `plain` whoever cannot be told.
 */
export type Form = GateHost | 'shared' | 'extension' | 'plain';

/** What the process says and how it ends. */
export interface Answer {
  /** One line of JSON, without its end. */
  readonly out: string;
  /** For the reader of the host's log, and for hosts that take the reason of exit code 2 from there. */
  readonly err: string;
  readonly exit: 0 | 2;
}

const cursorEvents: readonly unknown[] = ['preToolUse', 'beforeShellExecution', 'beforeReadFile'];

/** The form that a document asks for; a host that was named decides, apart from the two ways of Cline. */
export const formOf = (document: unknown, named: GateHost | null): Form => {
  const fields = isJsonObject(document) ? document : {};
  const isCline = named === 'cline' || 'hookName' in fields || isJsonObject(fields.preToolUse);
  if (isCline && (named ?? 'cline') === 'cline') return fields.hookName === 'PreToolUse' ? 'extension' : 'cline';
  if (named) return named;
  const event = fields.hook_event_name;
  if (event === 'BeforeTool') return 'gemini';
  if (event === 'PreToolUse') return 'shared';
  if (event === 'tool.execute.before') return 'opencode';
  const isCursor = cursorEvents.includes(event) || 'conversation_id' in fields;
  const isBare = event === undefined && !('tool_name' in fields) && !('toolName' in fields);
  return isCursor || (isBare && ('command' in fields || 'file_path' in fields)) ? 'cursor' : 'plain';
};

/** Allowing says nothing where a host would take it as its own user's consent and skip its own prompt. */
export const allowing = (form: Form): Answer => {
  switch (form) {
    case 'claude':
    case 'codex':
    case 'qwen':
    case 'gemini':
    case 'shared':
      return { out: '{}', err: '', exit: 0 };
    case 'cline':
    case 'extension':
      return { out: '{"cancel":false}', err: '', exit: 0 };
    case 'cursor':
    case 'opencode':
    case 'plain':
      return { out: '{"permission":"allow"}', err: '', exit: 0 };
  }
};

const decided = (permissionDecision: 'deny' | 'ask', permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
});

/** A command that does nothing but tell why, for the tools of Cline that run commands. */
const harmless = (document: unknown): object | null => {
  const call = isJsonObject(document) && isJsonObject(document.tool_call) ? document.tool_call : {};
  const echo = 'echo This command was not run: the Telic gate refused it.';
  switch (call.name) {
    case 'run_commands':
      return { commands: [echo] };
    case 'execute_command':
    case 'bash':
      return { command: echo };
    default:
      return null;
  }
};

/** Cline ends the whole run on `cancel` and does not tell the model why, so a call is replaced where that can be done. */
const clineRefusal = (document: unknown, reason: string): object => {
  const overrideInput = harmless(document);
  return overrideInput
    ? { overrideInput, contextModification: reason }
    : { cancel: true, errorMessage: reason, contextModification: '' };
};

const permission = (reason: string): object => ({ permission: 'deny', user_message: reason, agent_message: reason });

const refusal = (form: Form, document: unknown, reason: string): object => {
  switch (form) {
    case 'claude':
      return decided('deny', reason);
    case 'codex':
    case 'qwen':
    case 'shared':
      // Refuses in four hosts alike; with `deny` in place of `block` two of them would drop it and carry on.
      return { decision: 'block', reason, ...decided('deny', reason) };
    case 'gemini':
      return { decision: 'deny', reason };
    case 'cline':
      return clineRefusal(document, reason);
    case 'extension':
      return { cancel: true, errorMessage: reason, contextModification: '' };
    case 'cursor':
    case 'opencode':
    case 'plain':
      return permission(reason);
  }
};

/**
 * Refuses a call so that the host really stops it and its model learns why (permissions section 10, hosts section 7).
 * A host that is not known is stopped by the exit code, which most hosts take.
 *
 * @param document what the host sent; null when it could not be read
 * @param reason one sentence or two; no text of the call
 */
export const refusing = (form: Form, document: unknown, reason: string): Answer => ({
  out: JSON.stringify(refusal(form, document, reason)),
  err: reason,
  exit: form === 'plain' || form === 'opencode' ? 2 : 0,
});

/** Leaves the decision to the user where the host surely can ask; elsewhere the call is refused. */
export const asking = (form: Form, document: unknown, reason: string): Answer =>
  form === 'claude'
    ? { out: JSON.stringify(decided('ask', reason)), err: '', exit: 0 }
    : refusing(form, document, reason);
