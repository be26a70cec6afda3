import { z } from 'zod';
import { spaceName } from '../../../schemas/wire/vocabulary.ts';
import type { Clock } from '../sources.ts';
import { StoreError } from './errors.ts';
import type { Registry, Store } from './store.ts';

type Workspaces = Pick<Registry, 'workspaces' | 'createWorkspace'> & { knows(name: string): boolean };

/** What the account's own listing is called, so no workspace may be (workspace-wire section 1). */
const taken = 'workspaces';

/** How the ids of a workspace's apps are stored. */
export const AppIds = z.array(z.string());

interface Row {
  readonly name: string;
  readonly label: string;
  readonly apps: string;
}

const checkName = (name: string): void => {
  if (!spaceName.test(name))
    throw new StoreError(
      'invalid_name',
      `${JSON.stringify(name)} cannot name a workspace: a small letter, then up to 31 small letters, digits and hyphens.`,
    );
  if (name === taken) throw new StoreError('invalid_name', `No workspace can be called ${taken}.`);
};

const checkApps = (apps: readonly string[]): void => {
  for (const id of apps)
    if (!spaceName.test(id) || id === 'apps')
      throw new StoreError('invalid_name', `${JSON.stringify(id)} cannot be the id of an app.`);
  if (new Set(apps).size < apps.length) throw new StoreError('invalid_name', 'A workspace has each app once.');
};

/**
 * The workspaces of an account, read each time: commands of other processes make some while a host runs. `home` is
 * there from the start (workspace-wire section 1).
 */
export const createWorkspaces = ({ db }: Store, clock: Clock): Workspaces => {
  const all = db.prepare<[], Row>('SELECT name, label, apps FROM workspaces ORDER BY ordinal');
  const find = db.prepare<[string], number>('SELECT 1 FROM workspaces WHERE name = ?').pluck();
  const insert = db.prepare<[string, string, string, number]>(
    'INSERT OR IGNORE INTO workspaces (name, label, apps, created_ms) VALUES (?, ?, ?, ?)',
  );
  const make = (name: string, label: string, apps: readonly string[]): boolean =>
    insert.run(name, label, JSON.stringify(apps), clock.now()).changes > 0;

  const knows = (name: string): boolean => find.get(name) !== undefined;
  if (!knows('home')) make('home', 'Home', ['notes']);
  return {
    knows,
    workspaces: () => all.all().map((row) => ({ ...row, apps: AppIds.parse(JSON.parse(row.apps)) })),
    createWorkspace: (name, label, apps) => {
      checkName(name);
      checkApps(apps);
      if (label.trim() === '') throw new StoreError('invalid_name', 'A workspace needs a label.');
      if (!make(name, label, apps)) throw new StoreError('taken', `There is a workspace ${name} already.`);
    },
  };
};
