import type { App, Kind } from '../../../src/workspace/apps/app.ts';

/** The same app, of which `share` begins and never ends: what a host that is killed meanwhile was doing. */
export const hangingShare = (app: App): App => ({
  ...app,
  kinds: Object.fromEntries(
    Object.entries(app.kinds).map(([name, kind]): [string, Kind] => [
      name,
      {
        ...kind,
        actions: (resource) =>
          kind
            .actions(resource)
            .map((action) =>
              action.kind === 'outside' && action.id === 'share'
                ? { ...action, effect: () => new Promise<never>(() => {}) }
                : action,
            ),
      },
    ]),
  ),
});
