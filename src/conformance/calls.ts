import { actionIdOf, type RunContext } from '../../machines/context.ts';
import type { Token } from '../../machines/events.ts';
import type { Product } from '../sdk/author.ts';

/** The calls that may move a run, as data: the same value is sent to the server and judged by the machine. */
export type Call = Readonly<{ token: Token }> &
  (
    | Readonly<{ kind: 'ground' }>
    | Readonly<{ kind: 'submit'; type: string; body: unknown; sourceRefs: readonly string[]; asText?: boolean }>
    | Readonly<{ kind: 'answer'; choice: string }>
    | Readonly<{ kind: 'cancel' }>
    | Readonly<{ kind: 'check'; capability: string; target: string | null }>
  );

export type ToolCall = Readonly<{ tool: string; args: Readonly<Record<string, unknown>> }>;

export const currentToken = (context: RunContext): Token => ({
  actionId: actionIdOf(context),
  expectedVersion: context.version,
});

export const submission = (token: Token, { type, body, sourceRefs = [] }: Product): Call => ({
  kind: 'submit',
  token,
  type,
  body,
  sourceRefs: [...new Set(sourceRefs)],
});

/** Two small files are enough context for every rule, and cost little. */
const groundBudget = { max_files: 2 } as const;

/** The tool and the arguments that a call stands for. */
export const toolCallOf = (runId: string, call: Call): ToolCall => {
  const { actionId, expectedVersion } = call.token;
  const head = { run_id: runId, action_id: actionId, expected_run_version: expectedVersion };
  switch (call.kind) {
    case 'ground':
      return { tool: 'telic_ground_context', args: { ...head, budget: groundBudget } };
    case 'submit':
      return {
        tool: 'telic_submit_artifact',
        args: {
          ...head,
          artifact_type: call.type,
          ...(call.asText ? { body_json: JSON.stringify(call.body) } : { body: call.body }),
          ...(call.sourceRefs.length > 0 && { source_refs: call.sourceRefs }),
        },
      };
    case 'answer':
      return { tool: 'telic_submit_artifact', args: { ...head, clarification_response: call.choice } };
    case 'cancel':
      return { tool: 'telic_cancel_run', args: head };
    case 'check':
      return {
        tool: 'telic_check_tool_action',
        args: { ...head, capability: call.capability, ...(call.target !== null && { target: call.target }) },
      };
  }
};

const decisionIn = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return '';
  const word = ['decision', 'terminalStatus', 'status'].flatMap((name) => {
    const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
    return typeof value === 'string' ? [value] : [];
  })[0];
  return word === undefined ? '' : ` ${word}`;
};

/** A call in a few words. */
export const wordsOf = (call: Call): string => {
  switch (call.kind) {
    case 'ground':
      return 'ground';
    case 'submit':
      return `submit ${call.type}${decisionIn(call.body)}`;
    case 'answer':
      return `answer ${call.choice}`;
    case 'cancel':
      return 'cancel';
    case 'check':
      return `check ${call.capability}${call.target === null ? '' : ` on ${call.target}`}`;
  }
};
