import { type CallToolResult, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Problem } from './parseArguments.ts';

const said = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: `MCP error ${ErrorCode.InvalidParams}: ${text}` }],
  isError: true,
});

/** Where a problem is, as the SDK writes it: `calls[0].path`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) =>
      typeof part === 'number' && index > 0 ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`,
    )
    .join('');

/**
 * The answer to a call whose arguments or `_meta` are wrong: `isError` and no structured content, in the words of the
 * SDK's own server, one problem a line (workspace-wire F2, conformance file `malformed.call`).
 */
export const malformedCall = (tool: string, problems: readonly Problem[]): CallToolResult => {
  const lines = problems.map(({ message, path }) => (path.length === 0 ? message : `${message} at ${placeOf(path)}`));
  return said(`Input validation error: Invalid arguments for tool ${tool}: ${lines.join('\n')}`);
};

/** The answer to a call of a tool that is not there; a name that a caller made up is shown cut short. */
export const unknownTool = (name: string): CallToolResult => said(`Tool ${name.slice(0, 100)} not found`);
