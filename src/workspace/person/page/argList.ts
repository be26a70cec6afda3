import type { Ask } from '../../../../schemas/wire/person.ts';
import { argOf } from './argOf.ts';
import { h } from './dom.ts';
import { said, saidBlock } from './said.ts';
import { sameJson } from './sameJson.ts';
import { jsonText } from './seen.ts';

const isSecret = (ty: string): boolean => ty.toLowerCase() === 'secret';

const shown = (value: unknown, ty: string, look: string): HTMLElement => {
  if (value === undefined) return h('span', { class: 'quiet' }, 'not given');
  if (isSecret(ty)) return h('span', { class: 'quiet' }, '•••••••• secret');
  return typeof value === 'string' ? saidBlock(value, look) : saidBlock(jsonText(value), `${look} mono`);
};

/** The arguments of an ask that can no longer be changed, with what the person made of them. */
export const argList = ({ action, args, edited }: Ask): HTMLElement | null => {
  const rows = action.params.filter(
    ({ name }) => argOf(args, name) !== undefined || argOf(edited ?? {}, name) !== undefined,
  );
  if (rows.length === 0) return null;
  return h(
    'dl',
    { class: 'args' },
    ...rows.flatMap(({ name, ty }) => {
      const ran = argOf(edited ?? args, name);
      const was = sameJson(ran, argOf(args, name))
        ? null
        : h(
            'div',
            { class: 'was' },
            h('span', { class: 'quiet' }, 'asked for: '),
            shown(argOf(args, name), ty, 'quiet'),
          );
      return [h('dt', {}, said(name, 'param')), h('dd', {}, shown(ran, ty, 'boxed'), was)];
    }),
  );
};
