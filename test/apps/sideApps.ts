import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { App, Children } from '../../src/workspace/apps/app.ts';
import { action, defineApp, kind, p, pageChildren } from '../../src/workspace/apps/defineApp.ts';

/** Apps in the states that an app can be in, each as small as it can be. */

const bare = (app: Pick<App, 'id' | 'label' | 'state'> & Partial<Pick<App, 'start'>>): App =>
  defineApp({
    ...app,
    version: 1,
    root: { name: 'main', kind: app.id },
    history: false,
    kinds: {
      [app.id]: kind({
        fields: z.object({}),
        lists: {},
        noun: 'thing',
        nouns: 'things',
        children: () => ({}),
        read: () => ({ fields: {}, children: {} }),
        find: ({ label }) => ({ label, content: '', action: 'open' }),
        actions: () => [
          action({
            id: 'echo',
            label: 'Echo',
            kind: 'read',
            params: { text: p.text({ required: true }) },
            plan: (_ctx, { text }) => ({ result: text }),
          }),
        ],
      }),
    },
  });

/** Works without a document of its own. */
export const echo = bare({ id: 'echo', label: 'Echo', state: 'service' });

/** Known, and not started. */
export const attic = bare({ id: 'attic', label: 'Attic', state: 'installed' });

/** Breaks when it is started. */
export const brittle = bare({
  id: 'brittle',
  label: 'Brittle',
  state: 'running',
  start: () => {
    throw new Error('broke at its start');
  },
});

const Readings = z.object({ by: z.string(), values: z.record(z.string(), z.number()) });
type Readings = z.infer<typeof Readings>;

/** An app whose state is a file that somebody else writes. */
export interface Elsewhere {
  readonly app: App;
  /** Changes a reading as the other side would. */
  set(name: string, value: number, by: string): void;
}

export const createElsewhere = (directory: string): Elsewhere => {
  const file = join(directory, 'readings.json');
  const readings = (): Readings =>
    existsSync(file) ? Readings.parse(JSON.parse(readFileSync(file, 'utf8'))) : { by: '', values: {} };
  const list = (): Children => ({
    readings: Object.keys(readings().values)
      .sort()
      .map((name) => ({ item: name, name })),
  });
  const told = new Map<string, Readings['values']>();
  const app = defineApp({
    id: 'weather',
    label: 'Weather',
    state: 'running',
    version: 1,
    root: { name: 'station', kind: 'weather' },
    history: false,
    kinds: {
      weather: kind({
        fields: z.object({}),
        lists: { readings: 'weather.Reading' },
        noun: 'station',
        nouns: 'stations',
        children: list,
        read: (root, page) => ({ fields: {}, ...pageChildren(root, list(), page) }),
        find: ({ label }) => ({ label, content: '', action: null }),
        actions: () => [],
      }),
      'weather.Reading': kind({
        fields: z.object({ value: z.number().nullable() }),
        lists: {},
        noun: 'reading',
        nouns: 'readings',
        children: () => ({}),
        read: ({ item }) => ({ fields: { value: readings().values[item] ?? null }, children: {} }),
        find: ({ label }) => ({ label, content: '', action: 'open' }),
        actions: () => [],
      }),
    },
    poll: ({ workspace, path }) => {
      const { by, values } = readings();
      const before = told.get(workspace);
      told.set(workspace, values);
      return Object.entries(values)
        .filter(([name, value]) => before !== undefined && before[name] !== value)
        .map(([name, value]) => ({ resource: `${path}/${name}`, sentence: `read ${value}`, by }));
    },
  });
  return {
    app,
    set: (name, value, by) => {
      writeFileSync(file, JSON.stringify({ by, values: { ...readings().values, [name]: value } }));
    },
  };
};
