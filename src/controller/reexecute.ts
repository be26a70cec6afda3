import type { RecordEffect } from '../../machines/events.ts';
import { growthOf } from '../../machines/growth.ts';
import { emptyRecord, type PriorRun } from '../../machines/record.ts';
import { freeze, machineVersion, type RunSnapshot } from '../../machines/step.ts';
import { canonicalJson } from '../../schemas/canonical.ts';
import type { Difference, DifferenceKind, NotJudged } from '../../schemas/verification.ts';
import { schemaVersion } from '../../schemas/vocabulary.ts';
import { metaText } from '../ledger/chain.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { HistoryEvent, RunHistory } from '../ledger/history.ts';
import { type Executed, execute, parse, read, type Standing, UnreadableEvent } from './executeRecorded.ts';
import { snapshotDigest } from './payload.ts';
import { LeavingPayload } from './recorded.ts';
import { differingFields, rowDifferences, told } from './stateDifferences.ts';

export type Reexecution = Readonly<{ differences: readonly Difference[]; notJudged: readonly NotJudged[] }>;

/** Gives the linked run as it can be read here. */
export type PriorReader = (runId: string) => PriorRun;

/** A linked run that tells when a rule asked for what cannot be read here: the run is gone, or damaged itself. */
const watched = (prior: PriorRun, missed: () => void): PriorRun => ({
  runId: prior.runId,
  repositoryRoot: prior.repositoryRoot,
  get exists() {
    if (!prior.exists) missed();
    return prior.exists;
  },
  get: (id) => {
    if (!prior.exists) missed();
    try {
      return prior.get(id);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      missed();
      return undefined;
    }
  },
});

const differ = (
  sequence: number,
  kind: DifferenceKind,
  expected: string | number,
  found: string | number,
): Difference => ({ sequence, kind, expected, found });

const artifactDifference = (event: HistoryEvent, { artifacts }: RecordEffect): Difference | null => {
  const computed = artifacts.map((artifact) => metaText({ ...artifact, schemaVersion }));
  const stored = event.artifacts.map(({ meta }) => metaText(meta));
  const count = Math.max(computed.length, stored.length);
  for (let at = 0; at < count; at += 1)
    if (computed[at] !== stored[at]) {
      const fields = differingFields(JSON.parse(computed[at] ?? '{}'), JSON.parse(stored[at] ?? '{}'))[0];
      const id = artifacts[at]?.id ?? event.artifacts[at]?.meta.id ?? '';
      const [expected, found] = [computed[at], stored[at]].map((text) => (text === undefined ? 'none' : ''));
      return differ(
        event.sequence,
        'artifacts',
        `${id}, ${expected || fields?.expected}`,
        `${id}, ${found || fields?.found}`,
      );
    }
  return null;
};

const traceDifference = (event: HistoryEvent, { trace }: RecordEffect, { context }: RunSnapshot): Difference | null => {
  const computed = trace.map((entry) => canonicalJson({ ...entry, at: event.at, budgets: context.budgets }));
  const count = Math.max(computed.length, event.trace.length);
  for (let at = 0; at < count; at += 1) {
    const [one, two] = [computed[at], event.trace[at]];
    if (one === two?.entry) continue;
    if (one === undefined || !two)
      return differ(event.sequence, 'trace', `${computed.length} entries`, `${event.trace.length} entries`);
    const fields = differingFields(JSON.parse(one), parse(two.entry, `trace row ${two.sequence}`));
    const first = fields[0];
    if (!first) return differ(event.sequence, 'trace', 'canonical JSON', told(two.entry));
    const kind = fields.some(({ field }) => field === 'budgets') ? 'budgets' : 'trace';
    const shown = fields.find(({ field }) => kind === 'trace' || field === 'budgets') ?? first;
    return differ(event.sequence, kind, shown.expected, shown.found);
  }
  return null;
};

