import type { ActivityStep, UndoAnswer, UndoRequest } from '../../../../schemas/wire/person.ts';
import { h, rebuild } from './dom.ts';
import type { Came } from './hostClient.ts';
import { amount, brief, said, saidLong } from './said.ts';
import { seen } from './seen.ts';
import { timeElement } from './timeElement.ts';
import { troubleWords } from './words.ts';

export interface ActivityStepPorts {
  turn(way: 'undo' | 'redo', request: UndoRequest): Promise<Came<UndoAnswer>>;
  /** Something was taken back or put back: the activity is loaded anew. */
  turned(): void;
}

/** One step of the activity, with the way to take it back. */
export interface StepItem {
  readonly element: HTMLElement;
  /** @param spread whether its run has steps in other apps too */
  update(step: ActivityStep, spread: boolean): void;
}

/** What identifies a step for as long as it is shown: its first change. */
export const stepId = ({ changes, app, step }: ActivityStep): string => changes[0]?.change ?? `${app} ${step}`;

const took = ({ done }: UndoAnswer, way: 'undo' | 'redo'): string => {
  const changes = done.reduce((sum, { undone }) => sum + undone.length, 0);
  const apps = done.map(({ app }) => app).join(', ');
  return `${way === 'undo' ? 'Took back' : 'Put back'} ${amount(changes, 'change', 'changes')} in ${apps}.`;
};

/** What came of taking back, in words: what was done, and for each app that kept its step why (workspace-wire 6.3). */
export const turnWords = (answer: UndoAnswer, way: 'undo' | 'redo'): string =>
  [
    ...(answer.done.length > 0 ? [took(answer, way)] : []),
    ...answer.conflicts.map(
      ({ app, message }) =>
        `${way === 'undo' ? 'Not taken back' : 'Not put back'}${app === '' ? '' : ` in ${app}`}: ${seen(message)}`,
    ),
  ].join(' ');

type Change = ActivityStep['changes'][number];

/** Changes of one thing in a row, under its path. */
const byPath = (changes: readonly Change[]): readonly (readonly [path: string, rows: readonly Change[]])[] => {
  const groups: [string, Change[]][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last && last[0] === change.path) last[1].push(change);
    else groups.push([change.path, [change]]);
  }
  return groups;
};

export const createStepItem = (first: ActivityStep, { turn, turned }: ActivityStepPorts): StepItem => {
  const content = h('div', { class: 'step-body' });
  const notice = h('p', { class: 'notice', role: 'status' });
  const element = h('li', { class: 'step' }, content, notice);
  let shown = '';
  let busy = false;

  const act = async (way: 'undo' | 'redo', request: UndoRequest): Promise<void> => {
    if (busy) return;
    busy = true;
    notice.textContent = '';
    const came = await turn(way, request);
    busy = false;
    notice.textContent = came.ok
      ? turnWords(came.value, way)
      : troubleWords(came.why, came.why === 'refused' ? came.message : '');
    turned();
  };

  const button = (label: string, key: string, press: () => Promise<void>): HTMLElement =>
    h('button', { type: 'button', class: 'small', 'data-key': key, on: { click: () => void press() } }, label);

  const changeRow = ({ sentence, undone }: Change, whole: boolean): HTMLElement =>
    h(
      'li',
      { class: undone ? 'change undone' : 'change' },
      saidLong(sentence),
      undone && !whole && ' ',
      undone && !whole && h('span', { class: 'chip' }, 'taken back'),
    );

  const headOf = ({ run, by, app, undone, time_ms }: ActivityStep): HTMLElement =>
    h(
      'div',
      {},
      h(
        'h3',
        { tabindex: '-1', 'data-home': true },
        said(brief(run ?? by)),
        undone && ' ',
        undone && h('span', { class: 'chip' }, 'taken back'),
      ),
      h(
        'p',
        { class: 'quiet' },
        ...(run === undefined ? [] : ['for ', said(by), ' · ']),
        `in ${app} · `,
        timeElement(time_ms),
      ),
    );

  const update = (step: ActivityStep, spread: boolean): void => {
    const next = JSON.stringify([step, spread]);
    if (next === shown) return;
    shown = next;
    const { run_id, undone, outside, changes } = step;
    const way = undone ? 'redo' : 'undo';
    const words = undone ? 'Put back' : 'Take back';
    element.classList.toggle('undone', undone);
    rebuild(
      content,
      headOf(step),
      ...byPath(changes).map(([path, rows]) =>
        h(
          'div',
          { class: 'wide' },
          h('p', { class: 'quiet' }, saidLong(path, 'mono')),
          h('ul', {}, ...rows.map((change) => changeRow(change, undone))),
        ),
      ),
      outside.length > 0 &&
        h(
          'p',
          { class: 'wide quiet' },
          'Reached outside, and stays: ',
          ...outside.flatMap((path, at) => [at > 0 ? ', ' : '', said(path, 'mono')]),
        ),
      h(
        'div',
        { class: 'row' },
        button(words, 'turn', () => act(way, { change: stepId(step) })),
        spread && run_id !== undefined && button(`${words} this run`, 'run', () => act(way, { run_id })),
      ),
    );
  };
  update(first, false);
  return { element, update };
};
