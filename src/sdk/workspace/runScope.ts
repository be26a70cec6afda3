import { NamedRun } from '../../../schemas/wire/meta.ts';
import type { Calls, TiloAnswer } from './calls.ts';
import { runIdFor } from './invocationIds.ts';
import type { CallOptions } from './options.ts';

export interface RunOptions {
  /** What groups its changes; give the id of an earlier scope to continue its run. */
  readonly id?: string | undefined;
}

/**
 * A named run: every change made through it is one undo step an app, and people read its title (the seed, "Runs").
 * Leaving it neither commits nor undoes. While it is open a lost session is told as `SessionLost`.
 */
export interface RunScope extends Calls, AsyncDisposable {
  readonly id: string;
  readonly title: string;
  /** Takes the run's changes back, each app's step on its own: `undo task` of the `tilo` tool. */
  undo(options?: CallOptions): Promise<TiloAnswer>;
  /** Leaves the scope; what `await using` does at the end of its block. */
  close(): Promise<void>;
}

/** @throws TypeError when the wire does not allow such a title or id */
export const namedRun = (title: string, { id = runIdFor(title) }: RunOptions): NamedRun => {
  const parsed = NamedRun.safeParse({ id, title });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TypeError(`A run cannot have this ${issue?.path.join('.') ?? 'name'}: ${issue?.message ?? ''}`);
};

/**
 * @param calls those that name the run
 * @param leave lets the connection open a new session again
 */
export const createRunScope = ({ id, title }: NamedRun, calls: Calls, leave: () => void): RunScope => {
  const close = async (): Promise<void> => leave();
  return {
    ...calls,
    id,
    title,
    undo: (options) => calls.tilo('undo task', options),
    close,
    [Symbol.asyncDispose]: close,
  };
};
