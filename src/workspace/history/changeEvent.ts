import type { ChangeEvent } from '../../../schemas/wire/answers.ts';
import { cursorOf } from '../../../schemas/wire/cursor.ts';
import type { NewEvent } from '../events/log.ts';

/** What a change event tells; its change is its own sequence number unless it tells of an earlier one. */
export interface Told {
  readonly workspace: string;
  readonly ref: string;
  readonly path: string;
  readonly sentence: string;
  readonly by: string;
  /** The title of the run that the change was made in. */
  readonly run: string | null;
  readonly time_ms: number;
  readonly undone: boolean;
  /** The sequence number of the change that was taken or put back. */
  readonly change?: number;
}

/** The row of the log for a change (workspace-wire 4.7). */
export const changeEvent = ({ workspace, ref, change, ...told }: Told): NewEvent => ({
  workspace,
  connection: null,
  kind: 'change',
  ref,
  time_ms: told.time_ms,
  body: (sequence): ChangeEvent => ({
    kind: 'change',
    path: told.path,
    change: cursorOf(change ?? sequence),
    sentence: told.sentence,
    by: told.by,
    ...(told.run !== null && { run: told.run }),
    time_ms: told.time_ms,
    undone: told.undone,
  }),
});
