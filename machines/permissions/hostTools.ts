/** What the native tools of hosts do, by the names that their hooks tell (permissions section 10, hosts section 7). */

/**
 * - `search` reads a folder, the whole repository when none is named; `glob` also by its pattern
 * - `pass` touches nothing: lists of what is to do, plans, questions to the user, output of what runs already
 * - `wrapped` carries the name and the arguments of another tool
 */
const toolKinds = [
  'shell',
  'write',
  'delete',
  'read',
  'search',
  'glob',
  'fetch',
  'patch',
  'spawn',
  'browser',
  'pass',
  'mcp',
  'wrapped',
] as const;
export type ToolKind = (typeof toolKinds)[number];

const names: Readonly<Record<ToolKind, readonly string[]>> = {
  shell: ['Bash', 'Shell', 'bash', 'shell', 'run_shell_command', 'execute_command', 'run_commands', 'run_terminal_cmd'],
  write: [
    ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'StrReplace', 'EditNotebook', 'write', 'edit', 'multiedit'],
    ...['write_file', 'replace', 'write_to_file', 'replace_in_file', 'editor', 'apply_diff', 'insert_content'],
  ],
  delete: ['Delete', 'delete_file'],
  read: ['Read', 'NotebookRead', 'read', 'read_file', 'read_files', 'view_image', 'list_code_definition_names'],
  search: [
    ...['Grep', 'LS', 'grep', 'list', 'ls', 'list_files', 'search_files', 'list_directory', 'grep_search'],
    ...['search_file_content', 'search_codebase'],
  ],
  glob: ['Glob', 'glob'],
  fetch: ['WebFetch', 'web_fetch', 'webfetch', 'fetch_web_content'],
  patch: ['ApplyPatch', 'apply_patch', 'patch'],
  spawn: ['Agent', 'Task', 'task', 'new_task', 'spawn_agent'],
  browser: ['browser_action'],
  pass: [
    ...['TodoWrite', 'TodoRead', 'todowrite', 'todoread', 'todo_write', 'write_todos', 'update_plan', 'focus_chain'],
    ...['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'TaskOutput', 'BashOutput', 'ToolSearch', 'tool_search'],
    ...['AskUserQuestion', 'ask_user', 'ask_question', 'ask_followup_question', 'plan_mode_respond'],
    ...['EnterPlanMode', 'ExitPlanMode', 'enter_plan_mode', 'exit_plan_mode', 'attempt_completion', 'submit_and_exit'],
  ],
  mcp: ['use_mcp_tool'],
  wrapped: ['tool_call'],
};

const kinds: ReadonlyMap<string, ToolKind> = new Map(
  toolKinds.flatMap((kind) => names[kind].map((name): [string, ToolKind] => [name, kind])),
);

/** The name under which the server is configured stands in front of the tool, each host with signs of its own. */
const ownTool = /^(?:mcp__telic__|mcp_telic_|telic__|telic_|MCP:)telic_[a-z_]+$/;

/** What a tool does; null for one that is not known, the tools of other MCP servers among them. */
export const kindOfTool = (name: string): ToolKind | null => (ownTool.test(name) ? 'pass' : (kinds.get(name) ?? null));

/** Whether a tool of the server `server` is one of the product's own. */
export const isOwnTool = (server: unknown, tool: unknown): boolean =>
  server === 'telic' && typeof tool === 'string' && /^telic_[a-z_]+$/.test(tool);
