import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../schemas/canonical.ts';
import { Sha256 } from '../../schemas/primitives.ts';
import type { Difference } from '../../schemas/verification.ts';
import { LogicalRole, Redaction, StoredType } from '../../schemas/vocabulary.ts';
import type { HistoryArtifact, HistoryEvent, RunHistory } from './history.ts';
import type { ArtifactMeta } from './ledger.ts';

/**
 * One run as one file: lines of canonical JSON, each ended by one line feed. First the header, then the events in their
 * order, the cited Evidence of the linked run, the bodies by their digest, and last the digest of every byte before the
 * last line. The same run gives the same bytes. Rule: docs/ledger.md, bundles.
 */

const format = 'telic-bundle';
const formatVersion = 1;

const count = z.int().min(0);
const Header = z.strictObject({
  format: z.literal(format),
  formatVersion: z.literal(formatVersion),
  runId: z.string(),
  schemaVersion: z.string(),
  machineVersion: z.string(),
  version: count,
  snapshot: z.string(),
  head: count,
  headHash: Sha256,
  artifacts: count,
  trace: count,
  denials: count,
  /** Lines of Evidence of the linked run, and lines of bodies. */
  linkedArtifacts: count,
  bodies: count,
  /** The run that `prior_run_id` named, where the exporting ledger held it. */
  linked: z.strictObject({ runId: z.string(), repositoryRoot: z.string() }).nullable(),
});
type Header = z.infer<typeof Header>;

const Meta = z.strictObject({
  id: z.string(),
  runId: z.string(),
  type: StoredType,
  schemaVersion: z.literal('1.0'),
  producer: LogicalRole,
  sha256: Sha256,
  sourceRefs: z.array(z.string()),
  redaction: Redaction,
  createdAt: z.string(),
});

const EventLine = z.strictObject({
  event: z.strictObject({
    sequence: count,
    version: count,
    type: z.string(),
    at: z.string(),
    payload: z.unknown(),
    previousHash: Sha256,
    hash: Sha256,
    artifacts: z.array(Meta),
    trace: z.array(z.unknown()),
  }),
});
const LinkedLine = z.strictObject({ linked: Meta });
const BodyLine = z.strictObject({ body: z.unknown(), sha256: Sha256 });
const LastLine = z.strictObject({ sha256: Sha256 });

/** An artifact of the linked run. */
export type LinkedArtifact = Readonly<{ meta: ArtifactMeta; body: string | null }>;

/** What of the linked run goes with a run: the Evidence that it cites. */
export interface LinkedRun {
  readonly runId: string;
  readonly repositoryRoot: string;
  readonly artifacts: readonly LinkedArtifact[];
}

export interface Bundle {
  readonly history: RunHistory;
  readonly linked: LinkedRun | null;
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const eventLine = (event: HistoryEvent): string =>
  canonicalJson({
    event: {
      sequence: event.sequence,
      version: event.version,
      type: event.type,
      at: event.at,
      payload: JSON.parse(event.payload),
      previousHash: event.previousHash,
      hash: event.hash,
      artifacts: event.artifacts.map(({ meta }) => meta),
      trace: event.trace.map(({ entry }): unknown => JSON.parse(entry)),
    },
  });

const bodiesOf = ({ history, linked }: Bundle): ReadonlyMap<string, string> => {
  const bodies = new Map<string, string>();
  const own = history.events.flatMap(({ artifacts }) => artifacts);
  for (const { meta, body } of [...own, ...(linked?.artifacts ?? [])]) if (body !== null) bodies.set(meta.sha256, body);
  return new Map([...bodies].sort(([one], [two]) => (one < two ? -1 : 1)));
};

/**
 * The bytes of a bundle.
 *
 * @throws SyntaxError when a row of the run is not JSON: whoever exports has verified the run
 */
export const writeBundle = (bundle: Bundle): Buffer => {
  const { run, events } = bundle.history;
  const bodies = bodiesOf(bundle);
  const header: Header = {
    format,
    formatVersion,
    runId: run.runId,
    schemaVersion: run.schemaVersion,
    machineVersion: run.machineVersion,
    version: run.version,
    snapshot: run.snapshot,
    head: run.head,
    headHash: run.headHash,
    artifacts: run.artifactCount,
    trace: run.traceCount,
    denials: run.denials,
    linkedArtifacts: bundle.linked?.artifacts.length ?? 0,
    bodies: bodies.size,
    linked: bundle.linked && { runId: bundle.linked.runId, repositoryRoot: bundle.linked.repositoryRoot },
  };
  const lines = [
    canonicalJson(header),
    ...events.map(eventLine),
    ...(bundle.linked?.artifacts ?? []).map(({ meta }) => canonicalJson({ linked: meta })),
    ...[...bodies].map(([sha256, body]) => canonicalJson({ body: JSON.parse(body), sha256 })),
  ];
  const content = Buffer.concat(lines.map((line) => Buffer.from(`${line}\n`)));
  return Buffer.concat([content, Buffer.from(`${canonicalJson({ sha256: digestOf(content) })}\n`)]);
};

/** What cannot be read as a bundle, with the number of the line. */
class NotABundle extends Error {
  override readonly name = 'NotABundle';
  readonly expected: string;
  readonly found: string;

