/** The bounds of the wire (workspace-wire sections 1.1, 2.3, 4 and 5). */
export const wireLimits = {
  /** UTF-8 bytes of a path. */
  pathBytes: 2048,
  pathSegments: 64,
  /** UTF-8 bytes of one segment before it is escaped. */
  segmentBytes: 512,
  /** UTF-8 bytes of the JSON of an action's arguments, and how deep they may nest. */
  argsBytes: 256 * 1024,
  argsDepth: 32,
  calls: 50,
  waitMs: 60_000,
  defaultWaitMs: 25_000,
  listRows: 200,
  defaultListRows: 50,
  /** Children of one read over all its lists. */
  children: 200,
  /** UTF-8 bytes of the fields of one read. */
  fieldBytes: 1024 * 1024,
  findHits: 50,
  defaultFindHits: 20,
  queryChars: 200,
  programBytes: 16_384,
  /** Events of one watch. */
  events: 200,
  /** Bytes of an HTTP body. */
  bodyBytes: 4 * 1024 * 1024,
  /** Calls of one token that may be held at once, and calls a second. */
  heldCalls: 32,
  callsPerSecond: 50,
  undoSteps: 100,
  /** Bytes of an item key. */
  itemBytes: 128,
} as const;
