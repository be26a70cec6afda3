/** Where a request goes (workspace-wire 2.1). */
export type Route =
  /** A workspace's endpoint, or the account's (`workspace: null`). */
  | Readonly<{ to: 'mcp'; workspace: string | null }>
  | Readonly<{ to: 'health' }>
  /** The person's page, if it knows the path. */
  | Readonly<{ to: 'person' }>;

/** @param pathname the path of the request without its query, as it was sent */
export const routeOf = (pathname: string): Route => {
  if (pathname === '/mcp') return { to: 'mcp', workspace: null };
  if (pathname === '/healthz') return { to: 'health' };
  const workspace = /^\/w\/([^/]+)\/mcp$/.exec(pathname)?.[1];
  return workspace === undefined ? { to: 'person' } : { to: 'mcp', workspace };
};

/** How the log names a route: what a caller wrote into a path is not repeated, for it may hold anything. */
export const routeName = (route: Route): string =>
  route.to === 'mcp' ? (route.workspace === null ? '/mcp' : '/w/…/mcp') : route.to === 'health' ? '/healthz' : 'page';
