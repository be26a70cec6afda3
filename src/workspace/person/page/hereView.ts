import type { Roster } from '../../../../schemas/wire/person.ts';
import { arrange, h, show } from './dom.ts';
import { brief, said } from './said.ts';
import type { View, ViewPorts } from './view.ts';

/** Who is in a workspace now. */
export const createHereView = ({ client, person }: ViewPorts): View => {
  const rows = new Map<string, HTMLElement>();
  const list = h('ul', { class: 'rows here' });
  const nobody = h('p', { class: 'empty', hidden: true }, 'Nobody is here at the moment.');
  const element = h(
    'div',
    {},
    h('h1', { class: 'unseen-by-eyes' }, 'Who is here'),
    nobody,
    list,
    h('p', { class: 'quiet' }, 'Agents are here from their first call until a while after their last.'),
  );

  const draw = (here: Roster['here']): void => {
    const elements = here.map(({ who, name, kind }) => {
      const words = JSON.stringify([name, kind]);
      const known = rows.get(who);
      if (known?.dataset.shown === words) return known;
      const you = kind === 'person' && name === person;
      const made = h(
        'li',
        { 'data-shown': words },
        h('span', { class: `mark ${kind}`, 'aria-hidden': 'true' }),
        said(brief(name), 'name'),
        h('span', { class: 'quiet' }, kind === 'agent' ? ' agent' : you ? ' you' : ' person'),
      );
      rows.set(who, made);
      return made;
    });
    arrange(list, elements);
    show(nobody, here.length === 0);
  };

  return {
    title: 'Who is here',
    element,
    load: async () => {
      const came = await client.roster();
      if (!came.ok) return came;
      draw(came.value.here);
      return null;
    },
    took: (event) => {
      if (event.type === 'roster') draw(event.here);
    },
  };
};
