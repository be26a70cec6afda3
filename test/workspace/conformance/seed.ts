import type { Host } from '../../../src/workspace/host.ts';
import { notebookWrites } from '../../apps/notebook.ts';
import type { Fixture } from './cases.ts';

/** Puts the world of the fixture into a fresh host: its workspaces, and its pages in `home`. */
export const seedFixture = ({ registry, store }: Host, { workspaces, notes }: Fixture): void => {
  const known = registry.workspaces().map(({ name }) => name);
  for (const { name, label, apps } of workspaces)
    if (!known.includes(name)) registry.createWorkspace(name, label, apps);
  const items = notes.flatMap(({ item, blocks }) => [item, ...blocks.map((block) => block.item)]);
  store.transaction(() => {
    store.write('home', 'notes', notebookWrites(notes));
    // No key of the fixture is ever given again.
    store.raiseCounter('home', 'notes', Math.max(...items.map((item) => Number.parseInt(item, 36))) + 1);
  });
};
