import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { z } from 'zod';
import type { Controller } from '../../controller/api.ts';
import { failureOf } from '../failures.ts';
import type { Moves } from '../moves.ts';
import { ProtocolError, paramsOf, protocolErrorOf } from '../protocolError.ts';
import type { Report } from '../report.ts';
import { createSubscriptions } from './subscriptions.ts';

const params = z.unknown().optional();
const List = z.object({ method: z.literal('resources/list'), params });
const Templates = z.object({ method: z.literal('resources/templates/list'), params });
const Read = z.object({ method: z.literal('resources/read'), params });
const Subscribe = z.object({ method: z.literal('resources/subscribe'), params });
const Unsubscribe = z.object({ method: z.literal('resources/unsubscribe'), params });
const Complete = z.object({ method: z.literal('completion/complete'), params });

const Page = z.looseObject({ cursor: z.string().nullish() });
const Uri = z.looseObject({ uri: z.string() });
const Asked = z.looseObject({
  ref: z.union([
    z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
    z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

export interface ResourcePorts {
  readonly controller: () => Promise<Controller>;
  readonly moves: Moves;
  readonly report: Report;
  readonly onError: (error: unknown) => void;
}

/**
 * Answers everything about resources, and completions, of one session (mcp-surface section 9). What the answers are made
 * of is loaded when the first one is asked for, so that `initialize` does not wait for it.
 *
 * @returns ends the session's subscriptions
 */
export const serveResources = (server: Server, { controller, moves, report, onError }: ResourcePorts): (() => void) => {
  const answered = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      onError(error);
      throw protocolErrorOf(failureOf(error, report));
    }
  };

  server.setRequestHandler(List, ({ params: sent }) =>
    answered(async () => {
      const { cursor } = paramsOf('resources/list', Page, sent);
      const { listResources } = await import('./list.ts');
      const page = await listResources(cursor ?? undefined, controller, (error) => {
        onError(error);
        report(`resources/list names no runs: ${failureOf(error, report).error}`);
      });
      return { ...page };
    }),
  );
  server.setRequestHandler(Templates, async () => {
    const { resourceTemplates } = await import('./templates.ts');
    return { resourceTemplates: resourceTemplates.map((template) => ({ ...template })) };
  });
  server.setRequestHandler(Read, ({ params: sent }) =>
    answered(async () => {
      const { uri } = paramsOf('resources/read', Uri, sent);
      const { readResource } = await import('./read.ts');
      return { contents: [{ uri, ...(await readResource(uri, controller)) }] };
    }),
  );
  server.setRequestHandler(Complete, ({ params: sent }) =>
    answered(async () => {
      const { ref, argument, context } = paramsOf('completion/complete', Asked, sent);
      const { complete } = await import('./complete.ts');
      return { completion: { ...(await complete({ ref, argument, known: context?.arguments ?? {} }, controller)) } };
    }),
  );

  const subscriptions = createSubscriptions();
  server.setRequestHandler(Subscribe, ({ params: sent }) =>
    answered(async () => {
      await subscriptions.add(paramsOf('resources/subscribe', Uri, sent).uri, controller);
      return {};
    }),
  );
  server.setRequestHandler(Unsubscribe, ({ params: sent }) =>
    answered(async () => {
      subscriptions.remove(paramsOf('resources/unsubscribe', Uri, sent).uri);
      return {};
    }),
  );
  return moves.listen((move) => {
    const uri = subscriptions.heard(move);
    if (uri === undefined) return;
    server.sendResourceUpdated({ uri }).catch((error: unknown) => {
      report(`a change of a run was not told: ${String(error)}`);
    });
  });
};
