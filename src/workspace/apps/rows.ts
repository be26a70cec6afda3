import type { ActionRow, ParamRow } from '../../../schemas/wire/answers.ts';
import type { Action, Param } from './app.ts';

const paramRow = ([name, { type, required, description, choices, schema }]: readonly [string, Param]): ParamRow => ({
  name,
  ty: type,
  required,
  ...(description !== undefined && { description }),
  ...(choices && { choices: [...choices] }),
  ...(schema && { schema: { ...schema } }),
});

/** An action as answers show it, keys in the order of the wire (workspace-wire 4.1). */
export const actionRow = ({
  id,
  label,
  params,
  kind,
}: Pick<Action, 'id' | 'label' | 'params' | 'kind'>): ActionRow => ({
  id,
  label,
  params: Object.entries(params).map(paramRow),
  kind,
});
