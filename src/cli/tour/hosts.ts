import { quoted } from '../shellWord.ts';

/** How to add this very installation to a host (hosts section 1). */

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

export interface HostAdvice {
  readonly host: string;
  readonly how: string;
  /** A command, or the text of a configuration file. */
  readonly text: string;
}

/**
 * @param node the program that runs the server; absolute, as a host that is no shell may not find another
 * @param entry the absolute path of the executable file of this package
 */
export const hostAdvice = (node: string, entry: string): readonly HostAdvice[] => {
  const command = `${quoted(node)} ${quoted(entry)} mcp`;
  const server = { command: node, args: [entry, 'mcp'] };
  return [
    { host: 'Claude Code', how: 'run', text: `claude mcp add -s user telic -- ${command}` },
    { host: 'Codex', how: 'run', text: `codex mcp add telic -- ${command}` },
    {
      host: 'Cursor',
      how: 'put into .cursor/mcp.json of your project',
      text: asJson({
        mcpServers: { telic: { ...server, env: { TELIC_REPOSITORY_ROOT: '$' + '{workspaceFolder}' } } },
      }),
    },
    {
      host: 'Any other MCP client',
      how: 'start this over STDIO, in your repository or with TELIC_REPOSITORY_ROOT set to it',
      text: asJson({ mcpServers: { telic: server } }),
    },
  ];
};
