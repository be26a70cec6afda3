import type { Done, DoneAll, DoneStep } from '../../schemas/wire/answers.ts';
import { actionText } from './action.ts';
import { reasonLines } from './failure.ts';
import { address, json, word } from './words.ts';

const waitingLines = (done: Done | DoneStep): readonly string[] => {
  if (done.status !== 'pending') return [];
  if (!done.ask) return ['still running; tilo_status follows it'];
  const where = done.ask.url === undefined ? '' : ` at ${address(done.ask.url)}`;
  return [`waiting for the person${where}`, 'call tilo_do again with this invocation_id and the same arguments'];
};

/** What came of one action, as lines in the order of the keys of the typed answer (workspace-wire 4.3). */
export const doneLines = (done: Done | DoneStep): readonly string[] => {
  const head = [done.status, word(done.path), word(done.invocation_id)];
  if (done.error) head.push(word(done.error.code));
  const lines = [head.join(' ')];
  if (done.error) lines.push(...reasonLines(done.error));
  if (done.result !== undefined) lines.push(`result: ${json(done.result)}`);
  if (done.resources && done.resources.length > 0) lines.push(`touched: ${done.resources.map(word).join(' ')}`);
  if (done.edited_by_person) lines.push(`the person changed it to: ${json(done.edited_by_person)}`);
  lines.push(...waitingLines(done));
  if (done.action) lines.push(`takes: ${actionText(done.action)}`);
  return lines;
};

const batchHead = ({ status, stopped_at }: DoneAll): string => {
  if (stopped_at === undefined) return status;
  const stays = status === 'failed' && stopped_at > 0 ? '; the steps before it stay applied' : '';
  return `${status} at step ${stopped_at}${stays}`;
};

/** What came of several actions: how the batch ended, then the lines of each step, the first with its index before it. */
export const doneAllLines = (all: DoneAll): readonly string[] => [
  batchHead(all),
  ...all.steps.flatMap((step, index) =>
    doneLines(step).map((line, place) => (place === 0 ? `${index} ${line}` : line)),
  ),
];

/** Whether an answer tells of several actions. */
export const isDoneAll = (answer: object): answer is DoneAll => 'steps' in answer && Array.isArray(answer.steps);

/** Whether an answer tells of one action; a call that names none fails without. */
export const isDone = (answer: object): answer is Done =>
  'invocation_id' in answer && 'path' in answer && 'status' in answer;