/** The first thing that an event did otherwise than the ledger says; null when it did the same. */
const eventDifference = (
  event: HistoryEvent,
  { snapshot, effect }: Extract<Executed, { kind: 'taken' }>,
  left: Readonly<{ machine: string; snapshot: string }> | undefined,
  digestOf: (snapshot: RunSnapshot) => string,
): Difference | null => {
  const { version } = snapshot.context;
  if (version !== event.version) return differ(event.sequence, 'version', version, event.version);
  const inEffect = artifactDifference(event, effect) ?? traceDifference(event, effect, snapshot);
  if (inEffect || !left || left.snapshot === digestOf(snapshot)) return inEffect;
  return differ(event.sequence, 'snapshot', digestOf(snapshot), left.snapshot);
};

/** Most events leave the snapshot as it was, the very same object. */
const rememberingDigest = (): ((snapshot: RunSnapshot) => string) => {
  let known: Readonly<{ snapshot: RunSnapshot; digest: string }> | null = null;
  return (snapshot) => {
    if (known?.snapshot !== snapshot) known = { snapshot, digest: snapshotDigest(freeze(snapshot)) };
    return known.digest;
  };
};

/**
 * Executes a run once more, from what the ledger kept of its events: the machine judges each of them again, and version,
 * artifacts, trace, budgets and snapshot that come out are compared with the stored ones; at the end the row of the run is
 * compared, too. The first event that comes out otherwise ends it, for what follows rests on it. Pure: the same rows give
 * the same differences. Rule: run-machine section 16, I32; decisions 21.
 *
 * @param priorOf the linked run; an event that asks for one that is not there cannot be judged
 */
export const reexecute = (history: RunHistory, priorOf: PriorReader): Reexecution => {
  const { run, events } = history;
  const digestOf = rememberingDigest();
  const at: { standing: Standing | null; missed: boolean } = { standing: null, missed: false };

  const recordOf = ({ context: { priorRunId } }: RunSnapshot): Standing['record'] => {
    const missed = (): void => {
      at.missed = true;
    };
    return emptyRecord(run.runId, priorRunId === null ? null : watched(priorOf(priorRunId), missed));
  };

  const judge = (event: HistoryEvent): Difference | NotJudged | null => {
    const { sequence } = event;
    const { standing } = at;
    const payload = parse(event.payload, 'its payload');
    const left = read(LeavingPayload, payload).after;
    const machine = left?.machine ?? run.machineVersion;
    if (machine !== machineVersion)
      return { sequence, why: `machine version ${machine} wrote it; version ${machineVersion} is here` };
    at.missed = false;
    const done = execute(event, run.runId, standing, payload);
    const difference =
      done.kind === 'refused'
        ? differ(sequence, standing ? 'refused' : 'start', 'accepted', told(done.why))
        : eventDifference(event, done, left, digestOf);
    if (difference && at.missed)
      return {
        sequence,
        why: `it rests on the linked run ${standing?.record.prior?.runId}, which cannot be read here`,
      };
    if (difference || done.kind === 'refused') return difference;
    const { snapshot, effect } = done;
    const before: Standing = standing ?? { snapshot, record: recordOf(snapshot) };
    const growth = growthOf(before.record, before.snapshot.context, snapshot.context, effect);
    at.standing = { snapshot, record: before.record.extend(effect.artifacts, growth) };
    return null;
  };

  const judgeSafely = (event: HistoryEvent): Difference | NotJudged | null => {
    try {
      return judge(event);
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      return differ(event.sequence, 'unreadable', 'an event of the machine', told(error.message));
    }
  };

  for (const event of events) {
    const objection = judgeSafely(event);
    if (objection === null) continue;
    return 'why' in objection
      ? { differences: [], notJudged: [objection] }
      : { differences: [objection], notJudged: [] };
  }
  return { differences: at.standing ? rowDifferences(run, at.standing.snapshot) : [], notJudged: [] };
};
