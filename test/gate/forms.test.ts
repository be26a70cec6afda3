import { describe, expect, it } from 'vitest';
import { allowing, asking, type Form, formOf, refusing } from '../../src/gate/form.ts';
import { gateHosts } from '../../src/gate/hosts.ts';
import { telic } from '../cli/console.ts';
import { gateWorld } from './bed.ts';

/** What each host writes on standard input before it runs a command (hosts section 7, permissions section 10). */
const inputs = {
  claude: {
    session_id: 's',
    transcript_path: '/t',
    cwd: '/',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'id' },
    tool_use_id: 'u',
  },
  codex: {
    session_id: 's',
    turn_id: 't',
    transcript_path: null,
    cwd: '/',
    hook_event_name: 'PreToolUse',
    model: 'm',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: 'id' },
    tool_use_id: 'u',
  },
  gemini: {
    session_id: 's',
    transcript_path: '/t',
    cwd: '/',
    hook_event_name: 'BeforeTool',
    timestamp: 't',
    tool_name: 'run_shell_command',
    tool_input: { command: 'id' },
  },
  qwen: {
    session_id: 's',
    transcript_path: '/t',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    timestamp: 't',
    tool_name: 'run_shell_command',
    tool_input: { command: 'id' },
    tool_call_id: 'u',
  },
  opencode: {
    hook_event_name: 'tool.execute.before',
    tool_name: 'bash',
    tool_input: { command: 'id' },
    session_id: 's',
    cwd: '/',
  },
  cline: {
    hookName: 'tool_call',
    taskId: 't',
    workspaceRoots: ['/'],
    tool_call: { id: 'u', name: 'run_commands', input: { commands: ['id'] } },
    preToolUse: { toolName: 'run_commands', parameters: { commands: ['id'] } },
  },
  cursor: {
    hook_event_name: 'preToolUse',
    conversation_id: 'c',
    tool_name: 'Shell',
    tool_input: { command: 'id' },
  },
} as const;

const shared = {
  decision: 'block',
  reason: expect.stringContaining('Telic refuses'),
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('Telic refuses'),
  },
};
const permission = {
  permission: 'deny',
  user_message: expect.stringContaining('Telic refuses'),
  agent_message: expect.stringContaining('Telic refuses'),
};

/** The refusal that each host was seen to obey, and the code with which the process ends. */
const refusals = {
  claude: [{ hookSpecificOutput: shared.hookSpecificOutput }, 0],
  codex: [shared, 0],
  gemini: [{ decision: 'deny', reason: shared.reason }, 0],
  qwen: [shared, 0],
  opencode: [permission, 2],
  cline: [
    {
      overrideInput: { commands: [expect.stringMatching(/^echo [A-Za-z :.]+$/)] },
      contextModification: shared.reason,
    },
    0,
  ],
  cursor: [permission, 0],
} as const;

const allowances = {
  claude: {},
  codex: {},
  gemini: {},
  qwen: {},
  opencode: { permission: 'allow' },
  cline: { cancel: false },
  cursor: { permission: 'allow' },
} as const;

describe('the answer to a host', () => {
  it.each(gateHosts)('refuses in the form of %s', async (host) => {
    const world = gateWorld({}, 'folder');
    const options = { cwd: world.root, env: world.env, input: JSON.stringify(inputs[host]) };
    const said = await telic(['broker-gate', '--host', host, '--strict'], options);
    const [out, exit] = refusals[host];
    expect(JSON.parse(said.out)).toEqual(out);
    expect(said.exit).toBe(exit);
    expect(said.err).toContain('Telic refuses');
  });

  it.each(gateHosts)('allows in the form of %s, and takes no question from its user', async (host) => {
    const world = gateWorld({}, 'folder');
    const options = { cwd: world.root, env: world.env, input: JSON.stringify(inputs[host]) };
    const said = await telic(['broker-gate', '--host', host], options);
    expect(JSON.parse(said.out)).toEqual(allowances[host]);
    expect(said.exit).toBe(0);
  });

  it.each<[string, unknown, Form]>([
    ['Claude Code', inputs.claude, 'shared'],
    ['Codex', inputs.codex, 'shared'],
    ['Qwen', inputs.qwen, 'shared'],
    ['Gemini', inputs.gemini, 'gemini'],
    ['OpenCode', inputs.opencode, 'opencode'],
    ['Cline on the command line', inputs.cline, 'cline'],
    ['Cline in an editor', { hookName: 'PreToolUse', preToolUse: {} }, 'extension'],
    ['Cursor', inputs.cursor, 'cursor'],
    ['Cursor before a command', { command: 'id', cwd: '.' }, 'cursor'],
    ['Cursor before it reads', { hook_event_name: 'beforeReadFile', file_path: 'a' }, 'cursor'],
    ['nobody that is known', { tool_name: 'Write', tool_input: {} }, 'plain'],
    ['nobody', null, 'plain'],
  ])('is in the form of %s by the input alone', (_host, document, form) => {
    expect(formOf(document, null)).toBe(form);
  });

  it('is in the form of the host that was named, whatever the input says', () => {
    expect(formOf(inputs.gemini, 'claude')).toBe('claude');
    expect(formOf(inputs.cline, 'cursor')).toBe('cursor');
    expect(formOf('rubbish', 'cline')).toBe('cline');
    expect(formOf({ hookName: 'PreToolUse' }, 'cline')).toBe('extension');
  });

  it('stops a host that is not known by the exit code', () => {
    expect(refusing('plain', null, 'Why.')).toMatchObject({ exit: 2, err: 'Why.' });
  });

  it('cancels in Cline where no command can stand in for the call', () => {
    const write = { hookName: 'tool_call', tool_call: { name: 'editor', input: { path: 'a' } } };
    const cancel = { cancel: true, errorMessage: 'Why.', contextModification: '' };
    expect(JSON.parse(refusing('cline', write, 'Why.').out)).toEqual(cancel);
    expect(JSON.parse(refusing('extension', inputs.cline, 'Why.').out)).toEqual(cancel);
  });

  it('never says deny beside the form of Claude Code, which would make it void', () => {
    for (const form of ['claude', 'codex', 'qwen', 'shared'] as const) {
      const out: unknown = JSON.parse(refusing(form, null, 'Why.').out);
      expect(out).toHaveProperty('hookSpecificOutput');
      expect(out).not.toHaveProperty('decision', 'deny');
    }
  });

  it('never says allow where that would skip the prompt of the host', () => {
    for (const form of ['claude', 'codex', 'qwen', 'gemini', 'shared'] as const) expect(allowing(form).out).toBe('{}');
  });

  it('asks the user in Claude Code when it was named, and refuses everywhere else', () => {
    expect(JSON.parse(asking('claude', null, 'Why.').out)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'Why.',
      },
    });
    for (const form of [...gateHosts, 'shared', 'extension', 'plain'] as const)
      if (form !== 'claude') expect(asking(form, null, 'Why.')).toEqual(refusing(form, null, 'Why.'));
  });
});
