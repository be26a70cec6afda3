import { printSegment } from '../../../schemas/wire/path.ts';
import type {
  Action,
  App,
  Args,
  EffectContext,
  Json,
  Outcome,
  Resource,
  State,
  Write,
} from '../../../src/workspace/apps/app.ts';
import { checkArgs } from '../../../src/workspace/apps/args.ts';
import { checkOutcome } from '../../../src/workspace/apps/defineApp.ts';

/** A state in memory, its keys in the order of their bytes. */
export interface Memory extends State {
  write(writes: readonly Write[]): void;
  /** Everything, as one text. */
  dump(): string;
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

export const createMemory = (): Memory => {
  const docs = new Map<string, string>();
  const list = (prefix: string): (readonly [string, Json])[] =>
    [...docs.keys()]
      .filter((key) => key.startsWith(prefix))
      .sort(byBytes)
      .map((key) => [key, JSON.parse(docs.get(key) ?? 'null')]);
  return {
    get: (key) => {
      const text = docs.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    list,
    write: (writes) => {
      for (const { key, value } of writes) {
        if (value === null) docs.delete(key);
        else docs.set(key, JSON.stringify(value));
      }
    },
    dump: () => JSON.stringify(list('')),
  };
};

/** What `ctx.fail` ends an action with. */
export class AppFailure extends Error {
  override readonly name = 'AppFailure';
  readonly code: string;
  readonly next: unknown;

  constructor(code: string, message: string, next: unknown) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

export interface Done {
  readonly outcome: Outcome;
  readonly writes: readonly Write[];
  /** The writes that put back what stood there. */
  readonly inverse: readonly Write[];
}

/** One app over one state in memory: resolves paths of keys, judges arguments, runs actions, applies their writes. */
export interface Bench {
  readonly state: Memory;
  readonly published: Json[];
  /** The resource at item keys from the root downwards. @throws Error when there is none */
  at(...items: readonly string[]): Promise<Resource>;
  actions(...items: readonly string[]): Promise<readonly Action[]>;
  read(...items: readonly string[]): Promise<Readonly<Record<string, Json>>>;
  /** Names and keys of the children of one list. */
  list(name: string, ...items: readonly string[]): Promise<readonly Readonly<{ item: string; name: string }>[]>;
  /** Runs an action as a host does. @throws AppFailure, AppError, or an Error with the sentence about the arguments */
  run(items: readonly string[], action: string, args?: Readonly<Record<string, unknown>>): Promise<Done>;
}

export const createBench = (app: App): Bench => {
  const state = createMemory();
  const published: Json[] = [];
  let next = 1;

  const resourceOf = (kind: string, item: string, items: readonly string[], label: string): Resource => ({
    ...state,
    workspace: 'home',
    app: app.id,
    kind,
    item,
    items,
    path: [app.id, ...items.map(printSegment)].join('/'),
    label,
  });

  const kindOf = (resource: Resource): App['kinds'][string] => {
    const kind = app.kinds[resource.kind];
    if (!kind) throw new Error(`no kind ${resource.kind}`);
    return kind;
  };

  const at = async (...items: readonly string[]): Promise<Resource> => {
    let here = resourceOf(app.root.kind, app.id, [], app.label);
    for (const [depth, item] of items.entries()) {
      const kind = kindOf(here);
      const found = Object.entries(await kind.children(here))
        .flatMap(([list, rows]) => rows.map((row) => ({ ...row, kind: row.kind ?? kind.lists[list] ?? '' })))
        .find((row) => row.item === item);
      if (!found) throw new Error(`nothing at ${items.slice(0, depth + 1).join('/')}`);
      here = resourceOf(found.kind, item, items.slice(0, depth + 1), found.label ?? found.name);
    }
    return here;
  };

  const actions = async (...items: readonly string[]): Promise<readonly Action[]> => {
    const resource = await at(...items);
    return kindOf(resource).actions(resource);
  };

  const outcomeOf = async (action: Action, ctx: EffectContext, args: Args): Promise<Outcome> => {
    if (action.kind !== 'outside') return action.plan(ctx, args);
    const { ops, ...rest } = await action.effect(ctx, args);
    return { ...rest, ...(ops && { ops: ops(state) }) };
  };

  return {
    state,
    published,
    at,
    actions,
    read: async (...items) => {
      const resource = await at(...items);
      return (await kindOf(resource).read(resource, { children: 200 })).fields;
    },
    list: async (name, ...items) => {
      const resource = await at(...items);
      return (await kindOf(resource).children(resource))[name] ?? [];
    },
    run: async (items, id, args = {}) => {
      const resource = await at(...items);
      const action = (await actions(...items)).find((offered) => offered.id === id);
      if (!action) throw new Error(`no action ${id}`);
      if (action.absent) throw new AppFailure('unknown_action', action.absent.message, action.absent.next);
      const checked = await checkArgs(action, args, {
        path: `${resource.path}#${id}`,
        item: resource.item,
        resolves: () => true,
      });
      if (!checked.ok) throw new Error(checked.failure.message.join(''));
      let reached = next;
      const outcome = await outcomeOf(
        action,
        {
          ...state,
          resource,
          now_ms: 1_772_442_845_000,
          newItem: () => {
            reached += 1;
            return (reached - 1).toString(36).padStart(4, '0');
          },
          fail: (code, message, steps) => {
            throw new AppFailure(code, message, steps);
          },
          signal: new AbortController().signal,
          idempotencyKey: 'key-1',
          publish: async (content) => {
            published.push(content);
            return `${app.id}-share-${published.length}`;
          },
        },
        checked.args,
      );
      checkOutcome(app, action, outcome);
      const writes = outcome.ops ?? [];
      const inverse = writes.map(({ key }): Write => ({ key, value: state.get(key) ?? null }));
      state.write(writes);
      next = reached;
      return { outcome, writes, inverse };
    },
  };
};
