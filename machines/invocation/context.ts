/** `read` changes nothing, `undoable` is all operations that can be taken back, `outside` reaches further. */
export type InvocationKind = 'read' | 'undoable' | 'outside';

/** What is known of an invocation when it is admitted, and never changes after. */
export interface InvocationInput {
  readonly kind: InvocationKind;
  /** The person allowed this kind of action here once and for all: no ask (workspace-wire 5.3). */
  readonly preAllowed: boolean;
  /** The app can be told to stop while it runs. */
  readonly abortable: boolean;
  /** The app declared that its idempotency key makes a repeated effect harmless. */
  readonly replayKey: boolean;
  /** The arguments hold a secret, which the host never stores and so cannot bring again (D-44). */
  readonly secret: boolean;
}

/** Control data of an invocation, stored as it is; arguments, results and failures stay outside. */
export interface InvocationContext extends InvocationInput {
  /** 1 when first stored; each stored transition raises it by one. */
  readonly version: number;
  /** The person changed the arguments when they allowed it last. */
  readonly edited: boolean;
  /** When the open ask, or the unused permission, expires: milliseconds since 1970. Null while nothing waits. */
  readonly deadlineMs: number | null;
}

const noInput: InvocationInput = {
  kind: 'outside',
  preAllowed: false,
  abortable: false,
  replayKey: false,
  secret: false,
};

/** The context before admission. `transition` calls it without input for the throw-away actor of every step. */
export const newInvocation = ({ input = noInput }: { input?: InvocationInput }): InvocationContext => ({
  kind: input.kind,
  preAllowed: input.preAllowed,
  abortable: input.abortable,
  replayKey: input.replayKey,
  secret: input.secret,
  version: 0,
  edited: false,
  deadlineMs: null,
});
