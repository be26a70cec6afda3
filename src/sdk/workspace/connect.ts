import { createLink, type Timing, usualTiming } from './link.ts';
import { createSpace, type Space } from './space.ts';

export interface ConnectOptions {
  /** The address of the host: `http://127.0.0.1:4747`. */
  readonly url: string | URL;
  readonly token: string;
  /** What the client calls itself; people read it beside its changes. */
  readonly name?: string;
  /** A session to go on with. Null for none: the calls are made on the token's default connection, as scripts do. */
  readonly session?: string | null;
  readonly timing?: Partial<Timing>;
}

/** One workspace of a host. */
export interface Workspace extends Space {
  readonly name: string;
}

/** A host's account: what is in all its workspaces, its paths beginning with theirs, and the way to each of them. */
export interface Account extends Space {
  /** The workspace of this name; it is first called when it is first used. The same name gives the same connection. */
  workspace(name: string, options?: { readonly session?: string | null }): Workspace;
}

/**
 * Connects to a host of workspaces and opens a session at its account, or resumes one.
 *
 * @throws ProtocolError when the host cannot be reached or does not take the token
 */
export const connect = async (options: ConnectOptions): Promise<Account> => {
  const { url, token, name = 'telic-sdk', session } = options;
  const timing = { ...usualTiming, ...options.timing };
  const base = String(url).replace(/\/+$/, '');
  const linkTo = (path: string, resumed: string | null | undefined) =>
    createLink({ endpoint: new URL(`${base}${path}`), token, name, session: resumed, timing });

  const link = linkTo('/mcp', session);
  await link.open();
  const account = createSpace(link);
  const workspaces = new Map<string, Workspace>();
  return Object.assign(account, {
    workspace: (called: string, { session: own }: { readonly session?: string | null } = {}): Workspace => {
      const known = workspaces.get(called);
      if (known && own === undefined) return known;
      const resumed = own === undefined && session === null ? null : own;
      const space = createSpace(linkTo(`/w/${encodeURIComponent(called)}/mcp`, resumed));
      const workspace = Object.assign(space, { name: called });
      workspaces.set(called, workspace);
      return workspace;
    },
    close: async () => {
      await Promise.all([link, ...workspaces.values()].map((one) => one.close()));
    },
  });
};
