import { printSegment } from '../../schemas/wire/path.ts';
import type { Action, PlanContext, Write } from '../../src/workspace/apps/app.ts';
import { action, p, put } from '../../src/workspace/apps/defineApp.ts';
import type { FarSide } from './farSide.ts';
import type { Gates } from './gates.ts';

/** The actions of the lab's root: one for each way in which an action can behave. */

const gateName = { pattern: '^[a-z0-9-]{1,40}$' };
const gate = p.text({ schema: gateName, description: 'Where it waits until the test opens it' });
const theGate = p.text({ required: true, schema: gateName });
const hold = p.text({ choices: ['before', 'after'], description: 'Whether it waits before it sends or after' });

const countKey = (name: string): string => `count/${printSegment(name)}`;

const raised = (ctx: Pick<PlanContext, 'get'>, name: string): { count: number; ops: readonly Write[] } => {
  const before = ctx.get(countKey(name));
  const count = typeof before === 'number' ? before + 1 : 1;
  return { count, ops: [put(countKey(name), count)] };
};

const everything = action({
  id: 'everything',
  label: 'Take everything',
  kind: 'read',
  description: 'Gives back what it got, but for the secret',
  params: {
    text: p.text(),
    integer: p.integer({ choices: [1, 2, 3] }),
    number: p.number(),
    boolean: p.boolean(),
    object: p.object({
      schema: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, additionalProperties: false },
    }),
    array: p.array({ schema: { type: 'array', items: { type: 'string' }, maxItems: 3 } }),
    resource: p.resource(),
    datetime: p.datetime(),
    secret: p.secret(),
  },
  plan: (_ctx, { secret, ...args }) => ({ result: { ...args, ...(secret !== undefined && { secret: 'kept' }) } }),
});

const addItem = action({
  id: 'add-item',
  label: 'Add item',
  kind: 'undoable',
  params: { name: p.text({ required: true }) },
  plan: (ctx, { name }) => {
    const item = ctx.newItem();
    const made = `${ctx.resource.path}/${item}`;
    return {
      ops: [put(`item/${item}`, { name, value: 0 })],
      result: { item },
      touches: [{ resource: made, sentence: `added "${name}"` }],
      made,
    };
  },
});

const count = action({
  id: 'count',
  label: 'Count',
  kind: 'undoable',
  params: { name: p.text({ required: true }) },
  plan: (ctx, { name }) => {
    const { count: result, ops } = raised(ctx, name);
    return { ops, result, touches: [{ resource: ctx.resource.path, sentence: `counted "${name}"` }] };
  },
});

const waiting = (gates: Gates): readonly Action[] => [
  action({
    id: 'wait',
    label: 'Wait',
    kind: 'read',
    abortable: true,
    params: { gate: theGate },
    plan: async (ctx, args) => {
      await gates.pass(args.gate, ctx.signal);
      return { result: { passed: args.gate } };
    },
  }),
  action({
    id: 'wait-stubbornly',
    label: 'Wait, whatever happens',
    kind: 'read',
    params: { gate: theGate },
    plan: async (_ctx, args) => {
      await gates.pass(args.gate);
      return { result: { passed: args.gate } };
    },
  }),
  action({
    id: 'wait-and-count',
    label: 'Wait, then count',
    kind: 'undoable',
    abortable: true,
    params: { gate: theGate, name: p.text({ required: true }) },
    plan: async (ctx, args) => {
      await gates.pass(args.gate, ctx.signal);
      const { count: result, ops } = raised(ctx, args.name);
      return { ops, result };
    },
  }),
];

