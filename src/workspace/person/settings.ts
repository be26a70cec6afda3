import type { PreallowRequest, PreallowRow, Settings, TokenInfo } from '../../../schemas/wire/person.ts';
import type { Host } from '../host.ts';
import type { TokenRow } from '../store/store.ts';

/** What the settings are read from. */
export type SettingsHost = Pick<Host, 'registry' | 'outsideActions'>;

const tokenInfo = ({ run: _run, ...token }: TokenRow): TokenInfo => token;

/** The tokens that open a workspace: its own and those of the whole account. */
export const tokensOf = ({ registry }: Pick<Host, 'registry'>, workspace: string): TokenInfo[] =>
  registry
    .tokens()
    .filter((token) => token.workspace === null || token.workspace === workspace)
    .map(tokenInfo);

/** Every action that asks, and whether it is always allowed; those of kinds that nothing has any more only while they are. */
const preallowRows = async ({ registry, outsideActions }: SettingsHost, workspace: string): Promise<PreallowRow[]> => {
  const known = await outsideActions(workspace);
  const isKnown = (kind: string, action: string): boolean =>
    known.some((row) => row.kind === kind && row.action === action);
  return [
    ...known.map((row) => ({ ...row, allowed: registry.isPreallowed(workspace, row.kind, row.action) })),
    ...registry
      .preallowed(workspace)
      .filter(({ kind, action }) => !isKnown(kind, action))
      .map(({ kind, action }) => ({ kind, action, label: action, allowed: true, destroys: false })),
  ];
};

/** The settings of a workspace (workspace-wire sections 5.3 and 9). */
export const settingsOf = async (host: SettingsHost, workspace: string, person: string): Promise<Settings> => ({
  workspace,
  label: host.registry.workspaces().find(({ name }) => name === workspace)?.label ?? workspace,
  person,
  preallow: await preallowRows(host, workspace),
  tokens: tokensOf(host, workspace),
});

/** Sets "always allow"; false when there is no such action to allow. Taking it back is always possible. */
export const setPreallow = async (
  host: SettingsHost,
  workspace: string,
  { kind, action, allowed }: PreallowRequest,
  person: string,
): Promise<boolean> => {
  if (allowed) {
    const known = await host.outsideActions(workspace);
    if (!known.some((row) => row.kind === kind && row.action === action)) return false;
  }
  host.registry.setPreallow(workspace, kind, action, allowed, person);
  return true;
};
