import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryFault, isListedCommand, requestFault } from '../../machines/permissions/command.ts';
import { decideTarget } from '../../machines/permissions/decideTarget.ts';
import { normalizeHost } from '../../machines/permissions/host.ts';
import { isMalformedPath, normalizePath } from '../../machines/permissions/pathTarget.ts';
import { emptyPermissions, grantedSet } from '../../machines/permissions/permissionSet.ts';
import { protection } from '../../machines/permissions/protectedPath.ts';
import { recordedScope } from '../../machines/permissions/recordedScope.ts';
import { hostForRecord, readWebTarget } from '../../machines/permissions/webTarget.ts';
import { actionCapabilities, inspectTargets } from '../../schemas/vocabulary.ts';

const everything = grantedSet({
  capabilities: actionCapabilities,
  commands: ['npm test'],
  hosts: ['api.example.com', '127.0.0.1'],
});

describe('a decision', () => {
  it('is the same for the same request and never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...actionCapabilities), fc.string({ unit: 'binary' }), (capability, target) => {
        const request = { capability, target, resolved: { ok: true, lexical: target, real: target } as const };
        expect(decideTarget(request, everything)).toBe(decideTarget(request, everything));
        expect(decideTarget(request, emptyPermissions())).toBe('not_granted');
      }),
      { numRuns: 2000 },
    );
  });

  it('allows an inspection by one of the six names alone', () => {
    for (const target of inspectTargets)
      expect(decideTarget({ capability: 'shell.inspect', target }, everything)).toBe('ok');
    expect(decideTarget({ capability: 'shell.inspect', target: 'git.push' }, everything)).toBe(
      'inspect_target_unknown',
    );
  });

  it('denies a repository target that the disk was not asked about', () => {
    expect(decideTarget({ capability: 'repository.read', target: 'src/a.ts' }, everything)).toBe('root_unavailable');
  });

  it('looks at the form of a path before the disk, and at protection before scopes', () => {
    const resolved = { ok: false, code: 'symlink_escape' } as const;
    const read = { capability: 'repository.read' } as const;
    expect(decideTarget({ ...read, target: 'a\\b', resolved }, everything)).toBe('target_malformed');
    const none = { ...emptyPermissions(), repository: { read: ['docs/**'], write: [], delete: [] } };
    const git = { ok: true, lexical: '.git/config', real: '.git/config' } as const;
    expect(decideTarget({ ...read, target: '.git/config', resolved: git }, none)).toBe('protected_path');
  });

  it('needs an exact scope for both names of a protected file behind a link', () => {
    const resolved = { ok: true, lexical: 'conf', real: '.env' } as const;
    const set = { ...emptyPermissions(), repository: { read: ['conf', '.env'], write: [], delete: [] } };
    expect(decideTarget({ capability: 'repository.read', target: 'conf', resolved }, set)).toBe('protected_path');
  });

  it('keeps the root from a change through a link to it', () => {
    const resolved = { ok: true, lexical: 'self', real: '.' } as const;
    expect(decideTarget({ capability: 'repository.delete', target: 'self', resolved }, everything)).toBe(
      'repository_root',
    );
    expect(decideTarget({ capability: 'repository.read', target: 'self', resolved }, everything)).toBe('ok');
  });

  it('takes runtime names literally, the mark of denial never', () => {
    const set = { ...emptyPermissions(), runtime: { inspect: ['**', 'l*'], restart: [] } };
    for (const target of ['**', 'local'])
      expect(decideTarget({ capability: 'runtime.inspect', target }, set)).toBe('scope_mismatch');
    expect(decideTarget({ capability: 'runtime.inspect', target: 'l*' }, set)).toBe('ok');
  });
});

describe('protected paths', () => {
  it.each([
    ['.git/config', 'read', 'never'],
    ['a/.GIT/x', 'read', 'never'],
    ['GIT~2/x', 'write', 'never'],
    ['.git::$INDEX_ALLOCATION/config', 'write', 'never'],
    ['.gitignore', 'write', 'open'],
    ['.gitmodules', 'write', 'open'],
    ['git~1x', 'write', 'open'],
    ['.ENV', 'read', 'exact'],
    ['.env.example', 'read', 'open'],
    ['home/.ssh/config', 'read', 'exact'],
    ['home/.\u017fsh/config', 'read', 'exact'],
    ['.Cursor/Hooks.json', 'write', 'exact'],
    ['.cursor/hook\u017f.json', 'write', 'exact'],
    ['.cursor/hooks.json', 'read', 'open'],
    ['.claude/hooks/deep/run.sh', 'delete', 'exact'],
    ['.claude/hooks', 'write', 'exact'],
    ['.claude', 'delete', 'exact'],
    ['.clinerules', 'write', 'open'],
    ['.claude/notes.md', 'delete', 'open'],
    ['packages/a/.mcp.json', 'write', 'open'],
  ] as const)('%s is for a %s %s', (path, action, level) => {
    expect(protection(path, action)).toBe(level);
  });
});

