import { CheckableType } from '../../schemas/issues.ts';
import { ArtifactType } from '../../schemas/vocabulary.ts';
import { CommandError } from './terminal.ts';

/** The types that `schema` and `check` take, as the registry has them. */

const unknown = (what: string, word: string, types: readonly string[]): CommandError =>
  new CommandError(`${JSON.stringify(word)} is no ${what}; the types are ${types.join(', ')}.`);

/** @throws CommandError that names the types */
export const artifactTypeOf = (word: string): ArtifactType => {
  const parsed = ArtifactType.safeParse(word);
  if (!parsed.success) throw unknown('artifact type', word, ArtifactType.options);
  return parsed.data;
};

/** @throws CommandError that names the types */
export const checkableTypeOf = (word: string): CheckableType => {
  const parsed = CheckableType.safeParse(word);
  if (!parsed.success) throw unknown('type that can be checked', word, CheckableType.options);
  return parsed.data;
};

const listed = (types: readonly string[]): string => ['Types:', ...types.map((type) => `  ${type}`)].join('\n');

/** What the help of `schema` says beside its options. */
export const artifactTypes = (): string => listed(ArtifactType.options);

/** What the help of `check` says beside its options. */
export const checkableTypes = (): string => listed(CheckableType.options);
