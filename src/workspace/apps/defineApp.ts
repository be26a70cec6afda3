import { AppState, spaceName } from '../../../schemas/wire/vocabulary.ts';
import { checkAction } from './action.ts';
import type { Action, App, Kind, Resource } from './app.ts';
import { AppError } from './appError.ts';
import { keyWord, memberName, oneLine } from './names.ts';

export { action } from './action.ts';
export { AppError } from './appError.ts';
export { kind } from './kind.ts';
export { checkOutcome, put, remove } from './outcome.ts';
export { pageChildren } from './pageChildren.ts';
export { p } from './params.ts';

/** `notes.Page`: the app's id, a dot, a word that begins with a capital letter. The root's kind is the id alone. */
const kindWord = /^[A-Z][A-Za-z0-9]{0,63}$/;

const isKindOf = (app: string, name: string): boolean =>
  name === app || (name.startsWith(`${app}.`) && kindWord.test(name.slice(app.length + 1)));

const checkKind = (app: Pick<App, 'id' | 'kinds'>, name: string, { fields, lists, noun, nouns }: Kind): void => {
  const wrong = (where: string, what: string): AppError => new AppError(app.id, `kind ${name}${where}`, what);
  if (!isKindOf(app.id, name)) throw wrong('', `must be called ${app.id} or ${app.id}.Word`);
  if (!oneLine.test(noun) || !oneLine.test(nouns)) throw wrong('', 'needs a noun for one and for several');
  for (const field of Object.keys(fields.shape)) {
    if (!memberName.test(field)) throw wrong(`, field ${field}`, 'is no name of a field');
    if (Object.hasOwn(lists, field)) throw wrong(`, field ${field}`, 'has the name of a list');
  }
  for (const [list, held] of Object.entries(lists)) {
    if (!memberName.test(list)) throw wrong(`, list ${list}`, 'is no name of a list');
    if (!Object.hasOwn(app.kinds, held)) throw wrong(`, list ${list}`, `holds ${held}, which the app does not have`);
  }
};

/** The kind with its actions looked over each time it tells them: they depend on the resource. */
const watched = (app: string, name: string, kind: Kind): Kind => ({
  ...kind,
  actions: (resource: Resource): readonly Action[] => {
    const actions = kind.actions(resource);
    const seen = new Set<string>();
    let outside = false;
    for (const action of actions) {
      checkAction(action);
      if (seen.has(action.id)) throw new AppError(app, `kind ${name}, action ${action.id}`, 'is offered twice');
      if (outside && action.kind !== 'outside')
        throw new AppError(app, `kind ${name}, action ${action.id}`, 'stands behind one that reaches outside');
      seen.add(action.id);
      outside = action.kind === 'outside';
    }
    return actions;
  },
});

/**
 * Checks the definition of an app and gives the app (workspace-wire 6.1): ids, kinds, names of fields, lists and
 * parameters, the names `undo`, `redo` and `apps` that are the host's. Actions are checked as kinds tell them.
 *
 * @throws AppError, which says what of the app is wrong.
 */
export const defineApp = (definition: App): App => {
  const { id, label, state, version, root, kinds, keys } = definition;
  const wrong = (where: string, what: string): AppError => new AppError(id, where, what);
  if (!spaceName.test(id)) throw wrong('id', 'must be 1 to 32 small letters, digits and hyphens, a letter first');
  if (id === 'apps') throw wrong('id', "is the host's own word");
  if (!oneLine.test(label)) throw wrong('label', 'must be one line');
  if (!AppState.options.includes(state)) throw wrong('state', `must be one of ${AppState.options.join(', ')}`);
  if (!Number.isSafeInteger(version) || version < 1) throw wrong('version', 'must be a whole number from 1');
  if (!memberName.test(root.name)) throw wrong('root.name', 'must be a name');
  if (root.kind !== id) throw wrong('root.kind', `must be ${id}, as the app`);
  if (!Object.hasOwn(kinds, root.kind)) throw wrong('root.kind', 'is not among the kinds');
  for (const word of keys ?? []) if (!keyWord.test(word)) throw wrong(`keys, ${word}`, 'is no first word of a key');
  for (const [name, kind] of Object.entries(kinds)) checkKind(definition, name, kind);
  return {
    ...definition,
    kinds: Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, watched(id, name, kind)])),
  };
};
