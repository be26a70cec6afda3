import { close, current, kit, standalone } from '../kit.ts';

/**
 * The five ends. A compound state with final children keeps the machine alive, so that a later cancel or check is an
 * ordinary row.
 */
export const terminal = kit.createStateConfig({
  initial: 'cancelled',
  on: { 'user.cancel': [current, { actions: 'ended' }] }, // Z2
  states: {
    completed: { type: 'final', entry: close('completed') },
    partial: { type: 'final', entry: close('partial') },
    failed_verification: { type: 'final', entry: close('partial') },
    blocked: { type: 'final', entry: close('blocked') },
    cancelled: { type: 'final', entry: close('cancelled') },
  },
});

export const terminalMachine = standalone('terminal', terminal);
