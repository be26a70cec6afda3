/** What every call takes. */
export interface CallOptions {
  /** Gives the call up when it is aborted: its HTTP request is closed and the reason thrown. */
  readonly signal?: AbortSignal | undefined;
}

export interface LsOptions extends CallOptions {
  /** Only rows of this kind. */
  readonly kind?: string | undefined;
  /** Rows a page, 1 to 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ReadOptions extends CallOptions {
  /** The key of a child to read instead. */
  readonly item?: string | undefined;
  readonly cursor?: string | undefined;
}

export interface HeldOptions extends CallOptions {
  /** How long the host may hold the call, in milliseconds: 0 to 60,000. */
  readonly waitMs?: number | undefined;
}

export interface DoAllOptions extends HeldOptions {
  /** An aborted call also asks the host to cancel what it began; else that goes on (D-36). */
  readonly cancelOnAbort?: boolean | undefined;
}

export interface DoOptions extends DoAllOptions {
  /** The id of the invocation: the same id never runs an action twice. Made by the SDK when absent. */
  readonly invocationId?: string | undefined;
}

/** One of several actions. */
export interface ActionCall {
  /** `resource#action` */
  readonly path: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly invocationId?: string | undefined;
}

export interface FindOptions extends CallOptions {
  readonly app?: string | undefined;
  readonly kind?: string | undefined;
  readonly limit?: number | undefined;
}

export interface TiloOptions extends CallOptions {
  /** Runs what a preview showed. */
  readonly confirm?: boolean | undefined;
  readonly invocationId?: string | undefined;
}

export interface WatchOptions extends HeldOptions {
  /** Only changes of this resource and what is under it. */
  readonly path?: string | undefined;
  /** Where to go on from; from now when absent. */
  readonly cursor?: string | undefined;
}
