import { describe, expect, it } from 'vitest';
import { authorize } from '../../machines/permissions/authorize.ts';
import { type BrokerState, brokerDecision } from '../../machines/permissions/brokerDecision.ts';
import { requestFault } from '../../machines/permissions/command.ts';
import { decideTarget } from '../../machines/permissions/decideTarget.ts';
import { normalizeHost } from '../../machines/permissions/host.ts';
import { normalizePath } from '../../machines/permissions/pathTarget.ts';
import {
  capabilitiesOf,
  covers,
  emptyPermissions,
  grantedSet,
  keepCapabilities,
} from '../../machines/permissions/permissionSet.ts';
import { type PathAction, protection } from '../../machines/permissions/protectedPath.ts';
import { isScope, scopeMatches } from '../../machines/permissions/scope.ts';
import { hostForRecord, readWebTarget } from '../../machines/permissions/webTarget.ts';
import { actionCapabilities, inspectTargets } from '../../schemas/vocabulary.ts';

/** Cases beside the conformance rows, one step to either side of a bound or an anchor of the rules. */

const many = (count: number, of: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => of(at));

describe('a scope', () => {
  it('holds no segment that leads upward, wherever it stands', () => {
    for (const scope of ['..', '../a', 'a/../b', 'a/..']) expect(isScope(scope), scope).toBe(false);
  });

  it('may hold a colon, but begins with no drive', () => {
    expect([isScope('src/a:b'), isScope('ab:c'), isScope('c:/x'), isScope('C:')]).toEqual([true, true, false, false]);
  });

  it.each([
    ['src/a*b', 'src/ab', true],
    ['src/*.ts', 'src/x.ts', true],
    ['src/a*', 'src/a', true],
    ['src/a*b*c', 'src/a-b-c', true],
    ['src/a?c', 'src/ac', false],
    ['src/a*b', 'src/a', false],
    // The letters of the scope itself name the file, even where a wildcard would not reach it.
    ['.x*', '.x*', true],
    ['.x*', '.xy', false],
  ] as const)('%s against %s is %s', (scope, path, matches) => {
    expect(scopeMatches(scope, path)).toBe(matches);
  });
});

describe('a protected path', () => {
  it('is Git data by whole segments, not by the end of a name', () => {
    const actions: readonly PathAction[] = ['read', 'write', 'delete'];
    for (const action of actions) {
      for (const path of ['.git', 'a/.git/config', 'git~1/x', '.git:stream'])
        expect(protection(path, action), path).toBe('never');
      for (const path of ['site.git', 'site.git/config', 'agit~1', '.github/x'])
        expect(protection(path, action), path).toBe('open');
    }
  });

  it('may be read where only a change is closed, and so may the root', () => {
    const reading = { ...emptyPermissions(), repository: { read: ['.mcp.json', '**'], write: ['**'], delete: [] } };
    const at = (path: string) => ({ target: path, resolved: { ok: true, lexical: path, real: path } as const });
    expect(decideTarget({ capability: 'repository.read', ...at('.cursor/mcp.json') }, reading)).toBe('ok');
    expect(decideTarget({ capability: 'repository.write', ...at('.cursor/mcp.json') }, reading)).toBe('protected_path');
    expect(decideTarget({ capability: 'repository.read', ...at('.') }, reading)).toBe('ok');
    expect(decideTarget({ capability: 'repository.write', ...at('.') }, reading)).toBe('repository_root');
  });
});

describe('the files of hosts and gates', () => {
  const files = [
    '.cursor/hooks.json',
    '.cursor/mcp.json',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.codex/hooks.json',
    '.codex/config.toml',
    '.cline/hooks.json',
    '.cline/mcp.json',
    '.roo/hooks.json',
    '.roo/mcp.json',
    '.mcp.json',
    '.kiro/settings/mcp.json',
    '.gemini/settings.json',
    '.vscode/settings.json',
    '.vscode/tasks.json',
    '.vscode/mcp.json',
  ];
  const folders = ['.cursor/hooks', '.claude/hooks', '.clinerules/hooks', '.cline/hooks', '.roo/hooks'];

  it.each(files)('%s is changed by its exact name alone', (file) => {
    expect(protection(file, 'read')).toBe('open');
    for (const action of ['write', 'delete'] as const) {
      expect(protection(file, action)).toBe('exact');
      expect(protection(file.toUpperCase(), action)).toBe('exact');
      expect(protection(`${file}x`, action)).toBe('open');
      expect(protection(`sub/${file}`, action)).toBe('open');
    }
  });

  it.each(folders)('%s and all below it is, too', (folder) => {
    for (const path of [folder, `${folder}/run.sh`, `${folder}/a/b`]) expect(protection(path, 'write')).toBe('exact');
    expect(protection(`${folder}x/run.sh`, 'write')).toBe('open');
  });

  it.each(
    [...new Set([...files, ...folders].map((path) => path.split('/')[0] ?? ''))].filter((top) => top !== '.mcp.json'),
  )('%s, which holds some, is not deleted as a whole but may be written beside them', (top) => {
    expect(protection(top, 'delete')).toBe('exact');
    expect(protection(top, 'write')).toBe('open');
    expect(protection(`${top}/other.txt`, 'delete')).toBe('open');
  });
});

