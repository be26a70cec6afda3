import { z } from 'zod';
import { isInt, RefUri } from '../primitives.ts';
import { type ToolName, toolArguments } from '../tools.ts';
import { type FlatInput, FlatSchema } from './flatInput.ts';

const reference = {
  type: 'string',
  maxLength: 2048,
  pattern: "^(artifact|trace|repo)://[A-Za-z0-9._~!$&'()*+,;=:@%/-]+$",
} as const;

/**
 * The published schema of a tool: JSON Schema 2020-12, which MCP takes for granted where `$schema` is absent. It says
 * every limit of mcp-surface section 3 in as few bytes as it can, for hosts pay for the list in each request (T10).
 */
export const inputSchema = (tool: ToolName): FlatInput => {
  const json = z.toJSONSchema(toolArguments[tool], {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (isInt(zodSchema)) jsonSchema.type = 'integer';
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // A pattern that begins with one character says the least length already.
      if (jsonSchema.pattern !== undefined && jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (zodSchema === RefUri) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, reference);
      }
      // The format says the same.
      if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
    },
  });
  const { type, properties, required } = FlatSchema.parse(json);
  return { type, properties, ...(required && { required }), additionalProperties: false };
};
