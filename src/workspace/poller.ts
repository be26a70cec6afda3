import { cursorOf } from '../../schemas/wire/cursor.ts';
import type { App } from './apps/app.ts';
import type { EventLog } from './events/log.ts';
import type { Clock } from './sources.ts';
import type { Registry, Store } from './store/store.ts';
import type { World } from './world/world.ts';

/** How often apps whose state is changed elsewhere are looked at while somebody watches (workspace-wire 4.7). */
const lookMilliseconds = 500;

/** Looks at such apps as long as a watch or a page is open. */
export interface Poller {
  /** Somebody watches; the result ends it. */
  watched(): () => void;
  stop(): void;
}

/** @param report takes one line about a look that failed */
export const createPoller = (
  {
    store,
    registry,
    events,
    world,
    clock,
  }: Readonly<{
    store: Store;
    registry: Registry;
    events: EventLog;
    world: World;
    clock: Clock;
  }>,
  apps: readonly App[],
  report: (line: string) => void,
): Poller => {
  const polled = apps.filter(({ poll }) => poll !== undefined);
  let watchers = 0;
  let timer: NodeJS.Timeout | null = null;
  /** Looks that have not ended, and what was told of those that failed last: by workspace and app. */
  const looking = new Set<string>();
  const failing = new Map<string, string>();

  const lookAt = async (workspace: string, app: App): Promise<void> => {
    const root = await world.byRef(workspace, app.id);
    const touches = root && app.poll ? await app.poll(root.resource) : [];
    if (touches.length === 0) return;
    const told = await Promise.all(
      touches.map(async (touch) => ({ ...touch, place: await world.byRef(workspace, touch.resource) })),
    );
    const time_ms = clock.now();
    store.transaction(() => {
      for (const { resource, sentence, by, place } of told)
        events.append({
          workspace,
          connection: null,
          kind: 'change',
          ref: resource,
          body: (seq) => ({
            kind: 'change',
            path: place?.touchedPath ?? resource,
            change: cursorOf(seq),
            sentence,
            by,
            time_ms,
            undone: false,
          }),
          time_ms,
        });
    });
    events.wake();
  };

  /** One app by itself: one that fails or hangs holds up no other, and is told of once as long as it fails alike. */
  const lookAlone = async (workspace: string, app: App): Promise<void> => {
    const key = `${workspace}/${app.id}`;
    if (looking.has(key)) return;
    looking.add(key);
    try {
      await lookAt(workspace, app);
      failing.delete(key);
    } catch (error) {
      const said = String(error);
      if (failing.get(key) !== said)
        report(`looking at ${key} failed: ${error instanceof Error ? error.stack : error}`);
      failing.set(key, said);
    } finally {
      looking.delete(key);
    }
  };

  const look = async (): Promise<void> => {
    try {
      await Promise.all(
        registry
          .workspaces()
          .flatMap(({ name, apps: ids }) =>
            polled.filter(({ id }) => ids.includes(id)).map((app) => lookAlone(name, app)),
          ),
      );
    } catch (error) {
      report(`looking at apps failed: ${error instanceof Error ? error.stack : error}`);
    }
  };

  const stop = (): void => {
    if (timer) clearInterval(timer);
    timer = null;
  };

  return {
    watched: () => {
      watchers += 1;
      if (timer === null && polled.length > 0) {
        timer = setInterval(() => void look(), lookMilliseconds);
        timer.unref();
      }
      let over = false;
      return () => {
        if (over) return;
        over = true;
        watchers -= 1;
        if (watchers === 0) stop();
      };
    },
    stop,
  };
};
