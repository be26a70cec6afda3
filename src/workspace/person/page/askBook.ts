import type { Ask } from '../../../../schemas/wire/person.ts';

/** What became of an ask when something newer was told of it. */
export type AskNews = 'new' | 'announced' | 'moved' | 'same';

/** The asks that the page knows. */
export interface AskBook {
  /** Takes an ask as it was told, unless something newer is known of it. */
  put(ask: Ask): AskNews;
  get(id: string): Ask | null;
  /** Those that wait longest first: a new one comes below, and moves nothing that is being read. */
  waiting(): readonly Ask[];
  /** Allowed, and not called again yet. */
  unused(): readonly Ask[];
  /** Decided or ended, newest first. */
  past(): readonly Ask[];
}

const isOlder = (ask: Ask, known: Ask): boolean =>
  ask.version < known.version || (ask.version === known.version && ask.announced < known.announced);

export const createAskBook = (): AskBook => {
  const asks = new Map<string, Ask>();
  const all = (): Ask[] => [...asks.values()];
  const when = ({ decided_ms, created_ms }: Ask): number => decided_ms ?? created_ms;
  return {
    put: (ask) => {
      const known = asks.get(ask.id);
      if (known !== undefined && isOlder(ask, known)) return 'same';
      asks.set(ask.id, ask);
      if (known === undefined) return 'new';
      if (ask.state === 'asking' && ask.announced > known.announced) return 'announced';
      return ask.version === known.version ? 'same' : 'moved';
    },
    get: (id) => asks.get(id) ?? null,
    waiting: () =>
      all()
        .filter(({ state }) => state === 'asking')
        .sort((a, b) => a.created_ms - b.created_ms),
    unused: () =>
      all()
        .filter(({ state }) => state === 'allowed')
        .sort((a, b) => when(b) - when(a)),
    past: () =>
      all()
        .filter(({ state }) => state !== 'asking' && state !== 'allowed')
        .sort((a, b) => when(b) - when(a)),
  };
};
