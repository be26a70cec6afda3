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

/** A span in its largest unit: `3 minutes`; null below a minute. */
const span = (milliseconds: number, round: (number: number) => number): string | null => {
  for (const [length, one, many] of units) {
    if (milliseconds < length) continue;
    const number = round(milliseconds / length);
    return `${number} ${number === 1 ? one : many}`;
  }
  return null;
};

/** `just now`, `3 minutes ago`. */
export const ago = (time: number, now: number): string => {
  const words = span(now - time, Math.floor);
  return words === null ? 'just now' : `${words} ago`;
};

/** `less than a minute`, `23 hours`. */
export const left = (time: number, now: number): string => span(time - now, Math.round) ?? 'less than a minute';

/** The day, and the time to the second. */
export const inFull = (time: number): string => full.format(time);
