/** What an element is made with: attributes by name, and what it listens to. False leaves an attribute out, true sets it bare. */
export interface Props {
  readonly class?: string;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
  readonly [attribute: string]: string | number | boolean | undefined | Props['on'];
}

export type Child = Node | string | null | false;

/** Makes an element. Texts become text nodes: whatever an agent wrote stays text. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { on = {}, ...attributes }: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value === true) element.setAttribute(name, '');
    else if (typeof value === 'string' || typeof value === 'number') element.setAttribute(name, String(value));
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  element.append(...given(children));
  return element;
};

const given = (children: readonly Child[]): (Node | string)[] =>
  children.filter((child): child is Node | string => child !== null && child !== false && child !== '');

/** What has the keyboard and lies in an element. */
const focusedIn = (element: Element): HTMLElement | null => {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && element.contains(activeElement) ? activeElement : null;
};

/**
 * Puts new children in place of the old. The keyboard stays where it was: at what has the same `data-key`, else at what
 * is marked `data-home`, which is in every element that is rebuilt.
 */
export const rebuild = (element: Element, ...children: readonly Child[]): void => {
  const focused = focusedIn(element);
  element.replaceChildren(...given(children));
  if (focused === null) return;
  const key = focused.dataset.key;
  const all = [...element.querySelectorAll<HTMLElement>('[data-key], [data-home]')];
  const next = all.find(({ dataset }) => key !== undefined && dataset.key === key);
  (next ?? all.find(({ dataset }) => dataset.home !== undefined))?.focus({ preventScroll: true });
};

/** Puts elements in this order with as few moves as can be: what stands right is left alone, so that it keeps the keyboard. */
export const arrange = (parent: Element, elements: readonly Element[]): void => {
  const wanted = new Set(elements);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, at) => {
    if (parent.children[at] !== element) parent.insertBefore(element, parent.children[at] ?? null);
  });
};

/** Shows or hides. */
export const show = (element: HTMLElement, shown: boolean): void => {
  element.hidden = !shown;
};
