import type { ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { wireInputSchema } from '../../../schemas/wire/published.ts';
import { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { type ToolEntry, wireTools } from './table.ts';

type Listed = ListToolsResult['tools'];

const list = (): Listed =>
  WireTool.options.map((name) => {
    const { title, description, readOnly, notes }: ToolEntry = wireTools[name];
    const { properties, required, ...rest } = wireInputSchema(name, notes);
    return {
      name,
      title,
      description,
      inputSchema: { ...rest, properties: { ...properties }, ...(required && { required: [...required] }) },
      annotations: { readOnlyHint: readOnly },
    };
  });

let made: Listed | undefined;

/**
 * The seven tools as `tools/list` tells them; made once a process. None has an `outputSchema`: the SDK would turn the
 * text answers into errors (workspace-wire F3).
 */
export const listedWireTools = (): Listed => {
  made ??= list();
  return made;
};
