import { guardedApp } from './appFault.ts';
import type { App } from './apps/app.ts';
import { at, refuse, say } from './failure.ts';
import type { WorldPorts } from './world/world.ts';

/** The apps that a host knows, each started when it is first used. */
export type Shelf = Pick<WorldPorts, 'app' | 'definition'> & Readonly<{ apps: readonly App[] }>;

/**
 * @param defined in the order in which listings show them
 * @param report takes one line about an app that did not start
 * @throws Error when two apps share an id
 */
export const createShelf = (defined: readonly App[], report: (line: string) => void): Shelf => {
  const apps = defined.map(guardedApp);
  const byId = new Map(apps.map((app) => [app.id, app]));
  if (byId.size < apps.length) throw new Error('Two apps of a host have the same id.');
  const starting = new Map<string, Promise<void>>();
  const crashed = new Set<string>();

  const started = async (app: App): Promise<void> => {
    let start = starting.get(app.id);
    if (start === undefined) {
      start = (async () => app.start?.())();
      starting.set(app.id, start);
    }
    try {
      await start;
    } catch (error) {
      if (!crashed.has(app.id)) report(`app ${app.id} did not start: ${error instanceof Error ? error.stack : error}`);
      crashed.add(app.id);
      throw refuse('app_stopped', say`${app.label} stopped when it was started.`, [
        say`tilo_ls ${at('apps')} lists the apps and which of them run`,
      ]);
    }
  };

  return {
    apps,
    app: async (id) => {
      const app = byId.get(id);
      if (app === undefined)
        throw refuse('unknown_app', say`There is no app called ${JSON.stringify(id)}.`, [
          say`tilo_ls ${at('apps')} lists them`,
        ]);
      if (app.state === 'installed')
        throw refuse('app_stopped', say`${app.label} is installed and has not been started.`, [
          say`tilo_ls ${at('apps')} lists the apps and which of them run`,
        ]);
      await started(app);
      return app;
    },
    definition: (id) => {
      const app = byId.get(id);
      return app === undefined ? null : { app, state: crashed.has(id) ? 'installed' : app.state };
    },
  };
};
