import { h } from './dom.ts';

/** Tells what happened to those who do not see it, and how many asks wait to those who look at another tab. */
export interface Announcer {
  readonly element: HTMLElement;
  announce(message: string): void;
  /** Puts the title of the page together: the number of asks that wait, then what is shown. */
  title(parts: readonly string[], waiting: number): void;
}

export const createAnnouncer = (): Announcer => {
  const element = h('div', { class: 'unseen-by-eyes', role: 'status', 'aria-live': 'polite' });
  return {
    element,
    announce: (message) => {
      // A line of its own each, so that the same words are told again.
      element.replaceChildren(h('p', {}, message));
    },
    title: (parts, waiting) => {
      document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${parts.join(' · ')}`;
    },
  };
};
