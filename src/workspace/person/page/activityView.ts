import type { ActivityStep } from '../../../../schemas/wire/person.ts';
import { createStepItem, type StepItem, stepId } from './activityStep.ts';
import { arrange, h, show } from './dom.ts';
import { dayName } from './times.ts';
import type { Loaded, View, ViewPorts } from './view.ts';

/** How long changes are gathered before the activity is loaded anew, in milliseconds. */
const gather = 250;

/** What was done in a workspace, newest first, and the way to take it back. */
export const createActivityView = ({ client }: ViewPorts): View => {
  let steps: readonly ActivityStep[] = [];
  let before: string | undefined;
  let timer: number | null = null;
  const items = new Map<string, StepItem>();
  const days = new Map<string, HTMLElement>();

  const list = h('ol', { class: 'steps' });
  const nothing = h('p', { class: 'empty', hidden: true }, 'Nothing has been done here yet.');
  const older = h('button', { type: 'button', hidden: true }, 'Show older');
  const element = h('div', {}, h('h1', { class: 'unseen-by-eyes' }, 'Activity'), nothing, list, older);

  const itemOf = (step: ActivityStep): StepItem => {
    const id = stepId(step);
    const known = items.get(id);
    if (known) return known;
    const made = createStepItem(step, { turn: client.turn, turned: () => void load() });
    items.set(id, made);
    return made;
  };

  const dayOf = (name: string): HTMLElement => {
    const known = days.get(name);
    if (known) return known;
    const made = h('li', { class: 'day' }, h('h2', {}, name));
    days.set(name, made);
    return made;
  };

  const draw = (): void => {
    const now = Date.now();
    const rows: HTMLElement[] = [];
    for (const step of steps) {
      const day = dayOf(dayName(step.time_ms, now));
      if (!rows.includes(day)) rows.push(day);
      const item = itemOf(step);
      const others = steps.filter(({ run_id }) => run_id !== undefined && run_id === step.run_id);
      item.update(step, step.run !== undefined && others.length > 1);
      rows.push(item.element);
    }
    arrange(list, rows);
    show(nothing, steps.length === 0);
    show(older, before !== undefined);
  };

  /** Loads the newest steps; older ones that are shown stay below them. */
  const load = async (): Promise<Loaded> => {
    const came = await client.activity();
    if (!came.ok) return came;
    const newest = came.value.steps;
    const ids = new Set(newest.map(stepId));
    const kept = steps.filter((step) => !ids.has(stepId(step)) && step.time_ms <= (newest.at(-1)?.time_ms ?? 0));
    if (kept.length === 0) before = came.value.before;
    steps = [...newest, ...kept];
    draw();
    return null;
  };

  older.addEventListener('click', () => {
    void (async () => {
      const came = await client.activity(before);
      if (!came.ok) return;
      const ids = new Set(steps.map(stepId));
      steps = [...steps, ...came.value.steps.filter((step) => !ids.has(stepId(step)))];
      before = came.value.before;
      draw();
    })();
  });

  return {
    title: 'Activity',
    element,
    load,
    took: ({ type }) => {
      if (type !== 'change' || timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        void load();
      }, gather);
    },
  };
};
