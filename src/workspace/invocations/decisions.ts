import { canonicalJson } from '../../../schemas/canonical.ts';
import type { Decision } from '../../../schemas/wire/person.ts';
import type { Args } from '../apps/app.ts';
import { spoken, WireFailure } from '../failure.ts';
import type { Registry } from '../store/store.ts';
import type { ActionPlace, World } from '../world/world.ts';
import type { LifeEvent } from './advancedRow.ts';
import { askOf, wasAsked } from './asks.ts';
import type { Invocations } from './invocations.ts';
import { judgeArgs, leadsInto } from './judgedArgs.ts';
import type { Lives } from './lives.ts';
import type { InvocationRow } from './rows.ts';
import { isStandIn, secretNames, standInsIn } from './secrets.ts';
import { storedConnection } from './storedCaller.ts';

export interface DecisionPorts {
  readonly lives: Lives;
  readonly registry: Pick<Registry, 'tokens' | 'setPreallow'>;
  world(): World;
}

/** The person's edits: complete arguments with a stand-in for each secret, or what is wrong with them by parameter. */
type Edits =
  | Readonly<{ valid: true; args: Args }>
  | Readonly<{ valid: false; messages: Readonly<Record<string, string>> }>;

/** The action as if it did not take the named parameters: what is secret is judged where it is brought. */
const withoutParams = (at: ActionPlace, names: readonly string[]): ActionPlace => {
  if (at.offered.by === 'host') return at;
  const { action } = at.offered;
  const params = Object.fromEntries(Object.entries(action.params).filter(([name]) => !names.includes(name)));
  return { ...at, offered: { ...at.offered, action: { ...action, params } } };
};

/** What the person decides on their page (workspace-wire sections 5.1 and 9). Events of this channel come from nowhere else. */
export const createDecisions = ({ lives, registry, world }: DecisionPorts): Invocations['decide'] => {
  const actionOf = async (row: InvocationRow): Promise<ActionPlace | string> => {
    try {
      return await world().locateAction({ connection: storedConnection(registry, row) }, `${row.ref}#${row.action}`);
    } catch (error) {
      if (error instanceof WireFailure) return spoken(error.failure.message, null);
      throw error;
    }
  };

  /** Secrets are the caller's to bring and nobody's to change: each stands in the edits as it stood in the ask, or not at all. */
  const editsOf = async (row: InvocationRow, sent: Decision['args']): Promise<Edits> => {
    if (sent === undefined) return { valid: false, messages: { args: 'The changed arguments are missing.' } };
    const at = await actionOf(row);
    if (typeof at === 'string') return { valid: false, messages: { args: at } };
    const secret = secretNames(row.action_row);
    const touched = secret.filter((name) =>
      Object.hasOwn(row.args_json, name) ? !isStandIn(sent[name]) : Object.hasOwn(sent, name),
    );
    if (touched.length > 0)
      return {
        valid: false,
        messages: Object.fromEntries(touched.map((name) => [name, `${name} is secret and cannot be changed here.`])),
      };
    const connection = storedConnection(registry, row);
    const open = Object.fromEntries(Object.entries(sent).filter(([name]) => !secret.includes(name)));
    const checked = await judgeArgs(withoutParams(at, secret), open, leadsInto(world(), { connection }, row.workspace));
    if (checked.ok) return { valid: true, args: { ...checked.args, ...standInsIn(row.action_row, row.args_json) } };
    const { messages, failure } = checked;
    return {
      valid: false,
      messages: Object.keys(messages).length > 0 ? messages : { args: spoken(failure.message, null) },
    };
  };

  const eventOf = async (
    row: InvocationRow,
    { decision, version, args, reason }: Decision,
  ): Promise<Readonly<{ event: LifeEvent; messages: Readonly<Record<string, string>> }>> => {
    const decided = { by: 'person', version } as const;
    const allow: LifeEvent = { type: 'ALLOW', ...decided, deadlineMs: lives.deadline() };
    switch (decision) {
      case 'allow':
        return { event: allow, messages: {} };
      case 'refuse':
        return { event: { type: 'REFUSE', ...decided, reason: reason?.trim() || null }, messages: {} };
      case 'allow_edited': {
        const edits = await editsOf(row, args);
        if (edits.valid && canonicalJson(edits.args) === canonicalJson(row.args_json))
          return { event: allow, messages: {} };
        return {
          event: {
            type: 'ALLOW_EDITED',
            ...decided,
            deadlineMs: lives.deadline(),
            valid: edits.valid,
            edits: edits.valid ? edits.args : {},
          },
          messages: edits.valid ? {} : edits.messages,
        };
      }
    }
  };

  return async (workspace, id, decision, person) => {
    const row = lives.byAsk(workspace, id);
    if (row === null || !wasAsked(row)) return { outcome: 'unknown' };
    const { event, messages } = await eventOf(row, decision);
    // What destroys is allowed for good in the settings only (workspace-wire 5.3).
    const always = decision.always === true && decision.decision !== 'refuse' && !row.destroys;
    // Its time may have come while the edits were looked at.
    lives.find(row);
    const sent = lives.send(row, event, {
      by: person.name,
      also: () => {
        if (always) registry.setPreallow(workspace, row.resource_kind, row.action, true, person.name);
      },
    });
    if (sent.outcome === 'stayed' && sent.why === 'invalid_edits') return { outcome: 'invalid', messages };
    const ask = askOf({ ...sent.row, ask_id: row.ask_id });
    return { outcome: sent.outcome === 'stayed' ? 'moved_on' : 'decided', ask };
  };
};
