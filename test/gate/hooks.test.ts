import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gateCommand, wordsOfCommand } from '../../src/gate/hooks/command.ts';
import { type HookPlace, hookStatus, installHook, removeHook } from '../../src/gate/hooks/hooks.ts';
import { parseJsonText, plainOf } from '../../src/gate/hooks/jsonText.ts';
import { hookFile, hookScopes, notesFolder } from '../../src/gate/hooks/places.ts';
import { type GateHost, gateHosts } from '../../src/gate/hosts.ts';
import { telic } from '../cli/console.ts';
import { newWorld } from '../sdk/world.ts';

const start = { node: '/opt/node/bin/node', entry: '/opt/telic/dist/telic.js', strict: true };

const settingsHosts = gateHosts.filter((host) => host !== 'opencode' && host !== 'cline');
const everyPlace = gateHosts.flatMap((host) => hookScopes.map((scope) => [host, scope] as const));

const placeFor = (host: GateHost, scope: HookPlace['scope'] = 'project'): HookPlace => {
  const { root } = newWorld({}, 'folder');
  const home = join(dirname(root), 'home');
  mkdirSync(home);
  return { host, scope, root, env: { HOME: home } };
};

const fileFor = ({ host, scope, root, env }: HookPlace): string => hookFile(host, scope, root, env);

const put = (place: HookPlace, text: string): string => {
  const file = fileFor(place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

/** Every file below a folder. */
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));

const below = ({ root }: HookPlace): string => dirname(root ?? '');

/** Every text under the key `command`, wherever it stands. */
const commandsIn = (value: unknown): readonly unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(commandsIn);
  return 'command' in value ? [value.command, ...inner] : inner;
};

describe('hooks install', () => {
  it.each(everyPlace)('of %s for the %s writes what it names and nothing else; remove takes it away', (host, scope) => {
    const place = placeFor(host, scope);
    const done = installHook(place, start);
    expect(done).toMatchObject({ host, scope, changed: true, strict: true, file: fileFor(place) });
    expect([...filesBelow(below(place))].sort()).toEqual([done.file, done.note ?? ''].sort());
    expect(hookStatus(place)).toMatchObject({
      installed: true,
      strict: true,
      problem: null,
      words: [
        start.node,
        start.entry,
        'broker-gate',
        '--host',
        host,
        '--strict',
        ...(scope === 'project' ? ['--repo', place.root] : []),
      ],
    });
    expect(installHook(place, start)).toMatchObject({ changed: false });
    expect(removeHook(place)).toEqual({ host, scope, file: done.file, changed: true, restored: true });
    expect(filesBelow(below(place))).toEqual([]);
    expect(readdirSync(place.root ?? '')).toEqual([]);
    expect(hookStatus(place)).toMatchObject({ installed: false, strict: null, words: null });
    expect(removeHook(place)).toMatchObject({ changed: false });
  });

  it.each<[GateHost, unknown]>([
    [
      'claude',
      { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: expect.any(String), timeout: 5 }] }] },
    ],
    [
      'codex',
      { PreToolUse: [{ matcher: '.*', hooks: [{ type: 'command', command: expect.any(String), timeout: 5 }] }] },
    ],
    [
      'gemini',
      {
        BeforeTool: [
          {
            matcher: '*',
            hooks: [{ type: 'command', command: expect.any(String), timeout: 5000, name: 'telic-gate' }],
          },
        ],
      },
    ],
    [
      'qwen',
      {
        PreToolUse: [
          {
            matcher: '*',
            hooks: [{ type: 'command', command: expect.any(String), timeout: 5000, name: 'telic-gate' }],
          },
        ],
      },
    ],
    [
      'cursor',
      {
        preToolUse: [{ command: expect.any(String), timeout: 5, failClosed: true }],
        beforeShellExecution: [{ command: expect.any(String), timeout: 5, failClosed: true }],
      },
    ],
  ])('gives %s the entry that it reads', (host, hooks) => {
    const place = placeFor(host);
    const { file } = installHook(place, start);
    expect(JSON.parse(readFileSync(file, 'utf8')).hooks).toEqual(hooks);
  });

  it('replaces the hook of another installation, and what was before it comes back', () => {
    const place = placeFor('claude');
    const file = put(place, '{"model": "x"}');
    installHook(place, start);
    const other = { ...start, entry: "/home/o'neil/te lic.js", strict: false };
    expect(installHook(place, other)).toMatchObject({ changed: true, strict: false });
    expect(hookStatus(place)).toMatchObject({ strict: false, words: expect.arrayContaining([other.entry]) });
    expect(readFileSync(file, 'utf8').match(/broker-gate/g)).toHaveLength(1);
    removeHook(place);
    expect(readFileSync(file, 'utf8')).toBe('{"model": "x"}');
  });

  it('keeps comments, layout, line ends, mode and links', () => {
    const place = placeFor('gemini');
    const text =
      '\ufeff{\r\n\t// mine\r\n\t"hooks": {\r\n\t\t"BeforeTool": [ // one\r\n\t\t\t{"matcher": "x", "hooks": []}, /* last */\r\n\t\t],\r\n\t},\r\n\t"z": [1,2 ,3],\r\n}\r\n';
    const file = put(place, text);
    const real = `${file}.real`;
    writeFileSync(real, text);
    chmodSync(real, 0o640);
    rmSync(file);
    symlinkSync(real, file);
    installHook(place, start);
    const after = readFileSync(file, 'utf8');
    expect(after).toContain('// one\r\n\t\t\t{"matcher": "x", "hooks": []},\r\n\t\t\t{\r\n\t\t\t\t"matcher": "*",');
    expect(after).toContain('\t"z": [1,2 ,3],\r\n}\r\n');
    expect(after.split('\n').filter((line) => line !== '' && !line.endsWith('\r'))).toEqual([]);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    removeHook(place);
    expect(readFileSync(real, 'utf8')).toBe(text);
    expect(readdirSync(dirname(file)).sort()).toEqual(['settings.json', 'settings.json.real']);
  });

  it('keeps no text of the file but its own', () => {
    const place = placeFor('claude');
    put(place, '{"env": {"TOKEN": "my-own-secret"}}');
    const { note } = installHook(place, start);
    expect(note?.startsWith(notesFolder(place.env))).toBe(true);
    expect(readFileSync(note ?? '', 'utf8')).not.toContain('my-own-secret');
    expect(statSync(note ?? '').mode & 0o777).toBe(0o600);
  });

  it.each([
    ['an end that is missing', '{"hooks": {'],
    ['a word', 'yes'],
    ['two values', '{} {}'],
    ['a key twice', '{"hooks": {}, "hooks": {}}'],
    ['no object', '[]'],
    ['hooks that are no object', '{"hooks": []}'],
    ['an event that is no list', '{"hooks": {"PreToolUse": {}}}'],
    ['a text that is not closed', '{"a": "b}'],
    ['a number that is none', '{"a": 1e}'],
    ['very deep nesting', '['.repeat(5000)],
  ])('leaves a file with %s as it is and says so', (_what, text) => {
    const place = placeFor('claude');
    const file = put(place, text);
    expect(() => installHook(place, start)).toThrow(/left as it is/);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(filesBelow(below(place))).toEqual([file]);
  });

  it('leaves bytes that are no text as they are', () => {
    const place = placeFor('claude');
    const file = put(place, '');
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    writeFileSync(file, bytes);
    expect(() => installHook(place, start)).toThrow(/no UTF-8/);
    expect(readFileSync(file)).toEqual(bytes);
    expect(hookStatus(place)).toMatchObject({ installed: false, problem: expect.stringContaining('UTF-8') });
  });

  it.each(['opencode', 'cline'] as const)('leaves a file of somebody else in the place of %s as it is', (host) => {
    const place = placeFor(host);
    const file = put(place, 'mine\n');
    expect(() => installHook(place, start)).toThrow(/not ours/);
    expect(removeHook(place)).toMatchObject({ changed: false });
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
  });

  it('says where it cannot write, and changes nothing', () => {
    const place = placeFor('claude');
    writeFileSync(join(place.root ?? '', '.claude'), '');
    expect(() => installHook(place, start)).toThrow(/cannot be/);
  });
});

