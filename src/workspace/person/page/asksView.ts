import type { Ask } from '../../../../schemas/wire/person.ts';
import { type AskCard, createAskCard } from './askCard.ts';
import { arrange, h, show } from './dom.ts';
import { brief, said } from './said.ts';
import { timeElement } from './timeElement.ts';
import type { View, ViewPorts } from './view.ts';
import { stateOf } from './words.ts';

const rowKey = ({ version, state, announced }: Ask): string => `${version} ${state} ${announced}`;

/** One line for an ask that is decided; its own page has the rest. */
const askRow = (ask: Ask, link: string): HTMLElement =>
  h(
    'li',
    { 'data-ask': ask.id, 'data-shown': rowKey(ask) },
    h(
      'a',
      { href: link },
      h('span', { class: 'what' }, said(brief(ask.action.label)), ' on ', said(brief(ask.resource))),
      ' ',
      h('span', { class: `chip ${ask.state}` }, stateOf(ask)),
      h(
        'span',
        { class: 'quiet line' },
        said(brief(ask.by)),
        ask.decided_by === undefined ? '' : ' · decided by ',
        ask.decided_by === undefined ? null : said(ask.decided_by),
        ' · ',
        timeElement(ask.decided_ms ?? ask.created_ms),
      ),
    ),
  );

/** The asks of a workspace: those that wait in full, the others a line each. */
export const createAsksView = (ports: ViewPorts): View => {
  const { client, book, path, asksMoved, steady } = ports;
  const cards = new Map<string, AskCard>();
  const rows = new Map<string, HTMLElement>();

  const waiting = h('div', { class: 'cards' });
  const nothing = h(
    'p',
    { class: 'empty' },
    'Nothing waits for you. What agents want to do outside this workspace is put to you here first.',
  );
  const unused = h('ul', { class: 'rows' });
  const past = h('ul', { class: 'rows' });
  const unusedPart = h('section', {}, h('h2', {}, 'Allowed, not used yet'), unused);
  const pastPart = h('section', {}, h('h2', {}, 'Decided lately'), past);
  const element = h(
    'div',
    {},
    h('h1', { class: 'unseen-by-eyes' }, 'Asks'),
    h('section', { 'aria-label': 'Waiting for you' }, nothing, waiting),
    unusedPart,
    pastPart,
  );

  const linkOf = (ask: Ask): string => path(`asks/${ask.id}`);

  const cardOf = (ask: Ask): AskCard => {
    const made = createAskCard(ask, {
      link: linkOf(ask),
      decide: client.decide,
      put: (next) => {
        book.put(next);
        asksMoved();
      },
    });
    cards.set(ask.id, made);
    return made;
  };

  const rowOf = (ask: Ask): HTMLElement => {
    const known = rows.get(ask.id);
    if (known?.dataset.shown === rowKey(ask)) return known;
    const made = askRow(ask, linkOf(ask));
    if (known?.contains(document.activeElement)) queueMicrotask(() => made.querySelector('a')?.focus());
    rows.set(ask.id, made);
    return made;
  };

  const list = (parent: HTMLElement, part: HTMLElement, asks: readonly Ask[]): void => {
    // What was decided while it was looked at stays where it is, as a card.
    const listed = asks.filter(({ id }) => !cards.has(id));
    arrange(parent, listed.map(rowOf));
    show(part, listed.length > 0);
  };

  const asks = (): void => {
    const shown = [...cards.values()];
    steady.around(
      shown.map((card) => card.element),
      () => {
        for (const [id, card] of cards) {
          const ask = book.get(id);
          if (ask) card.update(ask);
        }
      },
    );
    for (const ask of book.waiting()) if (!cards.has(ask.id)) waiting.append(cardOf(ask).element);
    show(nothing, cards.size === 0);
    list(unused, unusedPart, book.unused());
    list(past, pastPart, book.past());
  };

  return {
    title: 'Asks',
    element,
    entered: () => {
      for (const [id, card] of cards)
        if (book.get(id)?.state !== 'asking') {
          card.element.remove();
          cards.delete(id);
        }
    },
    asks,
    load: async () => {
      asks();
      return null;
    },
  };
};
