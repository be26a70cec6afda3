import type { Done, DoneAll } from '../../../schemas/wire/answers.ts';
import type { DoArguments, StatusArguments } from '../../../schemas/wire/arguments.ts';
import type { FailedAnswer } from '../../../schemas/wire/failure.ts';
import type { Ask, Decision } from '../../../schemas/wire/person.ts';
import type { Caller } from '../caller.ts';

/** What came of a decision on the person's page. */
export type Decided =
  | Readonly<{ outcome: 'decided'; ask: Ask }>
  /** Version or state moved on: the ask as it stands now. */
  | Readonly<{ outcome: 'moved_on'; ask: Ask }>
  | Readonly<{ outcome: 'invalid'; messages: Readonly<Record<string, string>> }>
  | Readonly<{ outcome: 'unknown' }>;

/** The lives of invocations (workspace-wire 4.3, 4.4 and 5): loads, sends events to the machine, stores, answers. */
export interface Invocations {
  do(caller: Caller, args: DoArguments): Promise<Done | DoneAll>;
  status(caller: Caller, args: StatusArguments): Promise<Done | FailedAnswer>;
  /** Open asks first, then those decided lately; newest first. */
  asks(workspace: string): Promise<readonly Ask[]>;
  ask(workspace: string, id: string): Promise<Ask | null>;
  decide(
    workspace: string,
    id: string,
    decision: Decision,
    person: Readonly<{ id: string; name: string }>,
  ): Promise<Decided>;
  /** At start, before the first call: what the last process left running goes on or ends. */
  recover(): Promise<void>;
  /** Lets asks and unused permissions expire whose time is up. */
  sweep(): void;
  /** Held calls answer `pending` at once; running actions get 5 s, then their signal, then 5 s. */
  shutDown(): Promise<void>;
}
