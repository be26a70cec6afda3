import { type AskCard, createAskCard } from './askCard.ts';
import { h } from './dom.ts';
import { brief } from './said.ts';
import { seen } from './seen.ts';
import type { View, ViewPorts } from './view.ts';

/** One ask on a page of its own: where the link of a call that waits leads. */
export const createAskView = ({ client, book, path, asksMoved, steady }: ViewPorts, id: string): View => {
  const place = h('div', { class: 'cards' });
  const element = h(
    'div',
    {},
    h('p', {}, h('a', { href: path(''), class: 'back' }, 'All asks')),
    h('h1', { class: 'unseen-by-eyes' }, 'One ask'),
    place,
  );
  let card: AskCard | null = null;

  const asks = (): void => {
    const ask = book.get(id);
    if (ask === null) return;
    const shown = card;
    if (shown !== null) {
      steady.around([shown.element], () => shown.update(ask));
      return;
    }
    card = createAskCard(ask, {
      link: null,
      decide: client.decide,
      put: (next) => {
        book.put(next);
        asksMoved();
      },
    });
    place.replaceChildren(card.element);
  };

  return {
    get title() {
      const ask = book.get(id);
      return ask === null ? 'Ask' : `${seen(brief(ask.action.label))} on ${seen(brief(ask.resource))}`;
    },
    element,
    asks,
    load: async () => {
      asks();
      const came = await client.ask(id);
      if (came.ok) {
        book.put(came.value.ask);
        asksMoved();
        return null;
      }
      if (came.why !== 'refused') return came;
      if (card === null)
        place.replaceChildren(h('p', { class: 'empty' }, 'There is no such ask, or it is no longer kept.'));
      return null;
    },
  };
};
