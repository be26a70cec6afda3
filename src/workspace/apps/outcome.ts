import { canonicalJson } from '../../../schemas/canonical.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { Action, App, Json, Outcome, Write } from './app.ts';
import { AppError } from './appError.ts';

/** Writes a value under a key of the app's state. */
export const put = (key: string, value: Exclude<Json, null>): Write => ({ key, value });

/** Takes a key of the app's state away. */
export const remove = (key: string): Write => ({ key, value: null });

const checkWrites = (app: App, ops: readonly Write[], wrong: (what: string) => AppError): void => {
  const seen = new Set<string>();
  for (const { key, value } of ops) {
    const [word = ''] = key.split('/', 1);
    if (word === '' || (app.keys && !app.keys.includes(word)))
      throw wrong(`writes the key ${JSON.stringify(key)}, which is outside the app's key space`);
    if (seen.has(key)) throw wrong(`writes the key ${JSON.stringify(key)} twice`);
    seen.add(key);
    // An app without types may give what JSON cannot say.
    canonicalJson(value);
  }
};

/**
 * Checks what an action gave, before anything is stored (workspace-wire 6.1): an action that reads gives no operations,
 * every key is in the app's key space, every path is under the app. What it throws is a fault of the app, so the call
 * ends `failed`.
 *
 * @param outcome for an outside action, its outcome with the operations already made.
 * @throws AppError, CanonicalError
 */
export const checkOutcome = (app: App, action: Pick<Action, 'id' | 'kind'>, outcome: Outcome): void => {
  const { ops = [], result, touches = [], made } = outcome;
  const wrong = (what: string): AppError => new AppError(app.id, `action ${action.id}`, what);
  if (action.kind === 'read' && ops.length > 0) throw wrong('reads, so it gives no operations');
  if (!app.history && ops.length > 0) throw wrong('gives operations, but the app keeps no history');
  checkWrites(app, ops, wrong);
  if (result !== undefined) canonicalJson(result);
  for (const path of [...touches.map(({ resource }) => resource), ...(made === undefined ? [] : [made])])
    if ((path !== app.id && !path.startsWith(`${app.id}/`)) || Buffer.byteLength(path) > wireLimits.pathBytes)
      throw wrong(`names ${JSON.stringify(path)}, which is no path of this app`);
};
