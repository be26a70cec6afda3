import type { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import { at, type Failure, say } from '../failure.ts';
import type { InvocationRow } from './rows.ts';

/** Why an invocation failed, in words: what its state says by itself, and what kept a call from being one. */

type Told = Pick<InvocationRow, 'path'>;

const resourcePath = ({ path }: Told): string => path.slice(0, path.lastIndexOf('#'));

const sentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`);

export const refusedBy = (name: string, reason: string | null): Failure => ({
  code: 'refused',
  message: reason === null ? say`${name} refused.` : say`${name} refused: ${sentence(reason)}`,
  next: [],
});

/** D-22: the person is not asked a third time within the hour. */
export const refusedTwice = (name: string): Failure => ({
  code: 'refused',
  message: say`${name} refused this twice within the last hour and is not asked again before the hour is over.`,
  next: [],
});

/** Nothing ran, so the same call may ask once more, as may one with a new id (D-50). */
export const askExpired = (row: Told): Failure => ({
  code: 'ask_expired',
  message: say`The ask was open for as long as asks are, and nothing ran.`,
  next: [say`tilo_do ${at(row.path)} asks again, under a new invocation_id or with this one and the same arguments`],
});

export const cancelledByCaller: Failure = {
  code: 'cancelled',
  message: say`The call was cancelled by the caller.`,
  next: [],
};

/** D-28: whether it happened is not known, so nothing is run again before somebody looked. */
export const interrupted = (row: Told): Failure => ({
  code: 'interrupted',
  message: say`The host stopped while this ran; it may or may not have happened.`,
  next: [say`tilo_read ${at(resourcePath(row))} shows what is there before you try again with a new invocation_id`],
});

const reach: Readonly<Record<ActionKind, string>> = {
  read: 'reads',
  undoable: 'changes what can be taken back',
  outside: 'reaches outside',
};
const bound: Readonly<Record<ActionKind, string>> = {
  read: 'actions that read',
  undoable: 'actions that can be taken back',
  outside: 'every action',
};

/** @param max what the token allows at most; null when it no longer stands */
export const notGranted = (row: Told, action: string, kind: ActionKind, max: ActionKind | null): Failure => ({
  code: 'not_granted',
  message:
    max === null
      ? say`The token of this call no longer opens this workspace.`
      : say`This token allows ${bound[max]} at most, and ${action} ${reach[kind]}.`,
  next: max === null ? [] : [say`tilo_ls ${at(resourcePath(row))} lists the actions and what each may reach`],
});

export const unknownInvocation = (id: string): Failure => ({
  code: 'unknown_invocation',
  message: say`No call of yours has the id ${id}.`,
  next: [],
});

/** The id is bound, and to something else than what was called. Its paths are as the caller's endpoint prints them: they may lie in two workspaces. */
export const mismatch = (
  id: string,
  of: Readonly<{
    /** The path that the id stands for; null where the caller's endpoint does not show it. */
    bound: string | null;
    /** What was called now; null where nothing is there. */
    called: string | null;
  }>,
): Failure => ({
  code: 'invocation_mismatch',
  message:
    of.bound !== null && of.bound === of.called
      ? say`Invocation ${id} already stands for other arguments.`
      : say`Invocation ${id} already stands for another call.`,
  next: [
    ...(of.bound === null ? [] : [say`tilo_status ${id} tells what became of ${of.bound}`]),
    ...(of.called === null ? [] : [say`tilo_do ${of.called} with a new invocation_id runs this one`]),
  ],
});
