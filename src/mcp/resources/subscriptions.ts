import { found } from '../../../schemas/found.ts';
import type { Controller } from '../../controller/api.ts';
import type { Move } from '../moves.ts';
import { wrongParams } from '../protocolError.ts';
import { readUri, runUri } from './uris.ts';

/** More runs than one session follows; without a bound a client could fill the memory. */
const mostSubscriptions = 256;

/** The runs that one session wants to hear of. */
export interface Subscriptions {
  /** @throws ProtocolError for anything but a run that there is, and what the controller throws */
  readonly add: (uri: string, controller: () => Promise<Controller>) => Promise<void>;
  readonly remove: (uri: string) => void;
  /** The URI under which the client wants to hear of this run, if it does. */
  readonly heard: (move: Move) => string | undefined;
}

export const createSubscriptions = (): Subscriptions => {
  const runs = new Map<string, string>();
  return {
    add: async (uri, controller) => {
      const named = readUri(uri);
      if (named?.kind !== 'run')
        throw wrongParams(`${found(uri)} cannot be subscribed to; only ${runUri('{runId}')} tells of its changes.`, {
          uri,
        });
      await (await controller()).run(named.runId, { limit: 1 });
      if (!runs.has(named.runId) && runs.size >= mostSubscriptions)
        throw wrongParams(`This session is subscribed to ${mostSubscriptions} runs; give one up first.`, { uri });
      runs.set(named.runId, uri);
    },
    remove: (uri) => {
      const named = readUri(uri);
      if (named?.kind === 'run') runs.delete(named.runId);
    },
    heard: ({ runId }) => runs.get(runId),
  };
};
