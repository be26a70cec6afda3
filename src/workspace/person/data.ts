import { z } from 'zod';
import { sequenceOf } from '../../../schemas/wire/cursor.ts';
import {
  type Activity,
  type AskAnswer,
  type AskList,
  Decision,
  type InvalidEdits,
  PreallowRequest,
  type Roster,
  type Settings,
  type TokenList,
  type UndoAnswer,
  UndoRequest,
} from '../../../schemas/wire/person.ts';
import type { Host } from '../host.ts';
import type { Person } from './admit.ts';
import type { Refusal } from './send.ts';
import { setPreallow, settingsOf, tokensOf } from './settings.ts';

/** What the routes of the page are answered from. */
export type DataHost = Pick<Host, 'registry' | 'invocations' | 'history' | 'roster' | 'outsideActions'>;

/** One request for data, from a person who may. */
export interface Asked {
  readonly host: DataHost;
  readonly workspace: string;
  readonly person: Person;
  /** What stands for `:id` in the route. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** What was sent, not judged yet. */
  readonly sent: unknown;
}

type Body = Activity | AskAnswer | AskList | InvalidEdits | Roster | Settings | TokenList | UndoAnswer;

export type Answer = Readonly<{ status: number; body: Body }> | Readonly<{ refusal: Refusal }>;

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly name: string;
  answer(asked: Asked): Promise<Answer>;
}

const ok = (body: Body): Answer => ({ status: 200, body });
const refused = (status: number, code: string, message: string): Answer => ({ refusal: { status, code, message } });

const noAsk = refused(404, 'unknown_ask', 'There is no such ask in this workspace.');

/** Judges what was sent; the first thing that is wrong with it is told. */
const judged = async <T>(schema: z.ZodType<T>, sent: unknown, then: (value: T) => Promise<Answer>): Promise<Answer> => {
  const read = schema.safeParse(sent);
  return read.success ? then(read.data) : refused(400, 'malformed', z.prettifyError(read.error));
};

const asks = async ({ host, workspace }: Asked): Promise<Answer> =>
  ok({ asks: [...(await host.invocations.asks(workspace))] });

const ask = async ({ host, workspace, id }: Asked): Promise<Answer> => {
  const found = await host.invocations.ask(workspace, id);
  return found === null ? noAsk : ok({ ask: found });
};

const decide = ({ host, workspace, id, person, sent }: Asked): Promise<Answer> =>
  judged(Decision, sent, async (decision) => {
    const decided = await host.invocations.decide(workspace, id, decision, person);
    switch (decided.outcome) {
      case 'decided':
        return ok({ ask: decided.ask });
      case 'moved_on':
        return { status: 409, body: { ask: decided.ask } };
      case 'invalid':
        return { status: 422, body: { messages: { ...decided.messages } } };
      case 'unknown':
        return noAsk;
    }
  });

const activity = async ({ host, workspace, query }: Asked): Promise<Answer> => {
  const before = query.get('before');
  if (before === null) return ok(host.history.activity(workspace));
  return sequenceOf(before) === null
    ? refused(400, 'invalid_cursor', 'before is a cursor that an earlier page gave.')
    : ok(host.history.activity(workspace, before));
};

const turn =
  (way: 'undo' | 'redo') =>
  ({ host, workspace, person, sent }: Asked): Promise<Answer> =>
    judged(UndoRequest, sent, async (request) => ok(await host.history.byPerson(workspace, way, request, person.name)));

const preallow = ({ host, workspace, person, sent }: Asked): Promise<Answer> =>
  judged(PreallowRequest, sent, async (request) =>
    (await setPreallow(host, workspace, request, person.name))
      ? ok(await settingsOf(host, workspace, person.name))
      : refused(404, 'unknown_action', `Nothing of kind ${request.kind} has an action ${request.action} that asks.`),
  );

const revoke = async ({ host, workspace, id }: Asked): Promise<Answer> => {
  if (!tokensOf(host, workspace).some((token) => token.id === id))
    return refused(404, 'unknown_token', 'There is no such token for this workspace.');
  // Revoked already is as good: two tabs may both have asked.
  host.registry.revokeToken(id);
  return ok({ tokens: tokensOf(host, workspace) });
};

const endpoints: readonly Endpoint[] = [
  { method: 'GET', name: 'asks', answer: asks },
  { method: 'GET', name: 'asks/:id', answer: ask },
  { method: 'POST', name: 'asks/:id', answer: decide },
  { method: 'GET', name: 'activity', answer: activity },
  { method: 'GET', name: 'roster', answer: async (at) => ok({ here: [...at.host.roster.here(at.workspace)] }) },
  {
    method: 'GET',
    name: 'settings',
    answer: async ({ host, workspace, person }) => ok(await settingsOf(host, workspace, person.name)),
  },
  { method: 'GET', name: 'tokens', answer: async (at) => ok({ tokens: tokensOf(at.host, at.workspace) }) },
  { method: 'POST', name: 'tokens/:id/revoke', answer: revoke },
  { method: 'POST', name: 'undo', answer: turn('undo') },
  { method: 'POST', name: 'redo', answer: turn('redo') },
  { method: 'POST', name: 'preallow', answer: preallow },
];

/** The endpoints of one name, by method, and the id in it. */
export interface Found {
  readonly id: string;
  readonly methods: readonly string[];
  answer(method: string): Endpoint['answer'] | null;
}

/** Finds what answers at `asks/k41v…`; null when nothing does. */
export const endpointsAt = (name: string): Found | null => {
  const words = name.split('/');
  const matching = endpoints.filter((endpoint) => {
    const parts = endpoint.name.split('/');
    return parts.length === words.length && parts.every((part, at) => part === ':id' || part === words[at]);
  });
  if (matching.length === 0) return null;
  return {
    id: words[1] ?? '',
    methods: matching.map(({ method }) => method),
    answer: (method) => matching.find((endpoint) => endpoint.method === method)?.answer ?? null,
  };
};
