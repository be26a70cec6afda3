/**
 * Keeps a decision from being made by a page that moved under the pointer: for a moment after something was put in or
 * taken away by itself, clicks of the pointer decide nothing. The keyboard does not aim, so it is not held back.
 */
export interface Steady {
  /** Something moved by itself. */
  moved(): void;
}

const settleMilliseconds = 500;

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
    moved: () => {
      until = performance.now() + settleMilliseconds;
    },
  };
};
