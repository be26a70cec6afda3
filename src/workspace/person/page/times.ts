import { h } from './dom.ts';

/** Times in words. Everything takes `now`, in milliseconds since 1970, so that it can be tried. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayAndClock = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' });
const dayOnly = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

const daysBetween = (from: number, to: number): number => {
  const start = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((start(to) - start(from)) / day);
};

/** `14:05`, `yesterday 14:05`, `12 May, 14:05`. */
export const absolute = (time: number, now: number): string => {
  const days = daysBetween(time, now);
  if (days === 0) return clock.format(time);
  if (days === 1) return `yesterday ${clock.format(time)}`;
  if (days === -1) return `tomorrow ${clock.format(time)}`;
  return dayAndClock.format(time);
};

/** The day of a time, as a heading. */
export const dayName = (time: number, now: number): string => {
  const days = daysBetween(time, now);
  return days === 0 ? 'Today' : days === 1 ? 'Yesterday' : dayOnly.format(time);
};

const units = [
  [day, 'day', 'days'],
  [hour, 'hour', 'hours'],
  [minute, 'minute', 'minutes'],
] as const;

/** A span in its largest unit, rounded down: `3 minutes`; null below a minute. */
const span = (milliseconds: number): string | null => {
  for (const [length, one, many] of units) {
    const number = Math.floor(milliseconds / length);
    if (number >= 1) return `${number} ${number === 1 ? one : many}`;
  }
  return null;
};

/** `just now`, `3 minutes ago`. */
export const ago = (time: number, now: number): string => {
  const words = span(now - time);
  return words === null ? 'just now' : `${words} ago`;
};

/** `less than a minute`, `23 hours`. */
export const left = (time: number, now: number): string => span(time - now) ?? 'less than a minute';

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
    { datetime: new Date(time).toISOString(), title: full.format(time), 'data-way': way },
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
