import './jitless.ts';

import type { Ask } from '../../../../schemas/wire/person.ts';
import { createActivityView } from './activityView.ts';
import { createAnnouncer } from './announcer.ts';
import { createAskBook } from './askBook.ts';
import { createAsksView } from './asksView.ts';
import { createAskView } from './askView.ts';
import { createHereView } from './hereView.ts';
import { createHostClient } from './hostClient.ts';
import { stayLive } from './live.ts';
import { seen } from './seen.ts';
import { createSettingsView } from './settingsView.ts';
import { createShell, type TabEnd } from './shell.ts';
import { keepSteady } from './steady.ts';
import { tick } from './timeElement.ts';
import type { View, ViewPorts } from './view.ts';
import { announcement } from './words.ts';

/** How often times in words are put right, in milliseconds. */
const tickEvery = 15_000;

/** What an address shows. */
type Place = Readonly<{ tab: TabEnd; ask?: string }>;

const placeOf = (pathname: string): Place => {
  const [, , , first = '', ask = ''] = pathname.split('/');
  if (first === 'activity' || first === 'here' || first === 'settings') return { tab: first };
  return first === 'asks' && ask !== '' ? { tab: '', ask } : { tab: '' };
};

/** The page of one workspace: its frame, and the view that the address names. */
const start = async (root: HTMLElement): Promise<void> => {
  const workspace = location.pathname.split('/')[2] ?? '';
  const path = (rest: string): string => `/w/${workspace}/${rest}`;
  const client = createHostClient(workspace);
  const book = createAskBook();
  const announcer = createAnnouncer();
  const shell = createShell(root, workspace, path);
  document.body.append(announcer.element);
  const steady = keepSteady(shell.main, (target) => {
    const notice = target.closest('.card')?.querySelector('.notice');
    if (notice) notice.textContent = 'The page moved just then, so nothing was decided. Look again, then decide.';
  });
  let label = workspace;
  let view: View | null = null;

  const asksMoved = (): void => {
    view?.asks?.();
    const waiting = book.waiting().length;
    shell.waiting(waiting);
    announcer.title([view?.title ?? 'Asks', seen(label), 'Telic'], waiting);
  };

  const put = (asks: readonly Ask[], tell: boolean): void => {
    const news = asks.map((ask) => ({ ask, news: book.put(ask) }));
    asksMoved();
    const told = news
      .filter(({ ask, news: what }) => ask.state === 'asking' && (what === 'new' || what === 'announced'))
      .map(({ ask, news: what }) => announcement(ask, what === 'announced'));
    if (tell && told.length > 0) announcer.announce(told.join(' '));
  };

  const [settings, asks] = await Promise.all([client.settings(), client.asks()]);
  const person = settings.ok ? settings.value.person : '';
  if (settings.ok) label = settings.value.label;
  if (asks.ok) put(asks.value.asks, false);
  shell.named(label, person);

  const ports: ViewPorts = { workspace, person, client, book, announcer, steady, path, asksMoved };
  const made = new Map<string, View>();
  const make = ({ tab, ask }: Place): View => {
    if (tab === 'activity') return createActivityView(ports);
    if (tab === 'here') return createHereView(ports);
    if (tab === 'settings') return createSettingsView(ports);
    return ask === undefined ? createAsksView(ports) : createAskView(ports, ask);
  };

  let shown = '';
  const enter = (pathname: string): void => {
    const place = placeOf(pathname);
    const next = made.get(pathname) ?? make(place);
    made.set(pathname, next);
    const isFirst = view === null;
    shown = pathname;
    view = next;
    next.entered?.();
    shell.main.replaceChildren(next.element);
    shell.current(place.tab);
    asksMoved();
    tick(next.element);
    void next.load();
    // Whoever came by a link inside a view goes on reading at the beginning of this one.
    if (!isFirst && document.activeElement === document.body) shell.main.focus({ preventScroll: true });
  };

  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !plain || event.defaultPrevented || link.hash !== '') return;
    if (link.origin !== location.origin || !link.pathname.startsWith(path(''))) return;
    event.preventDefault();
    if (link.pathname !== location.pathname) history.pushState(null, '', link.pathname);
    enter(link.pathname);
    scrollTo(0, 0);
  });
  addEventListener('popstate', () => {
    // A jump within the page is no other view.
    if (location.pathname !== shown) enter(location.pathname);
  });
  setInterval(() => tick(document), tickEvery);

  enter(location.pathname);
  stayLive({
    workspace,
    refresh: async () => {
      const [found, shown] = await Promise.all([client.asks(), view?.load() ?? null]);
      const trouble = found.ok ? shown : found;
      if (found.ok) put(found.value.asks, true);
      if (trouble === null || trouble.why === 'refused') return 'ok';
      return trouble.why;
    },
    took: (event) => {
      if (event.type === 'ask') put([event.ask], true);
      view?.took?.(event);
    },
    became: shell.became,
  });
};

const root = document.getElementById('app');
if (root !== null) void start(root);
