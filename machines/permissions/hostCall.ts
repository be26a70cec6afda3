import { isJsonObject } from '../../schemas/jsonObject.ts';
import type { ActionCapability } from '../../schemas/vocabulary.ts';
import { isOwnTool, kindOfTool, type ToolKind } from './hostTools.ts';
import { patchTargets } from './patchTargets.ts';
import { isBlank } from './text.ts';

/** One use of a capability that a native tool call needs. */
export interface CallRequest {
  readonly capability: ActionCapability;
  readonly target?: string;
  /** Where a command is to run, if the call says so. */
  readonly directory?: string;
}

/** What a hook asks about. Rule: permissions section 10. */
export type HostCall =
  | Readonly<{ kind: 'requests'; requests: readonly CallRequest[] }>
  /** Known to be harmless. */
  | Readonly<{ kind: 'pass' }>
  /** Anything else, the tools of other MCP servers included. */
  | Readonly<{ kind: 'unknown' }>
  /** No JSON object. */
  | Readonly<{ kind: 'malformed' }>;

type Fields = Readonly<Record<string, unknown>>;

const pass: HostCall = { kind: 'pass' };
const unknown: HostCall = { kind: 'unknown' };

/** The trace keeps no longer target, and a check takes none (permissions section 9). */
const longest = 2048;

const requests = (list: readonly CallRequest[]): HostCall => {
  if (list.length === 0 || list.some(({ target }) => target !== undefined && target.length > longest + 1))
    return unknown;
  return { kind: 'requests', requests: list };
};

const texts = (value: unknown): readonly string[] | null => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found: string[] = [];
  for (const item of list) {
    if (typeof item !== 'string' || isBlank(item)) return null;
    found.push(item);
  }
  return found;
};

/** The values under any of the keys, equal ones once; null when one of them is no text. A call that says two things needs both. */
const under = (input: Fields, keys: readonly string[], read = texts): readonly string[] | null => {
  const found = new Set<string>();
  for (const key of keys) {
    if (input[key] === undefined || input[key] === null) continue;
    const values = read(input[key]);
    if (values === null) return null;
    for (const value of values) found.add(value);
  }
  return [...found];
};

const pathKeys: readonly string[] = [
  ...['file_path', 'path', 'filePath', 'absolute_path', 'notebook_path', 'target_notebook', 'target_file'],
  ...['dir_path', 'target_directory', 'paths', 'file_paths', 'files'],
];

/** A path, or an entry of a list that holds one: `{ path, start_line }`. */
const pathTexts = (value: unknown): readonly string[] | null => {
  if (!Array.isArray(value)) return texts(value);
  const found: string[] = [];
  for (const item of value) {
    const paths = isJsonObject(item) ? under(item, pathKeys) : texts(item);
    if (paths === null || paths.length === 0) return null;
    found.push(...paths);
  }
  return found;
};

const onPaths = (capability: ActionCapability, input: Fields, otherwise?: string): HostCall => {
  const paths = under(input, pathKeys, pathTexts);
  if (paths === null) return unknown;
  const targets = paths.length === 0 && otherwise !== undefined ? [otherwise] : paths;
  return requests(targets.map((target) => ({ capability, target })));
};

/** A command that is too long is refused for it however it goes on; the rest is not worth keeping. */
const ofCommand = (command: string, directory: string | undefined): CallRequest => ({
  capability: 'shell.execute',
  target: command.slice(0, longest + 1),
  ...(directory !== undefined && directory !== '.' && { directory }),
});

const directoryKeys = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'dir_path', 'directory'];

const ofShell = (input: Fields): HostCall => {
  const commands = under(input, ['command', 'commands', 'cmd'], (value) =>
    // A list under `command` is one command in parts, which no allow-list entry can equal.
    Array.isArray(value) && value === input.command ? null : texts(value),
  );
  const directories = under(input, directoryKeys);
  if (commands === null || directories === null || directories.length > 1) return unknown;
  return requests(commands.map((command) => ofCommand(command, directories[0])));
};

/** A pattern that could leave the folder that it is searched in. */
const leaves = (pattern: unknown): boolean =>
  typeof pattern === 'string' && (/^[/~]|^[a-z]:|\\/i.test(pattern) || pattern.split('/').includes('..'));

const ofPatch = (input: Fields): HostCall => {
  const patches = under(input, ['patch', 'patchText', 'input', 'command']);
  const named = under(input, ['path', 'file_path']);
  const [patch, ...others] = patches ?? [];
  if (patch === undefined || others.length > 0 || named === null) return unknown;
  const changes = patchTargets(patch);
  if (changes === null) return unknown;
  return requests([...changes, ...named.map((target) => ({ capability: 'repository.write', target }) as const)]);
};

const urlTexts = (value: unknown): readonly string[] | null => {
  if (!Array.isArray(value)) return texts(value);
  const found: string[] = [];
  for (const item of value) {
    const urls = isJsonObject(item) ? texts(item.url) : texts(item);
    if (urls === null) return null;
    found.push(...urls);
  }
  return found;
};

