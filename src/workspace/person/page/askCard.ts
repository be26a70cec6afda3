import type { Ask, Decision } from '../../../../schemas/wire/person.ts';
import { argList } from './argList.ts';
import { type AskForm, createAskForm } from './askForm.ts';
import { type Child, h, rebuild } from './dom.ts';
import type { DecisionCame } from './hostClient.ts';
import { brief, said, saidLong } from './said.ts';
import { seen } from './seen.ts';
import { timeElement } from './timeElement.ts';
import { outcomeOf, reachOf, stateOf, tooLate, troubleWords } from './words.ts';

export interface AskCardPorts {
  /** Where the ask has a page of its own; null where this is it. */
  readonly link: string | null;
  decide(id: string, decision: Decision): Promise<DecisionCame>;
  /** Takes the ask as it stands after a decision. */
  put(ask: Ask): void;
}

/** One ask, to be read and decided. */
export interface AskCard {
  readonly element: HTMLElement;
  /** Shows the ask as it stands now; what the person wrote in an ask that still waits stays. */
  update(ask: Ask): void;
  focus(): void;
}

const reasonLength = 500;

const isOpen = ({ state }: Ask): boolean => state === 'asking';

/** What an ask is about, above its arguments. */
const factsOf = (ask: Ask): HTMLElement[] => {
  const { kind, destroys } = ask.action;
  const again = ask.announced > 1 ? h('span', { class: 'chip' }, 'asked again') : null;
  return [
    h(
      'p',
      { class: 'who' },
      saidLong(ask.by, 'name'),
      isOpen(ask) ? ' asks' : ' asked',
      ask.run === undefined ? '' : ' in ',
      ask.run === undefined ? null : saidLong(ask.run, 'run'),
      ', ',
      timeElement(ask.created_ms),
      again && ' ',
      again,
    ),
    h('p', { class: 'path' }, saidLong(ask.path, 'mono')),
    h('p', { class: isOpen(ask) && (destroys || kind === 'outside') ? 'warning' : 'quiet' }, reachOf(ask.action)),
  ];
};

