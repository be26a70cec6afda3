import type { ChangeEvent, PresenceEvent, RunEvent, WatchEvent, Watched } from '../../schemas/wire/answers.ts';
import { label, word } from './words.ts';

const inRun = (run: string | undefined): string => (run === undefined ? '' : ` in ${label(run)}`);

const changeLine = (event: ChangeEvent): string => {
  const made = `change ${word(event.change)} ${word(event.path)} ${label(event.sentence)} by ${label(event.by)}`;
  return `${made}${inRun(event.run)}${event.undone ? ' taken back' : ''}`;
};

const runLine = (event: RunEvent): string =>
  `run ${event.phase} ${word(event.path)} ${word(event.invocation_id)}${inRun(event.run)}`;

const presenceLine = ({ here }: PresenceEvent): string =>
  `here: ${here.length === 0 ? 'nobody' : here.map(({ name, kind }) => `${label(name)} (${kind})`).join(', ')}`;

/** One event as a line; also what `tilo watch --follow` prints as it comes. */
export const eventLine = (event: WatchEvent): string => {
  switch (event.kind) {
    case 'change':
      return changeLine(event);
    case 'run':
      return runLine(event);
    case 'presence':
      return presenceLine(event);
  }
};

/** What happened, oldest first, and where to go on from (workspace-wire 4.7). */
export const watchLines = ({ events, cursor }: Watched): readonly string[] => [
  ...events.map(eventLine),
  `cursor ${word(cursor)}`,
];
