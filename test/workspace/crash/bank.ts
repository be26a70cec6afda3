import { z } from 'zod';
import type { Action, Children, Resource } from '../../../src/workspace/apps/app.ts';
import { action, defineApp, kind, p, pageChildren, put } from '../../../src/workspace/apps/defineApp.ts';

/** Accounts, and slips that say what went from one to another: one action that writes many keys and touches three resources. */

const Account = z.object({ owner: z.string(), amount: z.int() });
const accountOf = (state: Pick<Resource, 'get'>, item: string): z.infer<typeof Account> =>
  Account.parse(state.get(`account/${item}`));

const transfer: Action = action({
  id: 'transfer',
  label: 'Transfer',
  kind: 'undoable',
  params: {
    from: p.text({ required: true }),
    to: p.text({ required: true }),
    amount: p.integer({ required: true }),
  },
  plan: (ctx, { from, to, amount }) => {
    const slip = ctx.newItem();
    const [source, target] = [accountOf(ctx, from), accountOf(ctx, to)];
    const total = ctx.get('total');
    const { path } = ctx.resource;
    return {
      ops: [
        put(`account/${from}`, { ...source, amount: source.amount - amount }),
        put(`account/${to}`, { ...target, amount: target.amount + amount }),
        put(`slip/${slip}`, { from, to, amount }),
        put('total', (typeof total === 'number' ? total : 0) + amount),
      ],
      result: { slip },
      touches: [
        { resource: `${path}/${from}`, sentence: `gave ${amount}` },
        { resource: `${path}/${to}`, sentence: `got ${amount}` },
        { resource: `${path}/${slip}`, sentence: `moved ${amount}` },
      ],
    };
  },
});

const children = (root: Resource): Children => ({
  accounts: root.list('account/').map(([key]) => {
    const item = key.slice('account/'.length);
    return { item, name: accountOf(root, item).owner };
  }),
  slips: root.list('slip/').map(([key]) => {
    const item = key.slice('slip/'.length);
    return { item, name: `Slip ${item}` };
  }),
});

const leaf = (noun: string): ReturnType<typeof kind> =>
  kind({
    fields: z.object({}),
    lists: {},
    noun,
    nouns: `${noun}s`,
    children: () => ({}),
    read: () => ({ fields: {}, children: {} }),
    find: ({ label }) => ({ label, content: '', action: null }),
    actions: () => [],
  });

export const bank = defineApp({
  id: 'bank',
  label: 'Bank',
  state: 'running',
  version: 1,
  root: { name: 'vault', kind: 'bank' },
  keys: ['account', 'slip', 'total'],
  history: true,
  kinds: {
    bank: kind({
      fields: z.object({ total: z.number() }),
      lists: { accounts: 'bank.Account', slips: 'bank.Slip' },
      noun: 'vault',
      nouns: 'vaults',
      children,
      read: (root, page) => {
        const total = root.get('total');
        return {
          fields: { total: typeof total === 'number' ? total : 0 },
          ...pageChildren(root, children(root), page),
        };
      },
      find: ({ label }) => ({ label, content: '', action: null }),
      actions: () => [transfer],
    }),
    'bank.Account': leaf('account'),
    'bank.Slip': leaf('slip'),
  },
});

export const bankWrites = [
  put('account/a001', { owner: 'Ada', amount: 70 }),
  put('account/b001', { owner: 'Ben', amount: 30 }),
];
