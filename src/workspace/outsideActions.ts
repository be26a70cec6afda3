import { printSegment } from '../../schemas/wire/path.ts';
import type { App } from './apps/app.ts';
import type { World } from './world/world.ts';

/** An action that asks its person, as the settings of the person's page name it. */
export interface OutsideAction {
  /** Of the resource. */
  readonly kind: string;
  readonly action: string;
  readonly label: string;
  readonly destroys: boolean;
}

/** How many resources are looked at before a kind that none of them has is given up. */
const most = 200;

/** The outside actions of an app's kinds. What a kind offers is asked of the first resource of it that is there. */
export const outsideActionsOf = async (
  world: World,
  workspace: string,
  app: App,
): Promise<readonly OutsideAction[]> => {
  if (app.state === 'installed') return [];
  const found: OutsideAction[] = [];
  const seen = new Set<string>();
  const refs: string[] = [app.id];
  for (
    let looked = 0;
    looked < refs.length && looked < most && seen.size < Object.keys(app.kinds).length;
    looked += 1
  ) {
    const place = await world.byRef(workspace, refs[looked] ?? app.id);
    const kind = place && app.kinds[place.resource.kind];
    if (!place || !kind) continue;
    const { resource, ref } = place;
    if (!seen.has(resource.kind)) {
      seen.add(resource.kind);
      for (const { id, kind: reach, label, destroys = false } of kind.actions(resource))
        if (reach === 'outside') found.push({ kind: resource.kind, action: id, label, destroys });
    }
    const children = Object.values(await kind.children(resource)).flat();
    refs.push(...children.slice(0, most).map(({ item }) => `${ref}/${printSegment(item)}`));
  }
  return found;
};
