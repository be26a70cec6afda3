import type { Done, DoneAll } from '../../../schemas/wire/answers.ts';

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
}

/** How a run is followed; made by the call that started it. */
export interface Following<A> {
  status(waiting: Waiting): Promise<Done | Run>;
  wait(waiting: Waiting): Promise<A>;
  cancel(waiting: Waiting): Promise<Done | Run>;
}

/**
 * An invocation that runs longer than its call waited: pending without an ask. It is returned, not thrown, and goes on at
 * the host whether it is followed or not.
 *
 * `A` is what it ends in: `Done` of one action, `DoneAll` of several.
 */
export class Run<A extends Done | DoneAll = Done> {
  readonly invocation_id: string;
  /** What the host answered while it ran. */
  readonly answer: Done | DoneAll;
  readonly #following: Following<A>;

  constructor(invocationId: string, answer: Done | DoneAll, following: Following<A>) {
    this.invocation_id = invocationId;
    this.answer = answer;
    this.#following = following;
  }

  /** How it stands now: the answer when it has ended, else a run again. Throws `Refused` when it failed. */
  status(waiting: Waiting = {}): Promise<Done | Run> {
    return this.#following.status(waiting);
  }

  /** Waits until it has ended, however long that takes. Throws `Refused` when it failed, `AskPending` when it asks. */
  wait(waiting: Waiting = {}): Promise<A> {
    return this.#following.wait(waiting);
  }

  /** Asks the host to stop it: see `cancel` of a workspace. */
  cancel(waiting: Waiting = {}): Promise<Done | Run> {
    return this.#following.cancel(waiting);
  }
}
