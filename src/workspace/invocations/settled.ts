import { wireStatus } from '../../../machines/invocation/index.ts';
import type { InvocationRow } from './rows.ts';

/** Whether there is nothing to wait for: it ended, or its ask expired, which only a new call opens again. */
export const isSettled = ({ state }: Pick<InvocationRow, 'state'>): boolean => wireStatus(state).status !== 'pending';
