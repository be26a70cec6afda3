import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHostCall } from '../../machines/permissions/hostCall.ts';
import { patchTargets } from '../../machines/permissions/patchTargets.ts';
import { rows } from './rows.ts';

const claude = (tool_name: string, tool_input: object) => ({ hook_event_name: 'PreToolUse', tool_name, tool_input });

describe('a hook', () => {
  it.each(rows.hookMapping.map((row) => [row.id, row] as const))('is read as row %s says', (_id, row) => {
    expect(readHostCall(row.input)).toEqual(row.expect);
  });

  it.each<[string, string, object, readonly object[]]>([
    ['OpenCode runs a command', 'bash', { command: 'npm test' }, [{ capability: 'shell.execute', target: 'npm test' }]],
    [
      'OpenCode writes',
      'write',
      { filePath: '/r/a', content: '' },
      [{ capability: 'repository.write', target: '/r/a' }],
    ],
    [
      'Cline runs commands',
      'run_commands',
      { commands: ['npm test', 'id'] },
      [
        { capability: 'shell.execute', target: 'npm test' },
        { capability: 'shell.execute', target: 'id' },
      ],
    ],
    ['Cline edits', 'editor', { path: 'a.ts' }, [{ capability: 'repository.write', target: 'a.ts' }]],
    [
      'Cline reads files',
      'read_files',
      { files: [{ path: 'a.ts', start_line: 1 }, { path: 'b.ts' }] },
      [
        { capability: 'repository.read', target: 'a.ts' },
        { capability: 'repository.read', target: 'b.ts' },
      ],
    ],
    [
      'Qwen wraps a call',
      'tool_call',
      { name: 'Bash', arguments: { command: 'id' } },
      [{ capability: 'shell.execute', target: 'id' }],
    ],
    [
      'a command is to run elsewhere',
      'bash',
      { command: 'npm test', workdir: '/tmp' },
      [{ capability: 'shell.execute', target: 'npm test', directory: '/tmp' }],
    ],
    ['a folder is listed', 'list_directory', { dir_path: 'src' }, [{ capability: 'repository.read', target: 'src' }]],
    ['a sub-agent is started', 'spawn_agent', {}, [{ capability: 'subagent.spawn' }]],
    [
      'a page is opened',
      'browser_action',
      { action: 'launch', url: 'http://localhost:1/' },
      [{ capability: 'browser.inspect', target: 'http://localhost:1/' }],
    ],
    [
      'two paths are named',
      'Write',
      { path: 'a', file_path: '/etc/passwd' },
      [
        { capability: 'repository.write', target: '/etc/passwd' },
        { capability: 'repository.write', target: 'a' },
      ],
    ],
  ])('is understood where %s', (_what, tool, input, requests) => {
    expect(readHostCall(claude(tool, input))).toEqual({ kind: 'requests', requests });
  });

  it.each<[string, unknown]>([
    ['a command in parts', claude('Bash', { command: ['npm', 'test'] })],
    ['a number as a path', claude('Write', { file_path: 7 })],
    ['arguments that are no object', claude('Write', { toString: 1 })],
    ['a list as arguments', { tool_name: 'Bash', tool_input: ['npm test'] }],
    ['a pattern that leaves the folder', claude('Glob', { pattern: '../**' })],
    ['an absolute pattern', claude('Glob', { pattern: '/etc/*' })],
    ['a page in words', claude('web_fetch', { prompt: 'Read https://api.example.com/' })],
    ['a click on a page', claude('browser_action', { action: 'click', coordinate: '1,2' })],
    ['a wrapped wrapper', claude('tool_call', { name: 'tool_call', arguments: {} })],
    ['a wrapped tool of another server', claude('tool_call', { name: 'mcp__x__y', arguments: {} })],
    ['a tool named like a property of every object', claude('constructor', {})],
    ['a patch and a file of another sort', claude('ApplyPatch', { path: 'a' })],
    ['a path that is too long', claude('Write', { file_path: 'a'.repeat(2050) })],
    ['a hook after the call', { hook_event_name: 'PostToolUse', tool_name: 'TodoWrite', tool_input: {} }],
    ['a harmless tool beside an unknown one', { tool_name: 'TodoWrite', toolName: 'FutureTool' }],
    ['a server that only sounds like ours', claude('mcp__telic2__telic_get_run', {})],
    ['a tool of ours on another server', claude('use_mcp_tool', { server_name: 'other', tool_name: 'telic_get_run' })],
  ])('is unknown with %s', (_what, input) => {
    expect(readHostCall(input)).toEqual({ kind: 'unknown' });
  });

  it.each([
    'mcp__telic__telic_get_run',
    'mcp_telic_telic_get_run',
    'telic_telic_get_run',
    'telic__telic_get_run',
    'MCP:telic_get_run',
    'update_plan',
    'todowrite',
    'ToolSearch',
  ])('lets %s pass', (tool) => {
    expect(readHostCall(claude(tool, {}))).toEqual({ kind: 'pass' });
  });

  it('asks about everything that one document names', () => {
    const both = {
      hookName: 'tool_call',
      tool_call: { name: 'run_commands', input: { commands: ['id'] } },
      preToolUse: { toolName: 'write_to_file', parameters: { path: 'a' } },
    };
    expect(readHostCall(both)).toEqual({
      kind: 'requests',
      requests: [
        { capability: 'repository.write', target: 'a' },
        { capability: 'shell.execute', target: 'id' },
      ],
    });
  });

  it('keeps no more of a command than shows that it is too long', () => {
    const call = readHostCall(claude('Bash', { command: 'x'.repeat(100_000) }));
    expect(call).toEqual({ kind: 'requests', requests: [{ capability: 'shell.execute', target: 'x'.repeat(2049) }] });
  });

  it('is read without an exception, whatever stands in it', () => {
    const keys = fc.constantFrom(
      'tool_name',
      'tool_input',
      'toolName',
      'command',
      'file_path',
      'preToolUse',
      'hookName',
    );
    const tools = fc.constantFrom('Bash', 'Write', 'Read', 'ApplyPatch', 'tool_call', 'WebFetch', 'Glob');
    fc.assert(
      fc.property(fc.dictionary(keys, fc.oneof(tools, fc.jsonValue())), (document) => {
        expect(['requests', 'pass', 'unknown', 'malformed']).toContain(readHostCall(document).kind);
      }),
    );
  });
});

