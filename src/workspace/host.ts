import type { FailedAnswer } from '../../schemas/wire/failure.ts';
import type { WireAnswers, WireArguments } from '../../schemas/wire/index.ts';
import type { WireTool } from '../../schemas/wire/vocabulary.ts';
import type { App } from './apps/app.ts';
import type { Caller } from './caller.ts';
import type { EventLog, RosterKeeper } from './events/log.ts';
import type { History } from './history/history.ts';
import type { Invocations } from './invocations/invocations.ts';
import type { Clock, IdSource } from './sources.ts';
import type { Registry, Store } from './store/store.ts';
import type { World } from './world/world.ts';

export interface HostOptions {
  /** The data directory. */
  readonly data: string;
  readonly apps: readonly App[];
  /** The address that `ask.url` begins with: `http://127.0.0.1:4747`; asked when one is told, for a free port is known late. */
  address(): string;
  readonly askHours?: number;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** The owner's name; the one stored, or the system user's when absent. */
  readonly person?: string;
  /** How long what runs may go on when the host stops, and again once it was told to: 5 s when absent. */
  readonly stopMs?: number;
  /** Takes one line for the log at a time: never tokens, secrets or arguments. */
  readonly report?: (line: string) => void;
}

/** A host of workspaces without its doors: what HTTP and the person's page call. */
export interface Host {
  readonly store: Store;
  readonly registry: Registry;
  readonly world: World;
  readonly history: History;
  readonly invocations: Invocations;
  readonly events: EventLog;
  readonly roster: RosterKeeper;
  /** Somebody watches by other means than `tilo_watch`: apps that change elsewhere are looked at. The result ends it. */
  watching(): () => void;
  /** One call of one tool; every failure is an answer. */
  call<T extends WireTool>(tool: T, args: WireArguments[T], caller: Caller): Promise<WireAnswers[T] | FailedAnswer>;
  /** The actions of an app's kinds that reach outside, for the settings of the person's page. */
  outsideActions(
    workspace: string,
  ): Promise<readonly Readonly<{ kind: string; action: string; label: string; destroys: boolean }>[]>;
  /** Aborted when the host begins to stop: streams that stay open end then. */
  readonly stopping: AbortSignal;
  /** Held calls answer and running actions end (workspace-wire 2.5); the database stays open, so that a door can write its answers. */
  release(): Promise<void>;
  /** Releases, and closes the database. */
  close(): Promise<void>;
}
