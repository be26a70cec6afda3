import type { ActionRow, Done, DoneAll, DoneStep, ProgramAnswer } from '../../../schemas/wire/answers.ts';
import type { FailedAnswer, WireError } from '../../../schemas/wire/failure.ts';

/** The answers that say why a call failed. */
export type RefusingAnswer = FailedAnswer | Done | DoneAll | ProgramAnswer;

/** The host or its person said no: `status: "failed"` of the wire (the seed, "Errors the SDK maps"). */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** Stable: a code of workspace-wire 3.2, or one of the app's own. */
  readonly code: string;
  /** The calls that would work, each a sentence that begins with a tool and names a path. */
  readonly next_steps: readonly string[];
  /** The action that was tried, where it exists: what it takes. */
  readonly action: ActionRow | undefined;
  /** Of several actions: what came of those up to the refused one; the earlier ones stay applied. */
  readonly steps: readonly DoneStep[] | undefined;
  /** The whole answer. */
  readonly answer: RefusingAnswer;

  constructor(
    { code, message, next_steps }: WireError,
    answer: RefusingAnswer,
    more: Readonly<{ action?: ActionRow | undefined; steps?: readonly DoneStep[] }> = {},
  ) {
    super(message);
    this.code = code;
    this.next_steps = next_steps ?? [];
    this.action = more.action;
    this.steps = more.steps;
    this.answer = answer;
  }
}
