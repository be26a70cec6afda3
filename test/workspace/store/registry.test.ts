import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account } from './fixtures.ts';

describe('the workspaces of an account', () => {
  it('begin with home, and keep the order in which they were made', () => {
    const { registry, directory, clock } = account();
    registry.createWorkspace('studio', 'Studio', []);
    registry.createWorkspace('archive', 'Archive', ['notes', 'files']);
    const expected = [
      { name: 'home', label: 'Home', apps: ['notes'] },
      { name: 'studio', label: 'Studio', apps: [] },
      { name: 'archive', label: 'Archive', apps: ['notes', 'files'] },
    ];
    expect(registry.workspaces()).toEqual(expected);
    expect(account(directory, clock).registry.workspaces()).toEqual(expected);
  });

  it('are seen when another process makes one', () => {
    const host = account();
    const command = account(host.directory, host.clock);
    expect(host.registry.workspaces()).toHaveLength(1);
    command.registry.createWorkspace('studio', 'Studio', []);
    expect(host.registry.workspaces().map(({ name }) => name)).toEqual(['home', 'studio']);
  });

  it('refuse every name that breaks the grammar, and make nothing', () => {
    const { registry } = account();
    const names = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: fc.constantFrom('a', 'z', '0', '-', 'A', '/') }),
    );
    fc.assert(
      fc.property(names, (name) => {
        if (/^[a-z][a-z0-9-]{0,31}$/.test(name)) return;
        expect(() => registry.createWorkspace(name, 'X', [])).toThrow(
          expect.objectContaining({ name: 'StoreError', code: 'invalid_name' }),
        );
      }),
    );
    for (const name of ['workspaces', 'Home', 'a\n', 'a'.repeat(33), ''])
      expect(() => registry.createWorkspace(name, 'X', [])).toThrow(expect.objectContaining({ code: 'invalid_name' }));
    expect(registry.workspaces()).toHaveLength(1);
  });

  it('refuse an empty label, ids that no app can have, and one app twice', () => {
    const { registry } = account();
    const refused = expect.objectContaining({ code: 'invalid_name' });
    expect(() => registry.createWorkspace('a', ' ', [])).toThrow(refused);
    expect(() => registry.createWorkspace('a', 'A', ['apps'])).toThrow(refused);
    expect(() => registry.createWorkspace('a', 'A', ['Notes'])).toThrow(refused);
    expect(() => registry.createWorkspace('a', 'A', ['notes', 'notes'])).toThrow(refused);
  });

  it('say that a name is taken', () => {
    const { registry } = account();
    expect(() => registry.createWorkspace('home', 'Other', [])).toThrow(expect.objectContaining({ code: 'taken' }));
    expect(registry.workspaces()).toEqual([{ name: 'home', label: 'Home', apps: ['notes'] }]);
  });
});

describe('the person', () => {
  it('has no name until one is set, and the same id after', () => {
    const { registry, directory, clock } = account();
    expect(registry.person()).toEqual({ id: 'owner', name: '' });
    registry.setPerson('Mira');
    registry.setPerson('Mira K.');
    expect(account(directory, clock).registry.person()).toEqual({ id: 'mira', name: 'Mira K.' });
  });

  it('has an id made of small letters, digits and hyphens whatever the name', () => {
    for (const [name, id] of [
      ['Zoë van Dam', 'zoe-van-dam'],
      ['  R2-D2! ', 'r2-d2'],
      ['漢字', 'owner'],
    ] as const) {
      const { registry } = account();
      registry.setPerson(name);
      expect(registry.person()).toEqual({ id, name });
    }
  });
});

describe('what may run unasked', () => {
  it('is set and taken back for one action of a kind in one workspace', () => {
    const { registry, directory, clock } = account();
    registry.setPreallow('home', 'notes.Page', 'share', true, 'Mira');
    registry.setPreallow('home', 'notes.Page', 'share', true, 'Mira');
    registry.setPreallow('home', 'notes.Page', 'archive', true, 'Mira');
    const later = account(directory, clock).registry;
    expect(later.preallowed('home')).toEqual([
      { kind: 'notes.Page', action: 'archive' },
      { kind: 'notes.Page', action: 'share' },
    ]);
    expect(later.isPreallowed('home', 'notes.Page', 'share')).toBe(true);
    expect(later.isPreallowed('studio', 'notes.Page', 'share')).toBe(false);
    expect(later.isPreallowed('home', 'notes', 'share')).toBe(false);
    later.setPreallow('home', 'notes.Page', 'share', false, 'Mira');
    later.setPreallow('home', 'notes.Page', 'never', false, 'Mira');
    expect(registry.isPreallowed('home', 'notes.Page', 'share')).toBe(false);
    expect(registry.preallowed('home')).toEqual([{ kind: 'notes.Page', action: 'archive' }]);
  });
});

describe('secrets', () => {
  it('stand in no file of the data directory: tokens, codes and sessions of the page', () => {
    const { registry, directory } = account();
    const { text } = registry.createToken({ label: 'Desk', workspace: null, max: 'read', expires_ms: null, run: null });
    registry.tokenOf(text);
    const code = registry.createLoginCode('home');
    const unused = registry.createLoginCode('home');
    const session = registry.enter(code)?.session ?? '';
    expect(registry.personOf(session)).not.toBeNull();
    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name)));
    expect(files.some((file) => file.includes('Desk'))).toBe(true);
    for (const secret of [text, text.slice(4), code, unused, session])
      expect([secret, files.some((file) => file.includes(secret))]).toEqual([secret, false]);
  });
});
