import type { Done } from '../../../schemas/wire/answers.ts';
import type { Args } from '../apps/app.ts';
import { argsTooLarge } from '../apps/args.ts';
import { type Caller, prefixFor } from '../caller.ts';
import { incident } from '../failedAnswer.ts';
import { type Failure, WireFailure } from '../failure.ts';
import type { IdSource } from '../sources.ts';
import type { Registry, Store } from '../store/store.ts';
import { createTurns } from '../turns.ts';
import type { ActionPlace, World } from '../world/world.ts';
import { failedCall } from './answers.ts';
import { mismatch, notGranted, refusedTwice } from './failures.ts';
import type { Grants } from './grants.ts';
import { judgeArgs, leadsInto } from './judgedArgs.ts';
import type { Admitted, Lives } from './lives.ts';
import type { InvocationRow } from './rows.ts';
import { macOf, samePath, type WrittenPath, writtenPath } from './sameCall.ts';
import { redactorOf, secretsIn, withStandIns } from './secrets.ts';
import { type Key, keyText } from './waiters.ts';

/** One call as it came in. */
export interface Call {
  readonly id: string;
  readonly path: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The key of the step that it joins: that of its group or of the first of several; its own id else. */
  readonly step: string;
}

/** What a call is: an invocation, new or known, or nothing but an answer. */
export type Taken =
  | Readonly<{ row: InvocationRow; again: boolean; secrets: Args }>
  | Readonly<{ row: null; answer: Done }>;

/** Decides what a call is (workspace-wire 4.3, points 1 to 4). */
export interface Admission {
  take(caller: Caller, call: Call): Promise<Taken>;
}

export interface AdmissionPorts {
  readonly store: Pick<Store, 'key'>;
  readonly registry: Pick<Registry, 'isPreallowed' | 'person' | 'workspaces'>;
  world(): World;
  readonly lives: Lives;
  readonly grants: Grants;
  readonly ids: Pick<IdSource, 'ask'>;
  /** Takes one line for the log. */
  report(line: string): void;
}

/** What the machine is told of the action. */
const traits = ({ offered }: ActionPlace): Readonly<{ abortable: boolean; replayKey: boolean; destroys: boolean }> =>
  offered.by === 'host'
    ? { abortable: false, replayKey: false, destroys: false }
    : {
        abortable: offered.action.abortable ?? false,
        replayKey: offered.action.kind === 'outside' && (offered.action.replaySafe ?? false),
        destroys: offered.action.destroys ?? false,
      };

/** Which argument is a secret is not known before the action is: then each text counts as one. */
const textsOf = (args: Call['args']): Args =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

