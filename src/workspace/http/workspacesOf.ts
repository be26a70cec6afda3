import { parsePath } from '../../../schemas/wire/path.ts';
import type { Connection } from '../caller.ts';
import type { Registry } from '../store/store.ts';

const pathsIn = (
  args: Readonly<{ path?: string | undefined; calls?: readonly Readonly<{ path: string }>[] | undefined }>,
) => [...(args.path === undefined ? [] : [args.path]), ...(args.calls ?? []).map(({ path }) => path)];

/**
 * In which workspaces a call is at work: that of its endpoint; at the account endpoint those that its paths begin with.
 * There its agent is seen while it calls (workspace-wire 4.7).
 */
export const workspacesOf = (
  registry: Pick<Registry, 'workspaces'>,
  { endpoint, token }: Connection,
  args: object,
): readonly string[] => {
  if (endpoint !== null) return [endpoint];
  const named = new Set(
    pathsIn(args).flatMap((path) => {
      const parsed = parsePath(path);
      return parsed.ok ? parsed.path.segments.slice(0, 1) : [];
    }),
  );
  if (named.size === 0) return [];
  return registry
    .workspaces()
    .map(({ name }) => name)
    .filter((name) => named.has(name) && (token.workspace === null || token.workspace === name));
};
