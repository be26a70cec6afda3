import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Children, createChildren } from './children.ts';
import { killUndoable } from './undoable.ts';

let children: Children;
beforeAll(() => {
  children = createChildren('kill-undoable');
});
afterAll(() => children.remove());

describe('a host that was killed by SIGKILL', () => {
  it.each([
    { scene: 'append', back: 'notes#undo' },
    { scene: 'transfer', back: 'bank#undo' },
    { scene: 'undo', back: 'notes#redo' },
  ])(
    'W-32 at any statement of an undoable run ($scene) has applied it once or not at all, and once when it is called again',
    (undoable) => killUndoable(children, undoable),
  );
});