describe('path targets', () => {
  it.each([
    'a:b',
    'file:x',
    'src/a.',
    'src/a ',
    'src/a\u00a0',
    '$x',
    'a%2Fb',
    'a%5cb',
    'a\u200bb',
    'a\ud800b',
    'a\u00adb',
    'x/.../y',
  ])('refuses %j', (target) => {
    expect(isMalformedPath(target)).toBe(true);
  });

  it.each([
    '..notes',
    '../x',
    'a b/c',
    'src/日本.ts',
    'src/é.ts',
    '-rf',
    "it's",
    'a%20b',
    'src/a:b',
    'src/$x',
    './.',
    '/abs/x',
  ])('takes %j', (target) => {
    expect(isMalformedPath(target)).toBe(false);
  });

  it('folds equal files into one spelling', () => {
    for (const target of ['./src//a.ts', 'src/./a.ts', 'x/../src/a.ts', 'src/a.ts/'])
      expect(normalizePath(target)).toBe('src/a.ts');
    expect(normalizePath('a/../../b')).toBe('../b');
    expect(normalizePath('src/..')).toBe('.');
    expect(normalizePath('/etc//passwd')).toBe('/etc/passwd');
  });
});

describe('commands', () => {
  it.each([
    ['', 'command_length'],
    ['x'.repeat(2049), 'command_length'],
    ['npm\u3000test', 'command_control_character'],
    ['npm\u2800test', 'command_confusable'],
    ['npm\u200btest', 'command_control_character'],
    ['a |& b', 'command_compound'],
    ['a <(b)', 'command_compound'],
    ['a --home=~', 'command_compound'],
    ['a "~/b"', 'command_compound'],
    ['a b:~/c', 'command_compound'],
    ['a %PATH:~0,3%', 'command_compound'],
    ["a 'b", 'command_unbalanced_quote'],
    ["it's", 'command_unbalanced_quote'],
    ['X+=1 npm test', 'command_assignment'],
    ['BASH.EXE -c id', 'command_launcher'],
    ['"s"h -c id', 'command_launcher'],
    ['"/usr/bin/env" npm test', 'command_launcher'],
    ['. ./x', 'command_launcher'],
    ['CMD /c dir', 'command_launcher'],
  ] as const)('refuses %j: %s', (command, fault) => {
    expect(requestFault(command)).toBe(fault);
  });

  it.each([
    'git diff HEAD~1',
    'git show HEAD^',
    './scripts/check.sh',
    'date +%Y-%m-%d',
    "npm test -- -t 'a b'",
    'x'.repeat(2048),
    'npm run a:b',
    'bashful run',
    'echo a#b',
    'make CC=gcc',
  ])('takes %j', (command) => {
    expect(entryFault(command)).toBeNull();
  });

  it('equals an entry byte for byte, and placeholders equal nothing', () => {
    expect(isListedCommand('npm test', ['npm test'])).toBe(true);
    expect(isListedCommand('npm  test', ['npm test'])).toBe(false);
    expect(isListedCommand('authorized', ['authorized'])).toBe(false);
    expect(isListedCommand('npm test && id', ['npm test && id'])).toBe(false);
  });

  it('lets no listed command hold a character that joins, expands or hides', () => {
    const alphabet = fc.constantFrom(...' ab.-/\'"=:~#!%;&|<>`$(){}\\*?[]\n\t\u00a0\uff1b');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, minLength: 1, maxLength: 12 }), (command) => {
        if (!isListedCommand(command, [command])) return;
        expect(command).not.toMatch(/[;&|<>`$(){}\\*?[\]\n\t\u00a0\uff1b]/u);
        expect(command.trim()).toBe(command);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('hosts', () => {
  it('are canonical once and for all', () => {
    const part = fc.constantFrom(
      'a',
      'B-c',
      'xn--a',
      '0',
      '127',
      '256',
      '01',
      '0x7f',
      ':',
      '::',
      '[',
      ']',
      'ffff',
      '.',
      '%',
      '*',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const host = normalizeHost(parts.join(''));
        if (host !== null) expect(normalizeHost(host)).toBe(host);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['[::ffff:7f00:1]', null],
    ['0:0:0:0:0:ffff:1.2.3.4', null],
    ['::ffff:0:1', null],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['[::1', null],
    ['::1]', null],
    ['[[::1]]', null],
    ['1.2.3.4.5', null],
    ['256.1.1.1', null],
    ['a.0x7f', null],
    ['\texample.com', null],
    ['constructor', 'constructor'],
  ] as const)('%s becomes %s', (text, canonical) => {
    expect(normalizeHost(text)).toBe(canonical);
  });
});

describe('web targets', () => {
  it.each([
    ['https:///api.example.com', 'host_malformed'],
    ['1x://api.example.com', 'scheme_not_allowed'],
    ['://api.example.com', 'scheme_not_allowed'],
    ['api.example.com:x', 'scheme_not_allowed'],
    ['user@api.example.com', 'credentials_in_target'],
    ['https://[127.0.0.1]/', 'host_malformed'],
    ['https://[::1/', 'host_malformed'],
    ['https://a:1:2/', 'host_malformed'],
    ['https://xn--a-.example/', 'host_malformed'],
    ['https://xn--a.example/', 'host_malformed'],
  ] as const)('refuses %s: %s', (target, fault) => {
    expect(readWebTarget(target, true)).toEqual({ ok: false, fault });
  });

  it.each([
    ['api.example.com/v1?next=https://evil.test', 'api.example.com'],
    ['localhost:3000', 'localhost'],
    ['https://api.example.com/a@b', 'api.example.com'],
    ['http://127.0.0.1:65535', '127.0.0.1'],
  ] as const)('reads %s as %s', (target, host) => {
    expect(readWebTarget(target, true)).toEqual({ ok: true, host });
  });

  it('refuses bare hosts where only a URL will do', () => {
    expect(readWebTarget('localhost:3000', false)).toEqual({ ok: false, fault: 'scheme_not_allowed' });
    expect(readWebTarget('localhost', false)).toEqual({ ok: false, fault: 'scheme_not_allowed' });
  });

  it('agrees with the URL parser on every host that it accepts', () => {
    const piece = fc.constantFrom(
      'http://',
      'https:',
      '//',
      'a.b',
      '@',
      ':',
      '80',
      '/',
      '?',
      '#',
      '[::1]',
      '127.0.0.1',
      '\\',
      '%2e',
      'é',
      '.',
      '0x1',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const target = pieces.join('');
        const read = readWebTarget(target, true);
        if (!read.ok) return;
        const url = new URL(/^https?:\/\//iu.test(target) ? target : `http://${target}`);
        expect(url.hostname.replace(/^\[|\]$/gu, '')).toBe(read.host);
        expect(url.username + url.password).toBe('');
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps the host that would be reached, not the one in front of the sign', () => {
    expect(hostForRecord('https://api.example.com@evil.test/')).toBe('evil.test');
    expect(hostForRecord('ftp://api.example.com/')).toBeNull();
    expect(hostForRecord('https://api.example.com\\@evil.test/')).toBeNull();
  });
});

describe('the recorded scope', () => {
  it('is never longer than the trace takes, never blank, and never half a character', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...actionCapabilities, 'custom'),
        fc.string({ unit: 'binary', maxLength: 3000 }),
        (capability, target) => {
          const scope = recordedScope(capability, target);
          expect(scope.length).toBeGreaterThan(0);
          expect(scope.length).toBeLessThanOrEqual(2048);
        },
      ),
    );
    const wide = recordedScope('shell.execute', `${'x'.repeat(2047)}😀`);
    expect(wide).toBe('x'.repeat(2047));
  });

  it('prefers the path that the disk step found, so that absolute and relative spellings agree', () => {
    const resolved = { ok: true, lexical: 'src/a.ts', real: 'src/a.ts' } as const;
    expect(recordedScope('repository.read', '/work/repo/src/a.ts', resolved)).toBe('src/a.ts');
    expect(recordedScope('repository.read', '../x//y')).toBe('../x/y');
  });

  it('finds a credential also behind the cut', () => {
    const target = `${'x '.repeat(1500)}ghp_${'a'.repeat(36)}`;
    expect(recordedScope('shell.execute', target)).toBe('[redacted: likely credential]');
  });
});
