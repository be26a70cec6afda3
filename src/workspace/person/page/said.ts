import { type Child, h, rebuild } from './dom.ts';
import { pieces } from './seen.ts';

const briefLength = 100;

/** The text as nodes, stand-ins marked: an escape in the text itself looks plain, so neither passes for the other. */
const nodesOf = (text: string, oneLine: boolean): Child[] =>
  pieces(text, oneLine).map(({ text: part, hidden }) =>
    hidden ? h('span', { class: 'unseen', title: 'Not seen as it is in the text' }, part) : part,
  );

/** A few words that somebody else wrote, within a line of ours. */
export const said = (text: string, className = ''): HTMLElement =>
  h('bdi', { class: `said ${className}`.trim() }, ...nodesOf(text, true));

/** The beginning of words that are told in full elsewhere. */
export const brief = (text: string): string => {
  const characters = [...text];
  return characters.length > briefLength ? `${characters.slice(0, briefLength).join('')}…` : text;
};

/** Characters and lines that are shown before a text is folded. */
const foldAt = { characters: 600, lines: 12, oneLine: 200 } as const;

const beginning = (text: string, oneLine: boolean): string => {
  if (oneLine) return [...text].slice(0, foldAt.oneLine).join('');
  const lines = text.split('\n').slice(0, foldAt.lines).join('\n');
  return [...lines].slice(0, foldAt.characters).join('');
};

const count = new Intl.NumberFormat('en');
export const amount = (number: number, one: string, many: string): string =>
  `${count.format(number)} ${number === 1 ? one : many}`;

/** A text that may be long: its beginning, and the rest when it is asked for. */
const folded = (text: string, oneLine: boolean): Child[] => {
  const start = beginning(text, oneLine);
  if (start === text) return nodesOf(text, oneLine);
  const body = h('span', {}, ...nodesOf(start, oneLine), '…');
  const toggle = h('button', { type: 'button', class: 'link', 'aria-expanded': 'false', 'data-key': 'unfold' });
  const label = (open: boolean): string =>
    open ? 'Show less' : `Show all of it (${amount([...text].length, 'character', 'characters')})`;
  toggle.textContent = label(false);
  toggle.addEventListener('click', () => {
    const open = toggle.getAttribute('aria-expanded') !== 'true';
    toggle.setAttribute('aria-expanded', String(open));
    toggle.textContent = label(open);
    rebuild(body, ...(open ? nodesOf(text, oneLine) : [...nodesOf(start, oneLine), '…']));
  });
  return [body, ' ', toggle];
};

/** Somebody's words of any length, on a line of their own. */
export const saidLong = (text: string, className = ''): HTMLElement =>
  h('bdi', { class: `said ${className}`.trim() }, ...folded(text, true));

/** Somebody's words of any length, with their line breaks. */
export const saidBlock = (text: string, className = ''): HTMLElement =>
  h('div', { class: `said block ${className}`.trim(), dir: 'auto' }, ...folded(text, false));
