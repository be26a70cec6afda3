import type { AskRef, Done, DoneAll } from '../../../schemas/wire/answers.ts';
import { untilSaid } from './patience.ts';
import { Run, type Waiting } from './run.ts';

/** Makes the call again, with the same invocation ids and arguments. */
export type Repeat = (
  options: Waiting & { readonly waitMs?: number | undefined },
) => Promise<Done | DoneAll | Run | Run<DoneAll>>;

/** The action waits for its person and has not run (the seed, "A call that waits for the person"). */
export class AskPending extends Error {
  override readonly name = 'AskPending';
  /** Where the person can be shown the ask. */
  readonly url: string | undefined;
  readonly invocation_id: string;
  readonly ask: AskRef;
  /** What the host answered. */
  readonly answer: Done | DoneAll;
  readonly #repeat: Repeat;

  constructor(ask: AskRef, answer: Done | DoneAll, repeat: Repeat) {
    super(`${ask.invocation_id} waits for its person${ask.url === undefined ? '' : ` at ${ask.url}`}.`);
    this.url = ask.url;
    this.invocation_id = ask.invocation_id;
    this.ask = ask;
    this.answer = answer;
    this.#repeat = repeat;
  }

  /**
   * Makes the same call again, which puts the ask before the person once more and runs the action when they allowed it.
   * Throws `AskPending` while they have not decided, `Refused` when they refused.
   */
  again(options: Parameters<Repeat>[0] = {}): ReturnType<Repeat> {
    return this.#repeat(options);
  }

  /** Makes the same call until the person has decided and the action has ended. Throws `Refused` when they refused. */
  async wait({ signal }: Waiting = {}): Promise<Done | DoneAll> {
    const said = await untilSaid(async (waitMs) => {
      try {
        return { value: await this.#repeat({ waitMs, signal }) };
      } catch (error) {
        // Of several actions a later one may ask next: the same call puts that, too.
        if (error instanceof AskPending) return null;
        throw error;
      }
    }, signal);
    return said instanceof Run ? said.wait({ signal }) : said;
  }
}