/** Settings with foreign content, in many layouts. */
const foreign = (event: string) =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom('model', 'env', 'permissions', 'a b'), fc.jsonValue({ maxDepth: 2 })),
      fc.option(
        fc.record(
          {
            [event]: fc.array(
              fc.record({ matcher: fc.string(), hooks: fc.array(fc.record({ command: fc.constantFrom('a', 'b') })) }),
            ),
            Stop: fc.array(fc.jsonValue({ maxDepth: 1 })),
          },
          { requiredKeys: [] },
        ),
        { nil: undefined },
      ),
      fc.constantFrom('', ' ', '\t', '    '),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([rest, hooks, indent, eol, first, comments]) => {
      const whole = first ? { ...(hooks && { hooks }), ...rest } : { ...rest, ...(hooks && { hooks }) };
      const text = JSON.stringify(whole, null, indent).replaceAll('\n', eol);
      const commented = comments ? `// head${eol}${text.replace(/\{/, '{ /* in */')}${eol}// tail` : text;
      // As JSON has it, which knows no minus zero.
      const plain: object = JSON.parse(JSON.stringify(whole));
      return { whole: plain, text: commented };
    });

const eventOf = (host: GateHost): string =>
  host === 'gemini' ? 'BeforeTool' : host === 'cursor' ? 'preToolUse' : 'PreToolUse';

