import { z } from 'zod';
import { Sha256 } from './primitives.ts';

/** What a verification says of a run: `telic verify`, and the report of `telic_replay_run`. */

/** What a difference is about, and what it means; docs/ledger.md shows this table. */
export const differenceMeanings = {
  file: 'The bytes of a bundle are not those that its last line seals, or they are no bundle.',
  unreadable: 'A row cannot be one that Telic wrote.',
  missing_event: 'Events of the chain are missing before others.',
  broken_link: 'An event does not name the hash of the event before it.',
  altered: 'An event, the metadata of its artifacts or its trace rows do not have its hash.',
  copied: 'An event has the hash of an event of another run.',
  lost_tail: 'The row of the run counts more events than its chain has.',
  run_row: 'The row of the run is missing, not as it was written, or says something else than its chain.',
  count: 'Artifacts or trace rows are missing, too many, out of their order, or belong to no event.',
  version_order: 'An event has a lower version than the event before it.',
  body: 'The body of an artifact is missing or does not have its digest.',
  written_by: 'The row of the run names another version of machine or schema than its last event.',
  start: 'The run does not begin like this.',
  refused: 'The machine refuses what the ledger says it took.',
  version: 'The event leads to another version.',
  state: 'The status, the phase or the state of the machine is another.',
  topology: 'The topology or the number of escalations is another.',
  budgets: 'The budgets are others.',
  snapshot: 'Something else in the snapshot is different.',
  artifacts: 'The event stores other artifacts.',
  trace: 'The event writes another trace.',
  not_judged: 'Nobody can say: the event cannot be executed again here.',
} as const;

export const DifferenceKind = z.enum(
  // The keys of the table, which Object.keys forgets.
  Object.keys(differenceMeanings) as (keyof typeof differenceMeanings)[],
);
export type DifferenceKind = z.infer<typeof DifferenceKind>;

const count = z.int().min(0);
const shown = z.union([z.string(), z.number()]);
const sequence = count.describe(
  'the event of the chain of the run; 0 is the row of the run, or nothing that can be told',
);

/** One thing that is not as it must be. */
export const Difference = z.strictObject({
  sequence,
  kind: DifferenceKind,
  expected: shown.describe('in short, never a body'),
  found: shown.describe('in short, never a body'),
  artifactId: z.string().optional().describe('the artifact whose body it is'),
});
export type Difference = Readonly<z.infer<typeof Difference>>;

/** Something that cannot be executed again here; what follows it in the run is not judged either. */
export const NotJudged = z.strictObject({ sequence, why: z.string() });
export type NotJudged = Readonly<z.infer<typeof NotJudged>>;

const runId = z.string().describe('the run that it is about');

/** What `telic verify` prints. */
export const VerifyReport = z.strictObject({
  ok: z.boolean().describe('whether there is no difference'),
  runs: count.describe('how many runs were verified'),
  events: count.describe('how many events they have'),
  artifacts: count.describe('how many artifacts they have'),
  trace: count.describe('how many trace rows they have'),
  differences: z.array(Difference.extend({ runId })),
  notJudged: z.array(NotJudged.extend({ runId })).describe('no difference, and no proof either'),
  file: z.string().optional().describe('the bundle that was verified'),
  sha256: Sha256.optional().describe('the digest of the whole bundle'),
});
export type VerifyReport = z.infer<typeof VerifyReport>;
