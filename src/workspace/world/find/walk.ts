import { wireLimits } from '../../../../schemas/wire/limits.ts';
import type { App } from '../../apps/app.ts';
import { branchOf, holds, kindOf, rootOf } from '../places.ts';
import type { Place, StateSource } from '../world.ts';
import { fold } from './fold.ts';
import type { FindRow } from './rows.ts';

/** Every resource of an app, as a search knows it; no deeper than a path reaches. */
export const walkApp = async (states: StateSource, workspace: string, app: App): Promise<readonly FindRow[]> => {
  const rows: FindRow[] = [];
  const visit = async (place: Place): Promise<void> => {
    const { resource, ref, path } = place;
    const kind = kindOf(app, resource.kind);
    const { label, content, action } = await kind.find(resource);
    rows.push({ ref, kind: resource.kind, path, label, content: fold(content), action });
    if (!holds(kind) || resource.items.length + 1 >= wireLimits.pathSegments) return;
    const branch = await branchOf(place);
    for (const sibling of branch.siblings) await visit(branch.placeOf(sibling));
  };
  await visit(rootOf(states, workspace, app));
  return rows;
};