  constructor(expected: string, found: string) {
    super(`expected ${expected}, found ${found}`);
    this.expected = expected;
    this.found = found;
  }
}

const lineFeed = 0x0a;

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    if (end < 0) throw new NotABundle('a line feed at the end', 'none');
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const parseLine = <T>(schema: z.ZodType<T>, bytes: Buffer | undefined, number: number): T => {
  const broken = (what: string): NotABundle => new NotABundle(`line ${number} of a bundle`, `line ${number} ${what}`);
  if (bytes === undefined) throw broken('is missing');
  let text: string;
  let value: unknown;
  try {
    text = strict.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw broken('is not JSON in UTF-8');
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw broken(`has ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')} wrong`);
  if (canonicalJson(value) !== text) throw broken('is not canonical');
  return parsed.data;
};

/** What the file says of itself: its last line is the digest of the rest. */
const fileDifferences = (bytes: Buffer, lines: readonly Buffer[]): readonly Difference[] => {
  const last = lines.at(-1);
  const content = bytes.subarray(0, bytes.length - (last?.length ?? 0) - 1);
  const found = digestOf(content);
  const { sha256: expected } = parseLine(LastLine, last, lines.length);
  return expected === found ? [] : [{ sequence: 0, kind: 'file', expected, found }];
};

const Snapshot = z.object({ context: z.record(z.string(), z.unknown()) });

/** The row of a run holds its context twice; in a bundle it stands in the snapshot alone. */
const contextIn = (snapshot: string): string => {
  try {
    return canonicalJson(Snapshot.parse(JSON.parse(snapshot)).context);
  } catch {
    throw new NotABundle('the snapshot of a run', 'line 1 has another');
  }
};

const historyOf = (
  header: Header,
  events: readonly z.infer<typeof EventLine>['event'][],
  bodies: ReadonlyMap<string, string>,
): RunHistory => {
  const {
    artifacts: artifactCount,
    trace: traceCount,
    snapshot,
    linked: _,
    linkedArtifacts: __,
    bodies: ___,
    ...run
  } = header;
  let position = 0;
  let traceRow = 0;
  const context = contextIn(snapshot);
  return {
    run: {
      runId: run.runId,
      schemaVersion: run.schemaVersion,
      machineVersion: run.machineVersion,
      version: run.version,
      head: run.head,
      headHash: run.headHash,
      denials: run.denials,
      snapshot,
      context,
      artifactCount,
      traceCount,
    },
    events: events.map((event) => ({
      ...event,
      payload: canonicalJson(event.payload),
      artifacts: event.artifacts.map((meta): HistoryArtifact => {
        position += 1;
        return { position, meta, body: bodies.get(meta.sha256) ?? null };
      }),
      trace: event.trace.map((entry) => {
        traceRow += 1;
        return { sequence: traceRow, entry: canonicalJson(entry) };
      }),
    })),
    strays: { artifacts: [], trace: [] },
    elsewhere: () => null,
  };
};

const readLines = (lines: readonly Buffer[]): Bundle => {
  const header = parseLine(Header, lines[0], 1);
  const { head, linkedArtifacts, bodies: bodyCount } = header;
  const expected = 1 + head + linkedArtifacts + bodyCount + 1;
  if (lines.length !== expected) throw new NotABundle(`${expected} lines`, `${lines.length} lines`);
  let at = 1;
  const next = <T>(schema: z.ZodType<T>, many: number): readonly T[] =>
    Array.from({ length: many }, () => {
      at += 1;
      return parseLine(schema, lines[at - 1], at);
    });
  const events = next(EventLine, head).map(({ event }) => event);
  const linkedMeta = next(LinkedLine, linkedArtifacts).map(({ linked }) => linked);
  const bodies = new Map<string, string>();
  let before = '';
  for (const { sha256, body } of next(BodyLine, bodyCount)) {
    if (sha256 <= before) throw new NotABundle('the bodies by their digest, each once', sha256);
    bodies.set(sha256, canonicalJson(body));
    before = sha256;
  }
  const named = new Set([...events.flatMap(({ artifacts }) => artifacts), ...linkedMeta].map(({ sha256 }) => sha256));
  const unnamed = [...bodies.keys()].find((sha256) => !named.has(sha256));
  if (unnamed !== undefined) throw new NotABundle('an artifact of each body', unnamed);
  return {
    history: historyOf(header, events, bodies),
    linked: header.linked && {
      ...header.linked,
      artifacts: linkedMeta.map((meta) => ({ meta, body: bodies.get(meta.sha256) ?? null })),
    },
  };
};

export interface BundleReading {
  /** Null when the bytes are no bundle; `differences` say why. */
  readonly bundle: Bundle | null;
  readonly differences: readonly Difference[];
  /** The digest of the whole file. */
  readonly sha256: string;
}

/**
 * Reads a bundle and compares its bytes with its last line. What the run in it says of itself is the verification's to
 * judge.
 */
export const readBundle = (bytes: Buffer): BundleReading => {
  const differences: Difference[] = [];
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof NotABundle)) throw error;
      const { expected, found } = error;
      if (!differences.some((known) => known.found === found))
        differences.push({ sequence: 0, kind: 'file', expected, found });
      return null;
    }
  };
  const lines = attempt(() => [...linesOf(bytes)]);
  const sealed = lines && attempt(() => fileDifferences(bytes, lines));
  differences.push(...(sealed ?? []));
  return { bundle: lines && attempt(() => readLines(lines)), differences, sha256: digestOf(bytes) };
};
