import { z } from 'zod';

/** A tool's arguments as `tools/list` tells them: a flat object, no references, no alternatives (traps T07, T08). */
export type FlatInput = Readonly<{
  type: 'object';
  properties: Readonly<Record<string, object>>;
  required?: readonly string[];
  additionalProperties: false;
}>;

/** What a JSON Schema must be to be published so. */
export const FlatSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).min(1).optional(),
});
