import { canonicalJson, digestOfText } from '../../schemas/canonical.ts';
import type { Difference, DifferenceKind } from '../../schemas/verification.ts';
import { chainStart, type Link, linkHash, metaText } from './chain.ts';
import type { HistoryArtifact, HistoryEvent, HistoryRun, RunHistory } from './history.ts';

/** Whether a stored body is there and is what its name says. */
export const bodyStatus = ({ meta, body }: HistoryArtifact): 'ok' | 'missing' | 'mismatch' => {
  if (body === null) return 'missing';
  return digestOfText(body) === meta.sha256 ? 'ok' : 'mismatch';
};

const linkOf = (runId: string, event: HistoryEvent): Link => ({
  previousHash: event.previousHash,
  runId,
  sequence: event.sequence,
  type: event.type,
  version: event.version,
  at: event.at,
  payload: event.payload,
  artifacts: event.artifacts.map(({ meta }) => metaText(meta)),
  trace: event.trace.map(({ entry }) => entry),
});

type Note = (sequence: number, kind: DifferenceKind, expected: string | number, found: string | number) => void;

const checkLinks = ({ run: { runId }, events, elsewhere }: RunHistory, note: Note): void => {
  let before: Pick<HistoryEvent, 'sequence' | 'hash' | 'version'> = { sequence: 0, hash: chainStart, version: 0 };
  for (const event of events) {
    const { sequence, version } = event;
    const isNext = sequence === before.sequence + 1;
    if (!isNext) note(before.sequence + 1, 'missing_event', `event ${before.sequence + 1}`, `event ${sequence}`);
    // After a gap nobody can say what the hash before it was.
    else if (event.previousHash !== before.hash) note(sequence, 'broken_link', before.hash, event.previousHash);
    const hash = linkHash(linkOf(runId, event));
    if (hash !== event.hash) {
      const origin = elsewhere(event.hash);
      if (origin === null) note(sequence, 'altered', event.hash, hash);
      else note(sequence, 'copied', `an event of run ${runId}`, `an event of run ${origin}`);
    }
    if (version < before.version) note(sequence, 'version_order', before.version, version);
    before = event;
  }
};

const isDenial = ({ entry }: Readonly<{ entry: string }>): boolean => entry.includes('"event":"transition_denied"');

/** Whether a text is the JSON that was written: blanks and such change nothing that it means, and were put there. */
const isWritten = (text: string, write: (value: unknown) => string): boolean => {
  try {
    return write(JSON.parse(text)) === text;
  } catch {
    return false;
  }
};

/** What the row of the run says of its chain. */
const checkRun = (run: HistoryRun, events: readonly HistoryEvent[], note: Note): void => {
  const last = events.at(-1);
  const end = last?.sequence ?? 0;
  if (end < run.head) note(end + 1, 'lost_tail', `${run.head} events`, `${end} events`);
  else if (end > run.head) note(0, 'run_row', `head ${end}`, `head ${run.head}`);
  else if (last && last.hash !== run.headHash)
    note(0, 'run_row', `head hash ${last.hash}`, `head hash ${run.headHash}`);
  if (last && end === run.head && last.version !== run.version)
    note(0, 'run_row', `version ${last.version}`, `version ${run.version}`);
  if (!isWritten(run.context, canonicalJson)) note(0, 'run_row', 'a context in canonical JSON', 'other bytes');
  if (!isWritten(run.snapshot, JSON.stringify)) note(0, 'run_row', 'a snapshot in JSON without blanks', 'other bytes');
  const denials = events
    .filter(({ version }) => version === run.version)
    .flatMap(({ trace }) => trace)
    .filter(isDenial).length;
  if (end === run.head && denials !== run.denials) note(0, 'run_row', `${denials} denials`, `${run.denials} denials`);
};

/** The numbers of artifacts or trace rows: gapless from 1 in the order of the events, and as many as the run says. */
const checkNumbers = (
  what: string,
  said: number,
  numbered: readonly (readonly [number, number])[],
  note: Note,
): void => {
  const wrong = numbered.findIndex(([, number], index) => number !== index + 1);
  const at = numbered[wrong];
  if (at) note(at[0], 'count', `${what} ${wrong + 1}`, `${what} ${at[1]}`);
  if (numbered.length !== said) note(0, 'count', `${said} ${what} rows`, `${numbered.length} ${what} rows`);
};

/**
 * Every difference that the stored rows of a run show by themselves: links and hashes, gaps, a lost tail, rows copied from
 * another run, what the row of the run says, counts and bodies. Pure. Rule: docs/ledger.md, the chain.
 */
export const verifyChain = (history: RunHistory): readonly Difference[] => {
  const differences: Difference[] = [];
  const note: Note = (sequence, kind, expected, found) => void differences.push({ sequence, kind, expected, found });
  const { run, events, strays } = history;

  checkLinks(history, note);
  checkRun(run, events, note);
  const artifacts = events.flatMap((event) =>
    event.artifacts.map(({ position }) => [event.sequence, position] as const),
  );
  checkNumbers('artifact', run.artifactCount, artifacts, note);
  const trace = events.flatMap((event) => event.trace.map((row) => [event.sequence, row.sequence] as const));
  checkNumbers('trace', run.traceCount, trace, note);
  for (const { meta } of strays.artifacts)
    note(0, 'count', 'an event for each artifact', `artifact ${meta.id} of none`);
  for (const { sequence } of strays.trace)
    note(0, 'count', 'an event for each trace row', `trace row ${sequence} of none`);

  for (const event of events)
    for (const artifact of event.artifacts) {
      const status = bodyStatus(artifact);
      const { id, sha256 } = artifact.meta;
      if (status !== 'ok')
        differences.push({ sequence: event.sequence, kind: 'body', expected: sha256, found: status, artifactId: id });
    }
  return differences;
};