describe('the root of the repository', () => {
  it.each([
    ['.', '.'],
    ['.', 'src'],
    ['link', '.'],
  ])('is not changed when a target is %s and leads to %s', (lexical, real) => {
    const all = { ...emptyPermissions(), repository: { read: ['**'], write: ['**'], delete: ['**'] } };
    const target = { target: lexical, resolved: { ok: true, lexical, real } as const };
    expect(decideTarget({ capability: 'repository.write', ...target }, all)).toBe('repository_root');
    expect(decideTarget({ capability: 'repository.delete', ...target }, all)).toBe('repository_root');
  });
});

describe('one capability of a full set', () => {
  const full = grantedSet({ capabilities: actionCapabilities, commands: ['npm test'], hosts: ['a.example'] });
  const targets: Readonly<Record<string, string>> = {
    repository: 'src/a.ts',
    'shell.inspect': inspectTargets[0],
    'shell.execute': 'npm test',
    runtime: 'local',
    network: 'https://a.example/',
    browser: 'https://a.example/',
    external: 'https://a.example/',
    subagent: 'reader',
  };
  const requestOf = (capability: (typeof actionCapabilities)[number]) => {
    const target = targets[capability] ?? targets[capability.split('.')[0] ?? ''];
    return { capability, target, resolved: { ok: true, lexical: 'src/a.ts', real: 'src/a.ts' } as const };
  };

  it.each(actionCapabilities)('%s is kept alone, taken out alone, and decides alone', (capability) => {
    const alone = keepCapabilities(full, (one) => one === capability);
    const others = keepCapabilities(full, (one) => one !== capability);
    expect(capabilitiesOf(alone)).toEqual([capability]);
    expect(capabilitiesOf(others)).toEqual(actionCapabilities.filter((one) => one !== capability));
    for (const one of actionCapabilities)
      expect(decideTarget(requestOf(one), alone), one).toBe(one === capability ? 'ok' : 'not_granted');
  });
});

describe('a path', () => {
  it.each([
    ['../../a', '../../a'],
    ['a/../../b', '../b'],
    ['..', '..'],
    ['a/..', '.'],
    ['./a//b/.', 'a/b'],
    ['/a/../b', '/b'],
  ])('%s is recorded as %s', (target, folded) => {
    expect(normalizePath(target)).toBe(folded);
  });
});

describe('a host', () => {
  it.each([
    ['  a.example  ', 'a.example'],
    ['a.1b', 'a.1b'],
    ['a.b1', 'a.b1'],
    ['a.1', null],
    ['a.0x1', null],
  ])('%s is read as %s', (text, host) => {
    expect(normalizeHost(text)).toBe(host);
  });

  it('with anything behind its port is none', () => {
    expect(readWebTarget('http://a.example:80:90/', true)).toEqual({ ok: false, fault: 'host_malformed' });
    expect(readWebTarget('http://[::1]x/', true)).toEqual({ ok: false, fault: 'host_malformed' });
    expect(readWebTarget('http://[::1]:8080/', true)).toEqual({ ok: true, host: '::1' });
  });
});

describe('a command', () => {
  it.each([
    'eval',
    'exec',
    'source',
    '.',
    'sudo',
    'su',
    'doas',
    'env',
    'xargs',
    'command',
    'builtin',
    'nohup',
    'sh',
    'bash',
    'dash',
    'zsh',
    'ksh',
    'fish',
    'pwsh',
    'powershell',
    'cmd',
  ])('that begins with %s starts another program', (launcher) => {
    expect(requestFault(`${launcher} x`)).toBe('command_launcher');
    expect(requestFault(`/usr/bin/${launcher}`)).toBe('command_launcher');
    expect(requestFault(`${launcher}x y`)).toBeNull();
  });

  it('names no variable of another shell, with whatever modifier', () => {
    for (const command of ['echo %PATH%', 'echo %PATH:~0,5%', 'echo %A:b=c%', 'echo %A:%'])
      expect(requestFault(command), command).toBe('command_compound');
    for (const command of ['echo 5% %', 'date +%Y-%m', 'echo %1%']) expect(requestFault(command), command).toBeNull();
  });

  it('names no home directory, at its start as little as after a blank, a quote or an equals sign', () => {
    for (const command of ['~/bin/x', 'ls ~', 'ls "~/x"', "ls '~'", 'make -C=~/x', 'scp a:~/x'])
      expect(requestFault(command), command).toBe('command_compound');
    expect(requestFault('ls a~')).toBeNull();
  });

  it('has between 1 and 2,048 characters', () => {
    expect(requestFault('')).toBe('command_length');
    expect(requestFault('x'.repeat(2048))).toBeNull();
    expect(requestFault('x'.repeat(2049))).toBe('command_length');
  });
});