export const createAdmission = ({ store, registry, world, lives, grants, ids, report }: AdmissionPorts): Admission => {
  // Calls with one id of one token are looked at one after the other, so that only one of them is the first.
  const order = createTurns();

  const printed = (caller: Caller, workspace: string, path: string): string => {
    const prefix = prefixFor(caller, workspace);
    return prefix === null ? path : `${prefix}/${path}`;
  };

  /** The workspace before the paths of a failure that has no place: that which the call names, where there is one. */
  const writtenPrefix = (caller: Caller, { workspace }: WrittenPath): string | null =>
    workspace !== null && registry.workspaces().some(({ name }) => name === workspace)
      ? prefixFor(caller, workspace)
      : null;

  /** Each path among the arguments without the workspace that it begins with at the account endpoint: apps know no other. */
  const localArgs = (caller: Caller, { offered }: ActionPlace, args: Args): Args =>
    offered.by === 'host' || caller.connection.endpoint !== null
      ? args
      : Object.fromEntries(
          Object.entries(args).map(([name, value]) => [
            name,
            offered.action.params[name]?.type === 'resource' && typeof value === 'string'
              ? writtenPath(caller, value).rest
              : value,
          ]),
        );

  const found = async (caller: Caller, path: string): Promise<ActionPlace | WireFailure> => {
    try {
      return await world().locateAction(caller, path);
    } catch (error) {
      if (error instanceof WireFailure) return error;
      throw error;
    }
  };

  /** Whether a path, whichever spelling it has now, names the action that an invocation is bound to. */
  const leadsTo = async (caller: Caller, path: string, row: InvocationRow): Promise<boolean> => {
    const hash = path.indexOf('#');
    if (hash < 0 || path.slice(hash + 1) !== row.action) return false;
    try {
      const { workspace, ref } = await world().locate(caller, path.slice(0, hash));
      return workspace === row.workspace && ref === row.ref;
    } catch (error) {
      if (error instanceof WireFailure) return false;
      throw error;
    }
  };

  const mismatched = async (caller: Caller, call: Call, row: InvocationRow, known: boolean): Promise<Done> => {
    const { endpoint } = caller.connection;
    const bound = endpoint === null || endpoint === row.workspace ? printed(caller, row.workspace, row.path) : null;
    if (known)
      return failedCall(
        {
          id: call.id,
          path: printed(caller, row.workspace, row.path),
          failure: mismatch(call.id, { bound, called: bound }),
          action: row.action_row,
        },
        null,
      );
    const at = await found(caller, call.path);
    const called = at instanceof WireFailure ? null : printed(caller, at.place.workspace, at.path);
    return failedCall(
      {
        id: call.id,
        path: called ?? call.path,
        failure: mismatch(call.id, { bound, called }),
        action: at instanceof WireFailure ? null : at.offered.row,
      },
      null,
    );
  };

  /** An answer of its own for what nobody foresaw, so that of several actions the earlier ones are still told. */
  const unforeseen = (caller: Caller, call: Call, written: WrittenPath, error: unknown): Taken => {
    const failure = incident(error, null, ids, (line) => report(redactorOf(textsOf(call.args)).text(line)));
    const told = { id: call.id, path: call.path, failure, action: null };
    return { row: null, answer: failedCall(told, writtenPrefix(caller, written)) };
  };

  const admit = async (
    caller: Caller,
    call: Call,
    key: Key,
    mac: string | null,
    written: WrittenPath,
  ): Promise<Taken> => {
    const at = await found(caller, call.path);
    if (at instanceof WireFailure) {
      const { failure } = at;
      const told = { id: call.id, path: call.path, failure, action: null };
      return { row: null, answer: failedCall(told, writtenPrefix(caller, written)) };
    }
    const { place, offered } = at;
    const no = (failure: Failure): Taken => ({
      row: null,
      answer: failedCall(
        { id: call.id, path: printed(caller, place.workspace, at.path), failure, action: offered.row },
        prefixFor(caller, place.workspace),
      ),
    });

    const tooLarge = argsTooLarge(call.args, at.path);
    if (tooLarge !== null) return no(tooLarge);
    const checked = await judgeArgs(at, call.args, leadsInto(world(), caller, place.workspace));
    if (!checked.ok) return no(checked.failure);
    if (mac === null) throw new Error('Arguments that an action takes have a MAC.');

    const { id: action } = offered.row;
    const { abortable, replayKey, destroys } = traits(at);
    const args = localArgs(caller, at, checked.args);
    const secrets = secretsIn(offered.row, args);
    const admitted: Admitted = {
      ...key,
      workspace: place.workspace,
      connection: caller.connection.id,
      label: caller.connection.label,
      step: call.step,
      run_id: caller.group?.runId ?? null,
      run_title: caller.group?.title ?? null,
      app: place.app.id,
      ref: place.ref,
      resource_kind: place.resource.kind,
      resource_label: place.resource.label,
      action,
      path: at.path,
      written_path: written.rest,
      action_kind: offered.kind,
      action_row: offered.row,
      destroys,
      args_json: withStandIns(offered.row, args),
      args_mac: mac,
    };
    const row = lives.open(
      admitted,
      {
        kind: offered.kind,
        preAllowed: offered.kind === 'outside' && registry.isPreallowed(place.workspace, place.resource.kind, action),
        abortable,
        replayKey,
        secret: Object.keys(secrets).length > 0,
      },
      grants.ruling(admitted),
      secrets,
    );
    if (row === 'refused') return no(refusedTwice(registry.person().name));
    if (row === 'not_granted')
      return no(notGranted(admitted, action, offered.kind, grants.bound({ id: key.token }, place.workspace)));
    return { row, again: false, secrets };
  };

  return {
    take: (caller, call) => {
      const key: Key = { token: caller.connection.token.id, id: call.id };
      return order.take(keyText(key), async () => {
        const written = writtenPath(caller, call.path);
        const mac = macOf(store.key, call.args);
        const row = lives.find(key);
        try {
          if (row === null) return await admit(caller, call, key, mac, written);
          const known = samePath(row, written) || (await leadsTo(caller, call.path, row));
          if (!known || mac !== row.args_mac) return { row: null, answer: await mismatched(caller, call, row, known) };
          return { row, again: true, secrets: secretsIn(row.action_row, call.args) };
        } catch (error) {
          return unforeseen(caller, call, written, error);
        }
      });
    },
  };
};
