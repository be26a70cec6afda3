import type { ActionRow, ParamRow } from '../../../schemas/wire/answers.ts';
import type { App } from '../apps/app.ts';
import type { Offered } from './world.ts';

const steps = (order: string): ParamRow => ({
  name: 'steps',
  ty: 'integer',
  required: false,
  description: `How many of your own steps, ${order} first; 1 when absent`,
});

const undoRow: ActionRow = {
  id: 'undo',
  label: 'Undo',
  params: [
    steps('newest'),
    {
      name: 'change',
      ty: 'text',
      required: false,
      description: 'Take back the step holding this change instead',
    },
  ],
  kind: 'undoable',
};

const redoRow: ActionRow = {
  id: 'redo',
  label: 'Redo',
  params: [steps('last taken back')],
  kind: 'undoable',
};

const hostActions: readonly Offered[] = [
  { by: 'host', way: 'undo', row: undoRow, kind: 'undoable' },
  { by: 'host', way: 'redo', row: redoRow, kind: 'undoable' },
];

/** What the host adds to every resource of an app that keeps history: `undo`, and `redo` while it can put back (workspace-wire 4.1). */
export const hostActionsOf = (app: Pick<App, 'history'>, canRedo: () => boolean): readonly Offered[] =>
  app.history ? hostActions.filter((offered) => offered.row.id === 'undo' || canRedo()) : [];
