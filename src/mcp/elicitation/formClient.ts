import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { FormClient } from './askUser.ts';

/**
 * The way to the user of one session, if its client declared that it shows forms; an empty declaration means forms.
 *
 * @param longest milliseconds that a form may stay open
 * @returns the way for one call; null where there is none
 */
export const formClients = (
  server: Server,
  longest: number,
): ((call: RequestId, protocolVersion: string) => FormClient | null) => {
  let pinged = false;
  return (call, protocolVersion) => {
    if (server.getClientCapabilities()?.elicitation?.form === undefined) return null;
    return {
      protocolVersion,
      show: (form, signal) => {
        // Clients of the SDK ignore the withdrawal of a request whose id is 0, the first one of a session. A ping takes it; its answer means nothing.
        if (!pinged) server.ping().catch(() => {});
        pinged = true;
        return server.elicitInput(form, { signal, timeout: longest, relatedRequestId: call });
      },
    };
  };
};