describe('hooks remove', () => {
  it.each(settingsHosts)('undoes install to the last character for %s, whatever else the file holds', (host) => {
    const place = placeFor(host);
    const file = put(place, '');
    fc.assert(
      fc.property(foreign(eventOf(host)), ({ text }) => {
        writeFileSync(file, text);
        installHook(place, start);
        const after = readFileSync(file, 'utf8');
        const commands = commandsIn(plainOf(parseJsonText(after)));
        const expected = gateCommand({ ...start, host, repo: place.root });
        expect(commands.filter((command) => command === expected)).toHaveLength(host === 'cursor' ? 2 : 1);
        expect(removeHook(place)).toMatchObject({ changed: true, restored: true });
        expect(readFileSync(file, 'utf8')).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it.each(settingsHosts)('takes only what is ours out for %s where others have changed the file since', (host) => {
    const place = placeFor(host);
    const file = put(place, '');
    fc.assert(
      fc.property(foreign(eventOf(host)), fc.boolean(), ({ whole, text }, keepsNote) => {
        writeFileSync(file, text);
        const { note } = installHook(place, start);
        // As a host does that writes its settings anew.
        const changed = { ...Object(plainOf(parseJsonText(readFileSync(file, 'utf8')))), added: true };
        writeFileSync(file, JSON.stringify(changed, null, 2));
        if (!keepsNote) rmSync(note ?? '');
        expect(removeHook(place)).toMatchObject({ changed: true, restored: false });
        const left: unknown = plainOf(parseJsonText(readFileSync(file, 'utf8')));
        const expected = { ...whole, added: true };
        if (keepsNote) expect(left).toEqual(expected);
        else expect(left).toMatchObject(expected);
        expect(readFileSync(file, 'utf8')).not.toContain('broker-gate');
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the others of a group that somebody put our command into', () => {
    const place = placeFor('claude');
    const command = gateCommand({ ...start, host: 'claude', repo: null });
    const text = (list: readonly string[]): string =>
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: list.map((one) => ({ command: one })) }] } });
    const file = put(place, text(['mine', command, 'mine too']));
    removeHook(place);
    expect(readFileSync(file, 'utf8')).toBe(text(['mine', 'mine too']));
  });

  it('leaves folders in which somebody put something', () => {
    const place = placeFor('opencode');
    const { file } = installHook(place, start);
    writeFileSync(join(dirname(file), 'other.js'), '');
    removeHook(place);
    expect(readdirSync(dirname(file))).toEqual(['other.js']);
  });
});

describe('the command of a hook', () => {
  it('is split into the words that it was made of', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.boolean(), (entry, repo, strict) => {
        fc.pre(!`${entry}${repo}`.includes('\\'));
        const words = wordsOfCommand(gateCommand({ node: '/n', entry, host: 'codex', repo, strict }));
        expect(words).toEqual([
          '/n',
          entry,
          'broker-gate',
          '--host',
          'codex',
          ...(strict ? ['--strict'] : []),
          '--repo',
          repo,
        ]);
      }),
    );
  });

  it.each(['node x; id', 'node $(id)', 'a | b', 'node "', "node '"])('is not split where it is another: %j', (text) => {
    expect(wordsOfCommand(text)).toBeNull();
  });
});

describe('telic hooks', () => {
  const Status = z.object({
    hooks: z.array(z.looseObject({ host: z.string(), scope: z.string(), installed: z.boolean() })),
  });

  it('installs, tells and removes from the command line', async () => {
    const { root, env = {} } = placeFor('claude');
    const options = { cwd: root ?? '', env: { HOME: env.HOME ?? '' } };
    const said = await telic(['hooks', 'install', 'claude', '--json'], options);
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(said.out)).toMatchObject({ host: 'claude', scope: 'project', changed: true, strict: true });
    const told = Status.parse(JSON.parse((await telic(['hooks', 'status', 'all', '--json'], options)).out));
    expect(told.hooks).toHaveLength(2 * gateHosts.length);
    expect(told.hooks.filter(({ installed }) => installed)).toMatchObject([{ host: 'claude', scope: 'project' }]);
    const gone = await telic(['hooks', 'remove', 'claude', '--json'], options);
    expect(JSON.parse(gone.out)).toMatchObject({ changed: true, restored: true });
    expect(existsSync(join(root ?? '', '.claude'))).toBe(false);
  });

  it('installs for the user, and less strictly, when it is told so', async () => {
    const { root, env = {} } = placeFor('claude');
    const options = { cwd: root ?? '', env: { HOME: env.HOME ?? '' } };
    const said = await telic(['hooks', 'install', 'qwen', '--scope', 'user', '--no-strict'], options);
    expect(JSON.parse(said.out)).toMatchObject({
      scope: 'user',
      strict: false,
      file: join(env.HOME ?? '', '.qwen', 'settings.json'),
    });
  });

  it.each([
    ['install', 'nobody'],
    ['install', 'all'],
    ['enable', 'claude'],
    ['install', 'claude', '--scope', 'world'],
    ['status', 'claude', '--scope', 'world'],
  ])('refuses %s %s', async (...words) => {
    const { root, env = {} } = placeFor('claude');
    const said = await telic(['hooks', ...words], { cwd: root ?? '', env: { HOME: env.HOME ?? '' } });
    expect(said).toMatchObject({ exit: 1, out: '', err: expect.stringMatching(/^telic: .+\n$/) });
  });
});