const secretive = (far: FarSide, gates: Gates): readonly [planned: Action, outside: Action] => [
  action({
    id: 'sign-in',
    label: 'Sign in',
    kind: 'undoable',
    params: { user: p.text({ required: true }), password: p.secret({ required: true }), gate },
    plan: async (ctx, args) => {
      if (args.gate !== undefined) await gates.pass(args.gate);
      far.secret(args.password);
      return {
        ops: [put('session/user', args.user)],
        result: { user: args.user },
        touches: [touched(ctx, 'signed in')],
      };
    },
  }),
  action({
    id: 'open-vault',
    label: 'Open the vault',
    kind: 'outside',
    params: { code: p.secret({ required: true }), note: p.text(), gate },
    replaySafe: true,
    effect: async (ctx, args) => {
      if (args.gate !== undefined) await gates.pass(args.gate);
      far.secret(args.code);
      return { result: { opened: true }, touches: [touched(ctx, 'opened the vault')] };
    },
  }),
];

const touched = ({ resource }: PlanContext, sentence: string): { resource: string; sentence: string } => ({
  resource: resource.path,
  sentence,
});

const sending = (far: FarSide, gates: Gates): readonly Action[] => {
  const around = async (args: { gate?: string; hold?: string }, send: () => void): Promise<void> => {
    if (args.gate !== undefined && args.hold !== 'after') await gates.pass(args.gate);
    send();
    if (args.gate !== undefined && args.hold === 'after') await gates.pass(args.gate);
  };
  const params = { note: p.text({ required: true }), gate, hold };
  return [
    action({
      id: 'send',
      label: 'Send',
      kind: 'outside',
      params,
      effect: async (ctx, args) => {
        await around(args, () => far.keyless(args.note));
        return { result: { sent: args.note }, touches: [touched(ctx, `sent "${args.note}"`)] };
      },
    }),
    action({
      id: 'send-once',
      label: 'Send once',
      kind: 'outside',
      replaySafe: true,
      params,
      effect: async (ctx, args) => {
        await around(args, () => {
          far.keyed(ctx.idempotencyKey, args.note);
        });
        return { result: { sent: args.note }, touches: [touched(ctx, `sent "${args.note}"`)] };
      },
    }),
    action({
      id: 'send-and-count',
      label: 'Send and count',
      kind: 'outside',
      params,
      effect: async (ctx, args) => {
        await around(args, () => far.keyless(args.note));
        return { ops: (state) => raised(state, 'sent').ops, touches: [touched(ctx, `sent "${args.note}"`)] };
      },
    }),
    action({
      id: 'wait-outside',
      label: 'Wait outside',
      kind: 'outside',
      abortable: true,
      params: { gate: theGate },
      effect: async (ctx, args) => {
        await gates.pass(args.gate, ctx.signal);
        return { result: { passed: args.gate } };
      },
    }),
    action({
      id: 'throw-outside',
      label: 'Throw outside',
      kind: 'outside',
      params: {},
      effect: () => {
        throw new Error('the far side is made of glass');
      },
    }),
  ];
};

const failing: readonly Action[] = [
  action({
    id: 'throw',
    label: 'Throw',
    kind: 'undoable',
    params: {},
    plan: () => {
      throw new Error('the lab is on fire');
    },
  }),
  action({
    id: 'fail',
    label: 'Fail',
    kind: 'undoable',
    params: {},
    plan: (ctx) =>
      ctx.fail('lab_closed', 'The lab is closed today.', [['tilo_read ', { path: ctx.resource.path }, ' shows when']]),
  }),
  action({
    id: 'change-while-reading',
    label: 'Change while reading',
    kind: 'read',
    params: {},
    plan: (ctx) => ({ ops: raised(ctx, 'reads').ops }),
  }),
  action({
    id: 'write-elsewhere',
    label: 'Write elsewhere',
    kind: 'undoable',
    params: {},
    plan: () => ({ ops: [put('page/0001', { title: 'not mine' })] }),
  }),
];

export const labActions = (gates: Gates, far: FarSide): readonly Action[] => {
  const [signIn, openVault] = secretive(far, gates);
  return [everything, addItem, count, ...waiting(gates), signIn, ...failing, ...sending(far, gates), openVault];
};