describe('a web target', () => {
  it('has a scheme of exactly http or https', () => {
    for (const target of ['https+x://a.example/', 'httpx://a.example/', 'xhttp://a.example/', 'ws://a.example/'])
      expect(readWebTarget(target, true), target).toEqual({ ok: false, fault: 'scheme_not_allowed' });
  });

  it('has a port between 1 and 65,535', () => {
    for (const port of [1, 65_535])
      expect(readWebTarget(`http://a.example:${port}/`, true)).toEqual({ ok: true, host: 'a.example' });
    for (const port of [0, 65_536])
      expect(readWebTarget(`http://a.example:${port}/`, true)).toEqual({ ok: false, fault: 'host_malformed' });
  });

  it('is recorded by its host also without a scheme', () => {
    expect(hostForRecord('a.example:8080/x')).toBe('a.example');
  });
});

describe('a permission set', () => {
  it('of a list alone holds no command and no host', () => {
    expect(grantedSet({ capabilities: ['shell.execute', 'network.read'] })).toEqual(emptyPermissions());
  });

  it('covers sub-agents only where it allows one', () => {
    const spawning = grantedSet({ capabilities: ['subagent.spawn'] });
    expect(covers(spawning, 'subagent.spawn')).toBe(true);
    expect(covers({ ...spawning, subagents: { ...spawning.subagents, maximumChildren: 0 } }, 'subagent.spawn')).toBe(
      false,
    );
  });
});

describe('a broker decision', () => {
  const state: BrokerState = {
    mode: 'fix_only',
    status: 'running',
    authority: null,
    envelopeRef: null,
    phasePermissions: emptyPermissions(),
    scope: 'envelope',
  };

  it('cites no envelope where there is none', () => {
    expect(brokerDecision({ capability: 'repository.read' }, state).permissionDecision.policyRefs).toEqual([]);
  });

  it('records an unknown capability as it was written, cut to 255 characters', () => {
    const recorded = (capability: string): string =>
      brokerDecision({ capability }, state).permissionDecision.capability;
    expect(recorded('runtime.mutate')).toBe('runtime.mutate');
    expect(recorded('x'.repeat(300))).toBe('x'.repeat(255));
  });
});

describe('the lists of a start', () => {
  const shell = ['shell.execute', 'network.read'];
  it.each([
    ['ADM-START-04', 'host_capabilities', { hostCapabilities: many(257, () => 'repository.read') }],
    ['ADM-START-04', 'authorization_granted', { granted: many(257, () => 'repository.read') }],
    ['ADM-START-04', 'authorization_denied', { denied: many(257, () => 'repository.read') }],
    [
      'ADM-START-05',
      'shell_execute_allowlist',
      { hostCapabilities: shell, granted: shell, commands: many(257, (at) => `run ${at}`) },
    ],
    [
      'ADM-START-06',
      'network_read_domains',
      { hostCapabilities: shell, granted: shell, hosts: many(257, (at) => `h${at}.example`) },
    ],
    ['ADM-START-11', 'host_capabilities.0', { hostCapabilities: ['repository.erase'] }],
    ['ADM-START-11', 'authorization_granted.0', { granted: ['repository.erase'] }],
    ['ADM-START-11', 'authorization_denied.0', { denied: ['repository.erase'] }],
  ] as const)('%s is told at %s', (code, path, more) => {
    const result = authorize({ mode: 'analyze_and_fix', ...more });
    expect(result.ok ? [] : result.findings.map((one) => [one.code, one.path])).toEqual([[code, path]]);
  });

  it('take 256 entries', () => {
    const hosts = many(256, (at) => `h${at}.example`);
    const commands = many(256, (at) => `run ${at}`);
    const result = authorize({ mode: 'analyze_and_fix', hostCapabilities: shell, granted: shell, commands, hosts });
    expect(result.ok).toBe(true);
  });
});
