import type { Ask } from '../../../../schemas/wire/person.ts';
import { seen } from './seen.ts';

/** What the page says about an ask. Names that others gave go through `seen`. */

type Action = Pick<Ask['action'], 'kind' | 'destroys'>;

/** What an action reaches, in words. */
export const reachOf = ({ kind, destroys }: Action): string => {
  if (destroys) return 'Takes something away. Make sure that it names what you mean.';
  if (kind === 'outside') return 'Reaches outside this workspace. What it does there cannot be taken back.';
  return kind === 'undoable' ? 'Changes this workspace. You can take it back.' : 'Reads and changes nothing.';
};

/** The state of an ask as a few words. */
export const stateOf = ({ state }: Pick<Ask, 'state'>): string =>
  ({
    asking: 'waiting for you',
    allowed: 'allowed, not used yet',
    running: 'running',
    cancelling: 'being stopped',
    succeeded: 'done',
    failed: 'failed',
    refused: 'refused',
    cancelled: 'withdrawn',
    expired: 'ran out of time',
  })[state];

/** What became of an ask, in sentences. */
export const outcomeOf = (ask: Ask): string => {
  const who = seen(ask.decided_by ?? 'Somebody');
  const allowed = `${who} ${ask.edited === undefined ? 'allowed' : 'changed and allowed'} it.`;
  switch (ask.state) {
    case 'asking':
      return 'It waits for you.';
    case 'allowed':
      return `${allowed} It runs when ${seen(ask.by)} calls again.`;
    case 'running':
      return `${allowed} It runs now.`;
    case 'cancelling':
      return `${allowed} It is being stopped.`;
    case 'succeeded':
      return `${allowed} It is done.`;
    case 'failed':
      return `${allowed} It failed; ${seen(ask.by)} was told why.`;
    case 'refused':
      return `${who} refused it.`;
    case 'cancelled':
      return `${seen(ask.by)} withdrew it.`;
    case 'expired':
      return ask.decided_by === undefined
        ? 'Nobody decided in time. Nothing ran. It is put to you again when it is called again.'
        : `${allowed} It was not called again in time, so nothing ran.`;
  }
};

/** Why a decision came too late, by what the ask had become. */
export const tooLate = (ask: Ask): string => {
  switch (ask.state) {
    case 'asking':
      return 'It was put to you anew meanwhile. Look at it again, then decide.';
    case 'cancelled':
      return `${seen(ask.by)} withdrew it before you decided.`;
    case 'expired':
      return 'Its time ran out before you decided.';
    default:
      return `Another window decided first: ${outcomeOf(ask)}`;
  }
};

/** What is announced when an ask comes, or comes again. */
export const announcement = (ask: Ask, again: boolean): string =>
  `${again ? 'Asked again' : 'New ask'}: ${seen(ask.by)} asks for ${seen(ask.action.label)} on ${seen(ask.resource)}.`;

/** What is told when the host could not be asked. */
export const troubleWords = (why: 'signed out' | 'unreachable' | 'refused', message = ''): string =>
  why === 'refused'
    ? message
    : why === 'unreachable'
      ? 'The host cannot be reached. Nothing was changed as far as this page knows; try again.'
      : 'You are no longer signed in. Run telic workspace open for a new link.';
