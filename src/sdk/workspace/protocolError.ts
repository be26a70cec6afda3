/**
 * The call itself went wrong: it was malformed, the host refused it over HTTP or could not be reached, or its answer is
 * not one of the wire's (workspace-wire section 8). Whether the action ran is told by `status` of the invocation.
 */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';
  /** The status of the HTTP answer that refused the call; undefined where none did. */
  readonly httpStatus: number | undefined;

  constructor(message: string, httpStatus?: number, options?: ErrorOptions) {
    super(message, options);
    this.httpStatus = httpStatus;
  }
}

/**
 * The host no longer knows the session and a run scope is open: a new session would be another connection, whose changes
 * are never one step with those made before (D-11). Outside run scopes the SDK opens a new session by itself.
 */
export class SessionLost extends ProtocolError {
  override readonly name = 'SessionLost';

  constructor(options?: ErrorOptions) {
    super('The host no longer knows this session, and a run scope is open: its step ends here.', 404, options);
  }
}
