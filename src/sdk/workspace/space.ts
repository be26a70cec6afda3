import { AsyncLocalStorage } from 'node:async_hooks';
import type { NamedRun } from '../../../schemas/wire/meta.ts';
import { type Calls, createCalls, type Open } from './calls.ts';
import type { Link } from './link.ts';
import { createRunScope, namedRun, type RunOptions, type RunScope } from './runScope.ts';

/** One endpoint of a host as a program uses it: the calls, its session, and named runs. */
export interface Space extends Calls {
  /** The session of its connection, to be resumed later; null before the first call, and where calls carry none. */
  readonly session: string | null;
  /** Opens a named run: `await using run = space.run('Plan the move')`. Calls made through it are steps of the run. */
  run(title: string, options?: RunOptions): RunScope;
  /** The same for the time of a function: inside it, every call of this space is a step of the run, too. */
  run<T>(title: string, body: (run: RunScope) => T | Promise<T>, options?: RunOptions): Promise<T>;
  /** Gives up what is open and ends the connection here; the host keeps its session. */
  close(): Promise<void>;
}

export const createSpace = (link: Link): Space => {
  const within = new AsyncLocalStorage<NamedRun>();
  const open: Open = new Map();
  const scope = (run: NamedRun): RunScope =>
    createRunScope(
      run,
      createCalls(link, open, () => run),
      link.hold(),
    );

  function run(title: string, options?: RunOptions): RunScope;
  function run<T>(title: string, body: (run: RunScope) => T | Promise<T>, options?: RunOptions): Promise<T>;
  function run<T>(
    title: string,
    second: RunOptions | ((run: RunScope) => T | Promise<T>) = {},
    options: RunOptions = {},
  ): RunScope | Promise<T> {
    if (typeof second !== 'function') return scope(namedRun(title, second));
    return inside(namedRun(title, options), second);
  }

  const inside = async <T>(named: NamedRun, body: (run: RunScope) => T | Promise<T>): Promise<T> => {
    const opened = scope(named);
    try {
      return await within.run(named, () => body(opened));
    } finally {
      await opened.close();
    }
  };

  return {
    ...createCalls(link, open, () => within.getStore()),
    get session() {
      return link.session();
    },
    run,
    close: () => link.close(),
  };
};