/** Shows an ask in full (workspace-wire section 9): who, what, where, how far it reaches, each argument, how long; and takes the decision. */
export const createAskCard = (first: Ask, { link, decide, put }: AskCardPorts): AskCard => {
  let ask = first;
  let form: AskForm | null = null;
  let busy = false;

  const title = h('h2', { id: `ask-${ask.id}`, tabindex: '-1' });
  const facts = h('div', { class: 'facts' });
  const body = h('div');
  const notice = h('p', { class: 'notice', role: 'status' });
  const element = h(
    'article',
    { class: 'card ask', 'aria-labelledby': title.id, 'data-ask': ask.id },
    title,
    facts,
    body,
    notice,
  );

  const tell = (message: string): void => {
    notice.textContent = message;
  };

  const buttonsOf = (): HTMLButtonElement[] => [...element.querySelectorAll<HTMLButtonElement>('button[data-decides]')];

  /** The buttons stay where they are and keep the keyboard while a decision is under way. */
  const work = (working: boolean): void => {
    busy = working;
    for (const button of buttonsOf()) button.setAttribute('aria-busy', String(working));
  };

  const send = async (decision: Decision): Promise<void> => {
    if (busy) return;
    work(true);
    tell('');
    const came = await decide(ask.id, decision);
    if (!came.ok) tell(troubleWords(came.why, came.why === 'refused' ? came.message : ''));
    else if (came.outcome === 'invalid') {
      const others = form?.complain(came.messages) ?? Object.values(came.messages);
      tell(['The changes do not fit yet.', ...others.map(seen)].join(' '));
    } else {
      put(came.ask);
      if (came.outcome === 'moved on') tell(tooLate(came.ask));
      if (!isOpen(came.ask)) title.focus({ preventScroll: true });
    }
    work(false);
  };

  const decisionArea = (): HTMLElement => {
    const made = createAskForm(ask, () => weigh());
    form = made;
    const always = h('input', { type: 'checkbox' });
    const reason = h('input', {
      type: 'text',
      id: `ask-${ask.id}-reason`,
      maxlength: reasonLength,
      autocomplete: 'off',
    });
    const decision = (rest: Omit<Decision, 'version'>): Decision => ({
      version: ask.version,
      ...rest,
      ...(always.checked && rest.decision !== 'refuse' && { always: true }),
    });
    const allow = h('button', { type: 'button', class: 'primary', 'data-decides': true });
    const edit = h('button', { type: 'button', 'data-decides': true }, 'Edit, then allow');
    const refuse = h('button', { type: 'button', 'data-decides': true }, 'Refuse');
    allow.addEventListener('click', () => void send(decision({ decision: 'allow' })));
    edit.addEventListener('click', () => {
      const read = made.args();
      if (read.ok) void send(decision({ decision: 'allow_edited', args: { ...read.args } }));
      else tell('The changes do not fit yet.');
    });
    refuse.addEventListener('click', () => {
      const words = reason.value.trim();
      void send(decision({ decision: 'refuse', ...(words !== '' && { reason: words }) }));
    });
    /** Once something differs, allowing says which of the two it allows. */
    const weigh = (): void => {
      const differs = made.differs();
      edit.disabled = !differs;
      edit.classList.toggle('primary', differs);
      allow.classList.toggle('primary', !differs);
      allow.textContent = differs ? 'Allow as asked' : 'Allow';
    };
    weigh();
    const open: Child =
      ask.deadline_ms === undefined
        ? null
        : h('p', { class: 'quiet' }, 'Stays open ', timeElement(ask.deadline_ms, 'until'), '.');
    return h(
      'div',
      {},
      made.element,
      h(
        'div',
        { class: 'decide' },
        h('div', { class: 'row' }, allow, made.editable ? edit : null),
        ask.can_always &&
          h('label', { class: 'tick' }, always, h('span', {}, 'Always allow this action here, without asking')),
        h(
          'div',
          { class: 'row refuse' },
          h(
            'label',
            { class: 'grow', for: reason.id },
            h('span', { class: 'quiet' }, 'Reason, if you refuse (optional)'),
            reason,
          ),
          refuse,
        ),
        open,
      ),
    );
  };

  const outcomeArea = (): HTMLElement => {
    form = null;
    const back = h('button', { type: 'button', 'data-decides': true }, 'Take the permission back');
    back.addEventListener('click', () => void send({ decision: 'refuse', version: ask.version }));
    const unused = ask.state === 'allowed';
    return h(
      'div',
      {},
      argList(ask),
      h(
        'div',
        { class: `outcome ${ask.state}` },
        h(
          'p',
          {},
          outcomeOf(ask),
          ask.decided_ms === undefined ? null : h('span', { class: 'quiet' }, ' ', timeElement(ask.decided_ms)),
        ),
        ask.reason === undefined ? null : h('p', {}, h('span', { class: 'quiet' }, 'Reason: '), saidLong(ask.reason)),
        unused && ask.deadline_ms !== undefined
          ? h('p', { class: 'quiet' }, 'The permission stays ', timeElement(ask.deadline_ms, 'until'), '.')
          : null,
        unused && back,
      ),
    );
  };

  const head = (): void => {
    const words = [said(brief(ask.action.label)), h('span', { class: 'quiet' }, ' on '), said(brief(ask.resource))];
    const chip = isOpen(ask) ? [] : [' ', h('span', { class: `chip ${ask.state}` }, stateOf(ask))];
    rebuild(title, ...(link === null ? words : [h('a', { href: link, 'data-key': 'link' }, ...words)]), ...chip);
    rebuild(facts, ...factsOf(ask));
  };

  const fill = (): void => {
    const focused = element.contains(document.activeElement) && document.activeElement !== title;
    body.replaceChildren(isOpen(ask) ? decisionArea() : outcomeArea());
    element.classList.toggle('decided', !isOpen(ask));
    if (focused && !element.contains(document.activeElement)) title.focus({ preventScroll: true });
  };

  head();
  fill();
  return {
    element,
    focus: () => title.focus(),
    update: (next) => {
      const before = ask;
      ask = next;
      head();
      // What waited and still waits keeps its form, with whatever the person wrote in it.
      if (isOpen(before) && isOpen(next)) return;
      if (before.state === next.state && before.version === next.version) return;
      fill();
      if (isOpen(before) && !busy) tell(tooLate(next));
    },
  };
};
