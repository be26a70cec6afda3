import { h } from './dom.ts';
import { absolute, ago, inFull, left } from './times.ts';

const ways = {
  /** `3 minutes ago · 14:05` */
  past: (time: number, now: number) => `${ago(time, now)} · ${absolute(time, now)}`,
  /** `for 23 hours, until tomorrow 10:03` */
  until: (time: number, now: number) => `for ${left(time, now)}, until ${absolute(time, now)}`,
} as const;

/** A time on the page, relative and absolute; `tick` keeps it right. */
export const timeElement = (time: number, way: keyof typeof ways = 'past'): HTMLTimeElement =>
  h(
    'time',
    { datetime: new Date(time).toISOString(), title: inFull(time), 'data-way': way },
    ways[way](time, Date.now()),
  );

/** Puts every time below an element right. */
export const tick = (root: ParentNode): void => {
  const now = Date.now();
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-way]')) {
    const way = element.dataset.way === 'until' ? ways.until : ways.past;
    const text = way(Date.parse(element.dateTime), now);
    if (element.textContent !== text) element.textContent = text;
  }
};
