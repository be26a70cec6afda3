import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import type { Place } from './place.ts';

/** What a process does until it is killed. Its calls have ids of their own, so that they can be repeated. */
export interface Scene {
  /** Ran to its end before. */
  prepare?(place: Place): Promise<void>;
  /** The call that is repeated when the host is there again. */
  readonly call: DoArguments;
  /** What the process does when that is more than the call; `begin` starts the count of statements, `say` tells the parent. */
  run?(place: Place, begin: () => void, say: (value: unknown) => void): Promise<unknown>;
  /** What is done after a restart until the call can be repeated. */
  finish?(place: Place): Promise<void>;
}

const preallow =
  (kind: string, action: string) =>
  async (place: Place): Promise<void> =>
    place.host.registry.setPreallow('home', kind, action, true, 'Mira');

const sends = (action: string, args: Readonly<Record<string, unknown>> = { note: 'hello' }): Scene => ({
  prepare: preallow('lab', action),
  call: { path: `lab#${action}`, args, invocation_id: 'x1' },
});

/** The person decides while the call is held, which runs it then. */
const decided = (scene: Scene, decision: Parameters<Place['decide']>[0]): Scene => ({
  call: scene.call,
  run: async (place, begin) => {
    const held = place.do({ ...scene.call, wait_ms: 60_000 });
    while ((await place.asks()).length === 0) await new Promise(setImmediate);
    begin();
    await place.decide(decision);
    return held;
  },
  finish: async (place) => {
    await place.do({ ...scene.call, wait_ms: 0 });
    if ((await place.asks()).some(({ state }) => state === 'asking')) await place.decide(decision);
  },
});

const undoable = {
  append: {
    call: { path: 'notes/Garden#append-paragraph', args: { text: 'Sow beans' }, invocation_id: 'x1' },
  },
  transfer: {
    call: { path: 'bank#transfer', args: { from: 'a001', to: 'b001', amount: 7 }, invocation_id: 'x1' },
  },
  undo: {
    // One step of two changes.
    prepare: async (place) => {
      await place.do({
        calls: [
          { path: 'notes/Garden#append-paragraph', args: { text: 'Sow beans' }, invocation_id: 'p1' },
          { path: 'notes/0a01/a101#toggle-checkbox', invocation_id: 'p2' },
        ],
      });
    },
    call: { path: 'notes#undo', invocation_id: 'x1' },
  },
  redo: {
    prepare: async (place) => {
      await place.do({ path: 'bank#transfer', args: { from: 'a001', to: 'b001', amount: 7 }, invocation_id: 'p1' });
      await place.do({ path: 'bank#undo', invocation_id: 'p2' });
    },
    call: { path: 'bank#redo', invocation_id: 'x1' },
  },
  page: { call: { path: 'notes#new-page', args: { title: 'Beans' }, invocation_id: 'x1' } },
  removal: { call: { path: 'notes/Garden#remove-block', args: { id: 'a101' }, invocation_id: 'x1' } },
  item: { call: { path: 'lab#add-item', args: { name: 'Beaker' }, invocation_id: 'x1' } },
  failing: { call: { path: 'lab#fail', invocation_id: 'x1' } },
} satisfies Record<string, Scene>;

/** Outside actions that the person allowed for good, or is asked about. */
const outside = {
  keyed: sends('send-once'),
  keyless: sends('send'),
  'keyless-with-writes': sends('send-and-count'),
  secret: sends('open-vault', { code: 'open sesame' }),
  deletion: {
    prepare: preallow('notes.Page', 'delete'),
    call: { path: 'notes/Garden#delete', invocation_id: 'x1' },
  },
  share: {
    prepare: preallow('notes.Page', 'share'),
    call: { path: 'notes/Garden#share', args: { with: 'sam@example.org' }, invocation_id: 'x1' },
  },
  'allowed-keyless': decided(sends('send'), { decision: 'allow' }),
  'allowed-keyed': decided(sends('send-once'), { decision: 'allow', always: true }),
  'edited-keyed': decided(sends('send-once'), { decision: 'allow_edited', args: { note: 'edited' } }),
} satisfies Record<string, Scene>;

const held = (when: 'before' | 'after'): Readonly<Record<string, unknown>> => ({
  note: 'hello',
  gate: 'g',
  hold: when,
});

/** They wait at a gate until they are killed. */
const waiting = {
  'keyed-held-before': sends('send-once', held('before')),
  'keyed-held-after': sends('send-once', held('after')),
  'keyless-held-before': sends('send', held('before')),
  'keyless-held-after': sends('send', held('after')),
  'secret-held': sends('open-vault', { code: 'open sesame', gate: 'g' }),
} satisfies Record<string, Scene>;

/** What waits at its gate is told to stop. */
const cancelled = (action: string): Scene => {
  const args = { gate: 'g', ...(action === 'wait-and-count' && { name: 'x' }) };
  const call = { path: `lab#${action}`, args, invocation_id: 'x1' };
  return {
    prepare: preallow('lab', action),
    call,
    run: async (place, begin) => {
      const held = place.do(call);
      await place.lab.gates.reached('g');
      begin();
      await place.host.call('tilo_status', { invocation_id: 'x1', cancel: true }, place.caller());
      return held;
    },
    finish: async (place) => place.lab.gates.open('g'),
  };
};

const stopping = {
  'cancelled-read': cancelled('wait'),
  'cancelled-undoable': cancelled('wait-and-count'),
  'cancelled-outside': cancelled('wait-outside'),
} satisfies Record<string, Scene>;

/** Changes, some of them taken back, without end; tells each that was answered. */
const storm: Scene = {
  call: {},
  run: async (place, begin, say) => {
    begin();
    const known = place.host.store.db.prepare<[], number>('SELECT count(*) FROM invocations').pluck().get() ?? 0;
    const turns: readonly DoArguments[] = [
      { path: 'notes/Garden#append-paragraph', args: { text: 'Sow beans' } },
      { path: 'bank#transfer', args: { from: 'a001', to: 'b001', amount: 7 } },
      { path: 'notes/0a01/a101#toggle-checkbox' },
      { path: 'notes#undo' },
      { path: 'bank#transfer', args: { from: 'b001', to: 'a001', amount: 5 } },
      { path: 'notes/Garden#append-heading', args: { text: 'Beans' } },
      { path: 'bank#undo' },
    ];
    for (let nth = known; ; nth += 1) {
      const invocation_id = `n${nth}`;
      const { status } = await place.one({ ...turns[nth % turns.length], invocation_id });
      say({ invocation_id, status });
    }
  },
};

const several = {
  batch: {
    call: {
      calls: [
        { path: 'notes/Garden#append-paragraph', args: { text: 'Sow beans' }, invocation_id: 'b1' },
        { path: 'bank#transfer', args: { from: 'b001', to: 'a001', amount: 3 }, invocation_id: 'b2' },
        { path: 'notes/0a01/a101#toggle-checkbox', invocation_id: 'b3' },
      ],
    },
  },
} satisfies Record<string, Scene>;

export const scenes: Readonly<Record<string, Scene>> = {
  ...undoable,
  ...outside,
  ...waiting,
  ...stopping,
  ...several,
  storm,
};

/** What the process does, from which the statements are counted. */
export const playScene = (
  place: Place,
  { call, run }: Scene,
  begin: () => void,
  say: (value: unknown) => void,
): Promise<unknown> => {
  if (run !== undefined) return run(place, begin, say);
  begin();
  return place.do(call);
};
