/** Where a request of the person goes (workspace-wire section 9). */
export type PersonRoute =
  /** The list of workspaces. */
  | Readonly<{ to: 'choose' }>
  | Readonly<{ to: 'enter' }>
  | Readonly<{ to: 'file'; name: string }>
  /** The page of a workspace, whichever of its views. */
  | Readonly<{ to: 'page'; workspace: string }>
  /** What the page loads and sends: `asks`, `asks/k41v…`, `tokens/…/revoke`. */
  | Readonly<{ to: 'data'; workspace: string; name: string }>;

const word = '[A-Za-z0-9_-]{1,64}';
const file = /^\/page\/([a-z]+\.[a-z]+)$/;
/** The views of the page, each with an address of its own; the asks are at the workspace's. */
const page = new RegExp(`^/w/([^/]+)/(?:asks(?:/${word})?|activity|here|settings)?$`);
const data = new RegExp(`^/w/([^/]+)/person/(${word}(?:/${word}){0,2})$`);

/**
 * @param pathname the path of the request without its query, as it was sent
 * @returns null when no route of the person has this path
 */
export const personRouteOf = (pathname: string): PersonRoute | null => {
  if (pathname === '/') return { to: 'choose' };
  if (pathname === '/enter') return { to: 'enter' };
  const [, name] = file.exec(pathname) ?? [];
  if (name !== undefined) return { to: 'file', name };
  const [, shown] = page.exec(pathname) ?? [];
  if (shown !== undefined) return { to: 'page', workspace: shown };
  const [, workspace, rest] = data.exec(pathname) ?? [];
  return workspace === undefined || rest === undefined ? null : { to: 'data', workspace, name: rest };
};
