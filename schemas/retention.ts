import { z } from 'zod';

/** What is said of runs that are deleted: the arguments and the answers of `telic delete` and `telic gc`. */

const count = z.int().min(0);
/** ISO 8601 in UTC, empty when the rows that told it are gone. */
const time = z.string();

const milliseconds = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** How long a run has rested: `12h`, `90d`, `8w`; parsed into milliseconds. */
export const Age = z
  .string()
  .regex(/^[1-9]\d{0,4}[hdw]$/, 'takes a whole number and h, d or w, such as 12h, 90d or 8w')
  .transform((said): number => {
    const unit = said.at(-1);
    return Number(said.slice(0, -1)) * milliseconds[unit === 'h' || unit === 'w' ? unit : 'd'];
  })
  .describe('a whole number and h, d or w, such as 12h, 90d or 8w');

/** What is left of a deleted run: its id is never used again. */
export const Tombstone = z.strictObject({
  runId: z.string().describe('the id, which is never used again'),
  createdAt: time.describe('when its first event was written'),
  updatedAt: time.describe('when its last event was written'),
  deletedAt: time.describe('when it was deleted'),
  head: z.int().min(1).describe('how many events its chain had'),
  headHash: z.string().describe('the hash of the last of them'),
});
export type Tombstone = z.infer<typeof Tombstone>;

/** A run that goes, and what goes with it. */
export const DeletedRun = z.strictObject({
  runId: z.string().describe('the id of the run'),
  status: z.string().nullable().describe('its status; null when it cannot be read'),
  createdAt: time.describe('when its first event was written'),
  updatedAt: time.describe('when its last event was written'),
  events: count.describe('how many events its chain has'),
  artifacts: count.describe('how many artifacts it has'),
  bodies: count.describe('how many bodies go with it: those that no other run names'),
  bytes: count.describe('the bytes of these bodies, and of its events, trace and artifact rows'),
});
export type DeletedRun = z.infer<typeof DeletedRun>;

/** What giving space back to the disk came to. */
export const Compaction = z.strictObject({
  done: z.boolean().describe('whether the file was written anew without the deleted rows'),
  why: z.string().nullable().describe('why it was not; null when it was'),
  bytesBefore: count.describe('the bytes of the database and its log before'),
  bytesAfter: count.describe('and after'),
});
export type Compaction = z.infer<typeof Compaction>;

/** What `telic delete` prints. */
export const DeleteReport = z.strictObject({
  deleted: DeletedRun.describe('the run, and what went with it'),
  tombstone: Tombstone.describe('what is left of it'),
  linkedBy: z.array(z.string()).describe('later runs that link it: they can cite it no more'),
  compaction: Compaction.nullable().describe('what was given back to the disk; null with --no-compact'),
});
export type DeleteReport = z.infer<typeof DeleteReport>;

/** What `telic gc` prints. */
export const CollectReport = z.strictObject({
  dryRun: z.boolean().describe('true: nothing was changed, this is what would be deleted'),
  before: z.string().nullable().describe('runs that rest since before this time go; null when no age was given'),
  runs: z.array(DeletedRun).describe('the runs that were deleted, the oldest first'),
  skipped: z
    .array(
      z.strictObject({
        runId: z.string(),
        status: z.string().nullable(),
        updatedAt: time,
        why: z.string(),
      }),
    )
    .describe('runs that are old enough and stay, with the reason'),
  unnamedBodies: z
    .strictObject({ count, bytes: count })
    .describe('bodies that no artifact named; they were deleted, too'),
  bytes: count.describe('the bytes of everything that was deleted'),
  compaction: Compaction.nullable().describe(
    'what was given back to the disk; null with --no-compact, or when nothing was deleted',
  ),
});
export type CollectReport = z.infer<typeof CollectReport>;
