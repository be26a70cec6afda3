import type { ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { inputSchema } from '../../schemas/tools/published.ts';
import { tools } from './tools.ts';

type Listed = ListToolsResult['tools'];

const list = (): Listed =>
  Object.values(tools).map(({ name, title, description, hints, meta }) => {
    const { properties, required, ...rest } = inputSchema(name);
    return {
      name,
      title,
      description,
      inputSchema: { ...rest, properties: { ...properties }, ...(required && { required: [...required] }) },
      annotations: {
        readOnlyHint: hints.readOnly,
        destructiveHint: false,
        idempotentHint: hints.idempotent,
        openWorldHint: false,
      },
      ...(meta && { _meta: { ...meta } }),
    };
  });

let made: Listed | undefined;

/** The table as `tools/list` tells it; made once a process. */
export const listedTools = (): Listed => {
  made ??= list();
  return made;
};