describe('a patch', () => {
  const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

  it('names its files also with other line ends and blanks around it', () => {
    expect(patchTargets(`\n${patch('*** Delete File: a b.ts', '*** End of File').replaceAll('\n', '\r\n')}\n`)).toEqual(
      [{ capability: 'repository.delete', target: 'a b.ts' }],
    );
  });

  it.each<[string, string]>([
    ['nothing in it', patch()],
    ['no end', '*** Begin Patch\n*** Add File: a\n+x'],
    ['something after its end', `${patch('*** Add File: a', '+x')}\nrm -rf .`],
    ['a header that nobody knows', patch('*** Rename File: a', '*** Add File: b', '+x')],
    ['a header without a name', patch('*** Add File: ', '+x')],
    ['a header that some readers take for content', patch('*** Update File: a', ' *** Delete File: b')],
  ])('is unknown with %s', (_what, text) => {
    expect(patchTargets(text)).toBeNull();
  });

  it('reads the list that Cline repeats as text as that list, and any other text as it stands', () => {
    const said = (parameters: object): object => ({
      hookName: 'tool_call',
      tool_call: { name: 'run_commands', input: { commands: ['npm test'] } },
      preToolUse: { toolName: 'run_commands', parameters },
    });
    const one = { capability: 'shell.execute', target: 'npm test' };
    expect(readHostCall(said({ commands: '["npm test"]' }))).toEqual({ kind: 'requests', requests: [one] });
    expect(readHostCall(said({ commands: '["id"]' }))).toEqual({
      kind: 'requests',
      requests: expect.arrayContaining([one, { capability: 'shell.execute', target: '["id"]' }]),
    });
  });
});
