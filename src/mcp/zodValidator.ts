import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import { z } from 'zod';

const isJsonSchema = (value: JsonSchemaType): value is JsonSchemaType & z.core.JSONSchema.JSONSchema =>
  typeof value === 'object';

/**
 * What the SDK judges a value by when it holds a JSON Schema (the answer to a form that a server shows): Zod, which is
 * loaded anyway. The SDK's own choice is Ajv, whose loading and set-up took a quarter of the time of a cold start; the
 * build leaves it out (`esbuild.config.js`).
 */
export class ZodValidator implements jsonSchemaValidator {
  /** @throws what `z.fromJSONSchema` throws for a schema that it cannot read */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    if (!isJsonSchema(schema)) throw new TypeError('A JSON Schema is an object.');
    const judge = z.fromJSONSchema(schema);
    const fits = (input: unknown): input is T => judge.safeParse(input).success;
    return (input) => {
      if (fits(input)) return { valid: true, data: input, errorMessage: undefined };
      const { error } = judge.safeParse(input);
      return { valid: false, data: undefined, errorMessage: error ? z.prettifyError(error) : 'the value does not fit' };
    };
  }
}
