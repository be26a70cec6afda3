/**
 * Keeps a decision from being made by a page that moved under the pointer: for a moment after cards changed their size,
 * clicks of the pointer decide nothing, nor does the second click of two. The keyboard does not aim, so it is not held back.
 */
export interface Steady {
  /** Does what may change the size of some of these elements. */
  around(elements: readonly HTMLElement[], work: () => void): void;
}

const settleMilliseconds = 500;

const sizes = (elements: readonly HTMLElement[]): string => elements.map(({ offsetHeight }) => offsetHeight).join();

/** @param held told when a click was held back, and at what */
export const keepSteady = (root: HTMLElement, held: (target: Element) => void): Steady => {
  let until = 0;
  root.addEventListener(
    'click',
    (event) => {
      const target = event.target instanceof Element ? event.target.closest('[data-decides]') : null;
      if (target === null || event.detail === 0 || performance.now() >= until) return;
      event.preventDefault();
      event.stopPropagation();
      held(target);
    },
    { capture: true },
  );
  return {
    around: (elements, work) => {
      const before = sizes(elements);
      work();
      if (sizes(elements) !== before) until = performance.now() + settleMilliseconds;
    },
  };
};
