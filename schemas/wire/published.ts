import { z } from 'zod';
import { type FlatInput, FlatSchema } from '../tools/flatInput.ts';
import { wireArguments } from './arguments.ts';
import type { WireTool } from './vocabulary.ts';

/** What is said of each argument beside its type; an argument that more than one tool takes reads the same in each. */
export type Notes = Readonly<Record<string, string>>;

/**
 * The published schema of a tool of the workspace wire: JSON Schema 2020-12 made from `wireArguments`, with few bytes,
 * for hosts pay for the list in each request (T10). Whole numbers are published as integers although a string of digits
 * passes too (T03).
 *
 * @param notes a description for each argument that has one
 */
export const wireInputSchema = (tool: WireTool, notes: Notes = {}): FlatInput => {
  const json = z.toJSONSchema(wireArguments[tool], {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      // The names of an object's keys are texts in any case, and what they hold is the action's to say.
      if (zodSchema instanceof z.ZodRecord) {
        delete jsonSchema.propertyNames;
        jsonSchema.additionalProperties = true;
      }
    },
  });
  const { type, properties, required } = FlatSchema.parse(json);
  const noted = Object.entries(properties).map(([name, property]) => {
    const note = notes[name];
    return [name, note === undefined ? property : { ...property, description: note }] as const;
  });
  return { type, properties: Object.fromEntries(noted), ...(required && { required }), additionalProperties: false };
};
