import type { WireCode } from '../../schemas/wire/vocabulary.ts';

/**
 * Words in which paths are kept apart, so that an answer at the account endpoint can put the workspace before each of
 * them (workspace-wire 2.2) and a stored failure reads right at both endpoints.
 */
export type Phrase = readonly (string | Readonly<{ path: string }>)[];

/** A path inside a phrase, without its workspace. */
export const at = (path: string): Readonly<{ path: string }> => ({ path });

/** A phrase as a template: say`tilo_ls ${at('notes')} lists its pages`. */
export const say = (words: TemplateStringsArray, ...parts: readonly (string | Readonly<{ path: string }>)[]): Phrase =>
  words
    .flatMap((word, index) => [word, ...(index < parts.length ? [parts[index] ?? ''] : [])])
    .filter((part) => part !== '');

/** The phrase as text; `prefix` is the workspace at the account endpoint, else null. */
export const spoken = (phrase: Phrase, prefix: string | null): string =>
  phrase
    .map((part) => (typeof part === 'string' ? part : prefix === null ? part.path : `${prefix}/${part.path}`))
    .join('');

/** Why a call failed, before it is put into an answer; plain JSON, so that it can be stored. */
export interface Failure {
  /** A code of the host, or an app's own. */
  readonly code: WireCode | (string & {});
  readonly message: Phrase;
  /** Calls that would work: each begins with the tool to call and names a path; at most five are told. */
  readonly next: readonly Phrase[];
}

/** Thrown inside the host where a call cannot go on; becomes the failure shape of the answer. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.code}: ${spoken(failure.message, null)}`);
    this.failure = failure;
  }
}

/** Refuses: `throw refuse('unknown_path', say`…`, [say`tilo_ls …`])`. */
export const refuse = (code: Failure['code'], message: Phrase, next: readonly Phrase[] = []): WireFailure =>
  new WireFailure({ code, message, next });