const onUrls = (capability: ActionCapability, input: Fields): HostCall =>
  requests((under(input, ['url', 'urls', 'requests'], urlTexts) ?? []).map((target) => ({ capability, target })));

const ofSpawn = (input: Fields): HostCall => {
  const [target] = under(input, ['subagent_type', 'agent_type', 'agent', 'name']) ?? [];
  return requests([{ capability: 'subagent.spawn', ...(target !== undefined && { target }) }]);
};

const ofWrapped = (input: Fields): HostCall => {
  const [name, ...others] = under(input, ['name', 'tool_name']) ?? [];
  const inner = input.arguments ?? input.args ?? input.input ?? {};
  // A wrapper in a wrapper is nothing that a host makes.
  if (name === undefined || others.length > 0 || !isJsonObject(inner) || kindOfTool(name) === 'wrapped') return unknown;
  return ofTool(name, inner);
};

const ofKind = (kind: ToolKind, input: Fields): HostCall => {
  switch (kind) {
    case 'shell':
      return ofShell(input);
    case 'write':
      return onPaths('repository.write', input);
    case 'delete':
      return onPaths('repository.delete', input);
    case 'read':
      return onPaths('repository.read', input);
    case 'search':
      return onPaths('repository.read', input, '.');
    case 'glob':
      return leaves(input.pattern) ? unknown : onPaths('repository.read', input, '.');
    case 'fetch':
      return onUrls('network.read', input);
    case 'patch':
      return ofPatch(input);
    case 'spawn':
      return ofSpawn(input);
    case 'browser':
      // What follows the launch happens on a page that the call does not name.
      return input.action === 'launch' ? onUrls('browser.inspect', input) : unknown;
    case 'pass':
      return pass;
    case 'mcp':
      return isOwnTool(input.server_name, input.tool_name) ? pass : unknown;
    case 'wrapped':
      return ofWrapped(input);
  }
};

function ofTool(name: unknown, input: unknown): HostCall {
  const kind = typeof name === 'string' ? kindOfTool(name) : null;
  if (kind === null || !(input === undefined || isJsonObject(input))) return unknown;
  return ofKind(kind, input ?? {});
}

/** The events before a tool runs; a hook of any other event is asked about nothing that can be decided. */
const events: readonly unknown[] = [
  ...[undefined, 'PreToolUse', 'BeforeTool', 'preToolUse', 'beforeShellExecution', 'beforeReadFile'],
  ...['tool.execute.before', 'tool_call'],
];

/**
 * Cline says a call twice, the second time with every value as text: a list that the first one holds is that list there,
 * too. Any other text stays the text that it is.
 */
const likeTwin = (parameters: unknown, twin: unknown): unknown => {
  if (!isJsonObject(parameters) || !isJsonObject(twin)) return parameters;
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => {
      const meant = twin[key];
      return [key, typeof meant === 'object' && JSON.stringify(meant) === value ? meant : value];
    }),
  );
};

/** The spellings in which a document names a tool and its arguments. */
const toolCalls = (document: Fields): readonly HostCall[] => {
  const { preToolUse, tool_call } = document;
  return [
    ...('tool_name' in document ? [ofTool(document.tool_name, document.tool_input)] : []),
    ...('toolName' in document ? [ofTool(document.toolName, document.toolInput)] : []),
    ...(isJsonObject(preToolUse)
      ? [
          ofTool(
            preToolUse.toolName,
            likeTwin(preToolUse.parameters, isJsonObject(tool_call) ? tool_call.input : undefined),
          ),
        ]
      : []),
    ...(isJsonObject(tool_call) ? [ofTool(tool_call.name, tool_call.input)] : []),
  ];
};

/** What stands beside the tool: the command or the file of a hook that knows no tool names. */
const bareCalls = ({ command, file_path, cwd }: Fields): readonly HostCall[] => [
  ...(command === undefined ? [] : [ofShell({ command, cwd })]),
  ...(file_path === undefined ? [] : [onPaths('repository.read', { file_path })]),
];

const isSame = (one: CallRequest, other: CallRequest): boolean =>
  one.capability === other.capability && one.target === other.target && one.directory === other.directory;

/**
 * What a hook's document asks about, whichever host sent it: everything that it names must be allowed, so a document that
 * says two things asks about both, and one part that is not understood makes the whole unknown. Pure; the capability and
 * target as written, nothing is resolved. Rule: permissions section 10, input forms.
 *
 * @param document the parsed JSON of the hook's standard input
 */
export const readHostCall = (document: unknown): HostCall => {
  if (!isJsonObject(document)) return { kind: 'malformed' };
  if (!events.includes(document.hook_event_name) || !events.includes(document.hookName)) return unknown;
  const calls = [...toolCalls(document), ...bareCalls(document)];
  if (calls.length === 0 || calls.some(({ kind }) => kind === 'unknown')) return unknown;
  const all: CallRequest[] = [];
  for (const call of calls)
    for (const request of call.kind === 'requests' ? call.requests : [])
      if (!all.some((known) => isSame(known, request))) all.push(request);
  return all.length === 0 ? pass : requests(all);
};
