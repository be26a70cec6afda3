import { newInvocation } from './context.ts';
import {
  closeAsk,
  commit,
  deny,
  openAsk,
  runApp,
  startDeadline,
  storeEdits,
  storeFailure,
  storeInterruption,
  storeReason,
} from './effects.ts';
import { admit, kit, refuse, takesNothing, to, waitIn, where } from './kit.ts';

/**
 * The life of one workspace action: the table of workspace-wire 5.1, row for row. The ends lie in one state that keeps the
 * machine alive, so that what comes too late is refused by an ordinary row.
 */
export const invocationMachine = kit.createMachine({
  id: 'invocation',
  context: newInvocation,
  initial: 'checking',
  on: takesNothing('not_accepted'),
  states: {
    checking: {
      on: {
        ADMIT: [
          ...admit,
          where('not_granted', to('ended.failed', deny('not_granted'))),
          where('worn_down', to('ended.failed', deny('refused'))), // D-22
          where('needsPerson', waitIn('asking', openAsk(false), startDeadline)),
          to('running', runApp(false)),
        ],
      },
    },
    asking: {
      on: {
        ALLOW: [...admit, waitIn('allowed', closeAsk('allowed'), startDeadline, 'wakeWaiters')],
        ALLOW_EDITED: [
          ...admit,
          refuse('invalid_edits'),
          waitIn('allowed', storeEdits, closeAsk('allowed'), startDeadline, 'wakeWaiters'),
        ],
        REFUSE: [...admit, to('ended.refused', storeReason, closeAsk('refused'), 'wakeWaiters')],
        CANCEL: [...admit, to('ended.cancelled', closeAsk('cancelled'), 'wakeWaiters')],
        EXPIRE: [...admit, refuse('not_due'), to('expired', closeAsk('expired'), 'wakeWaiters')],
        CALL: [...admit, { actions: 'announceAsk' }], // Neither deadline nor version moves (4.3).
      },
    },
    allowed: {
      on: {
        CALL: [...admit, refuse('not_granted'), to('running', runApp(false))], // D-21; a no leaves the permission.
        REFUSE: [...admit, to('ended.refused', storeReason, 'wakeWaiters')], // Takes the permission back.
        CANCEL: [...admit, to('ended.cancelled', 'wakeWaiters')],
        EXPIRE: [...admit, refuse('not_due'), to('expired', 'wakeWaiters')],
      },
    },
    running: {
      on: {
        APP_OK: [...admit, to('ended.succeeded', commit, 'wakeWaiters')],
        APP_FAIL: [...admit, to('ended.failed', storeFailure, 'wakeWaiters')],
        CANCEL: [...admit, refuse('not_abortable'), to('cancelling', 'abortApp')],
        RESTARTED: [
          ...admit,
          where('repeatable', to('running', runApp(true))), // D-44 for what holds a secret.
          to('ended.failed', storeInterruption), // D-28
        ],
      },
    },
    cancelling: {
      on: {
        APP_ABORTED: [...admit, to('ended.cancelled', 'wakeWaiters')],
        APP_FAIL: [...admit, to('ended.cancelled', 'wakeWaiters')],
        APP_OK: [...admit, to('ended.succeeded', commit, 'wakeWaiters')], // Too late to stop.
        RESTARTED: [...admit, where('leavesNothing', to('ended.cancelled')), to('ended.failed', storeInterruption)],
      },
    },
    expired: {
      on: {
        // D-50: nothing ran, so the repeated call puts the ask again.
        CALL: [...admit, refuse('not_granted'), refuse('worn_down'), waitIn('asking', openAsk(true), startDeadline)],
      },
    },
    ended: {
      initial: 'failed',
      on: takesNothing('final'),
      states: {
        succeeded: { type: 'final' },
        failed: { type: 'final' },
        refused: { type: 'final' },
        cancelled: { type: 'final' },
      },
    },
  },
});
