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
  let looking = false;

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

  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      for (const { name, apps: ids } of registry.workspaces())
        for (const app of polled.filter(({ id }) => ids.includes(id))) await lookAt(name, app);
    } catch (error) {
      report(`looking at apps failed: ${error instanceof Error ? error.stack : error}`);
    } finally {
      looking = false;
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
