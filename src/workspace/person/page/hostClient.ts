import type { z } from 'zod';
import {
  Activity,
  type Ask,
  AskAnswer,
  AskList,
  type Decision,
  InvalidEdits,
  PersonRefusal,
  type PreallowRequest,
  Roster,
  Settings,
  TokenList,
  UndoAnswer,
  type UndoRequest,
} from '../../../../schemas/wire/person.ts';

/** Why the host did not do what it was asked. */
export type Trouble =
  | Readonly<{ ok: false; why: 'signed out' }>
  /** Nothing answered, or nothing that could be read. */
  | Readonly<{ ok: false; why: 'unreachable' }>
  | Readonly<{ ok: false; why: 'refused'; message: string }>;

export type Came<T> = Readonly<{ ok: true; value: T }> | Trouble;

/** What came of a decision, as the page tells it. */
export type DecisionCame =
  | Readonly<{ ok: true; outcome: 'decided' | 'moved on'; ask: Ask }>
  | Readonly<{ ok: true; outcome: 'invalid'; messages: Readonly<Record<string, string>> }>
  | Trouble;

/** What the page asks of its host, for one workspace. */
export interface HostClient {
  asks(): Promise<Came<AskList>>;
  ask(id: string): Promise<Came<AskAnswer>>;
  decide(id: string, decision: Decision): Promise<DecisionCame>;
  activity(before?: string): Promise<Came<Activity>>;
  turn(way: 'undo' | 'redo', request: UndoRequest): Promise<Came<UndoAnswer>>;
  roster(): Promise<Came<Roster>>;
  settings(): Promise<Came<Settings>>;
  preallow(request: PreallowRequest): Promise<Came<Settings>>;
  revoke(token: string): Promise<Came<TokenList>>;
}

type Raw = Readonly<{ status: number; body: unknown }>;

/** Waits no longer than this for an answer, in milliseconds. */
const patience = 20_000;

const unreachable: Trouble = { ok: false, why: 'unreachable' };

const read = <T>(schema: z.ZodType<T>, { status, body }: Raw): Came<T> => {
  if (status === 200) {
    const value = schema.safeParse(body);
    return value.success ? { ok: true, value: value.data } : unreachable;
  }
  if (status === 401) return { ok: false, why: 'signed out' };
  const refusal = PersonRefusal.safeParse(body);
  return refusal.success ? { ok: false, why: 'refused', message: refusal.data.message } : unreachable;
};

/** @param workspace the name of the workspace that the page shows */
export const createHostClient = (workspace: string): HostClient => {
  const send = async (name: string, init: RequestInit = {}): Promise<Raw | null> => {
    try {
      const response = await fetch(`/w/${workspace}/person/${name}`, {
        ...init,
        cache: 'no-store',
        signal: AbortSignal.timeout(patience),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      // No answer, or none in JSON: the page says so and goes on trying.
      return null;
    }
  };

  const get = async <T>(schema: z.ZodType<T>, name: string): Promise<Came<T>> => {
    const raw = await send(name);
    return raw === null ? unreachable : read(schema, raw);
  };

  const change = (name: string, body: object): Promise<Raw | null> =>
    send(name, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-workspace-person': '1' },
      body: JSON.stringify(body),
    });

  const post = async <T>(schema: z.ZodType<T>, name: string, body: object): Promise<Came<T>> => {
    const raw = await change(name, body);
    return raw === null ? unreachable : read(schema, raw);
  };

  return {
    asks: () => get(AskList, 'asks'),
    ask: (id) => get(AskAnswer, `asks/${id}`),
    decide: async (id, decision) => {
      const raw = await change(`asks/${id}`, decision);
      if (raw === null) return unreachable;
      if (raw.status === 422) {
        const invalid = InvalidEdits.safeParse(raw.body);
        return invalid.success ? { ok: true, outcome: 'invalid', messages: invalid.data.messages } : unreachable;
      }
      const movedOn = raw.status === 409;
      const came = read(AskAnswer, movedOn ? { ...raw, status: 200 } : raw);
      return came.ok ? { ok: true, outcome: movedOn ? 'moved on' : 'decided', ask: came.value.ask } : came;
    },
    activity: (before) => get(Activity, before === undefined ? 'activity' : `activity?before=${before}`),
    turn: (way, request) => post(UndoAnswer, way, request),
    roster: () => get(Roster, 'roster'),
    settings: () => get(Settings, 'settings'),
    preallow: (request) => post(Settings, 'preallow', request),
    revoke: (token) => post(TokenList, `tokens/${token}/revoke`, {}),
  };
};
