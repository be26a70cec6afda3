/** Where protocol messages go; everything else that a library prints ends on standard error. */
export interface ProtocolOutput {
  readonly stream: NodeJS.WriteStream;
  /** Writes text; the callback is told when it was handed on, or why it could not be. */
  readonly write: (text: string, done: (error?: Error | null) => void) => void;
}

/**
 * Takes standard output for the protocol alone: from here on `console` and whoever writes to `process.stdout` reach
 * standard error instead (mcp-surface section 1, trap T01). Call it before anything else is loaded.
 */
export const protectOutput = (): ProtocolOutput => {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const { error } = globalThis.console;
  Object.assign(globalThis.console, { log: error, info: error, debug: error, dir: error, table: error });
  // A host that closed standard error has nobody who reads it; that must not end the server.
  stderr.on('error', () => {});
  return { stream: stdout, write: (text, done) => void write(text, 'utf8', done) };
};
