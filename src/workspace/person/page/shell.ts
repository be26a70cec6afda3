import { h, rebuild, show } from './dom.ts';
import type { Liveness } from './live.ts';
import { said } from './said.ts';

/** The tabs of the page, by the end of their address. */
export const tabs = [
  { end: '', label: 'Asks' },
  { end: 'activity', label: 'Activity' },
  { end: 'here', label: 'Who is here' },
  { end: 'settings', label: 'Settings' },
] as const;
export type TabEnd = (typeof tabs)[number]['end'];

/** What is around every view. */
export interface Shell {
  readonly main: HTMLElement;
  named(label: string, person: string): void;
  current(end: TabEnd): void;
  waiting(count: number): void;
  became(liveness: Liveness): void;
}

const words: Readonly<Record<Liveness, readonly [short: string, long: string]>> = {
  live: ['Live', 'What happens is shown at once.'],
  polling: ['Every 5 s', 'The stream is closed: looked at every five seconds.'],
  unreachable: ['Not reachable', 'The host does not answer. Tried again every five seconds.'],
  'signed out': ['Signed out', 'You are no longer signed in.'],
};

/** @param path the address of a view by its end */
export const createShell = (root: HTMLElement, workspace: string, path: (end: string) => string): Shell => {
  const title = h('a', { href: path(''), class: 'workspace' }, said(workspace));
  const who = h('span', { class: 'quiet' });
  const state = h('span', { class: 'liveness', role: 'status' });
  const banner = h('p', { class: 'banner', role: 'alert', hidden: true });
  const badge = h('span', { class: 'badge', hidden: true });
  const links = tabs.map(({ end, label }) =>
    h('a', { href: path(end) }, label, end === '' && ' ', end === '' && badge),
  );
  const main = h('main', { id: 'main', tabindex: '-1' });
  root.replaceChildren(
    h(
      'header',
      {},
      h(
        'div',
        { class: 'top' },
        h('div', { class: 'grow' }, title),
        state,
        who,
        h('a', { href: '/', class: 'quiet' }, 'All workspaces'),
      ),
      h('nav', { 'aria-label': 'Views' }, ...links),
    ),
    banner,
    main,
  );
  return {
    main,
    named: (label, person) => {
      rebuild(title, said(label));
      who.replaceChildren(said(person));
    },
    current: (end) => {
      links.forEach((link, at) => {
        if (tabs[at]?.end === end) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      });
    },
    waiting: (count) => {
      badge.replaceChildren(String(count), h('span', { class: 'unseen-by-eyes' }, ' waiting'));
      show(badge, count > 0);
    },
    became: (liveness) => {
      const [short, long] = words[liveness];
      if (state.textContent !== short) state.textContent = short;
      state.title = long;
      state.className = `liveness ${liveness.replace(' ', '-')}`;
      banner.textContent =
        liveness === 'signed out'
          ? 'You are no longer signed in. Run telic workspace open on the machine that serves this page: it prints a new link.'
          : liveness === 'unreachable'
            ? long
            : '';
      show(banner, banner.textContent !== '');
    },
  };
};
