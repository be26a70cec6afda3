import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { WireAnswers } from '../../../schemas/wire/answers.ts';
import type { FailedAnswer } from '../../../schemas/wire/failure.ts';
import type { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { textOf } from '../../wireText/textOf.ts';

/**
 * One value, two renderers (workspace-wire 3.1): typed, with the same JSON as text, or the text of agents made from
 * that value alone. A failed call says `isError` in both (D-13).
 *
 * @param structured whether the call asked for a typed answer
 */
export const reply = <T extends WireTool>(
  tool: T,
  value: WireAnswers[T] | FailedAnswer,
  structured: boolean,
): CallToolResult => {
  const failed = 'status' in value && value.status === 'failed' ? { isError: true } : {};
  if (!structured) return { content: [{ type: 'text', text: textOf(tool, value) }], ...failed };
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value }, ...failed };
};
