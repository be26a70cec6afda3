import { hostSchema } from '../../schemas/jsonSchema.ts';
import { artifactTypeOf } from './types.ts';

/**
 * The JSON Schema of a body as an action shows it to hosts (artifacts section 9).
 *
 * @throws CommandError for a word that is no artifact type; it names the types
 */
export const schema = (type: string): object => hostSchema(artifactTypeOf(type));
