import { describe, expect, it } from 'vitest';
import type { Registry } from '../../../src/workspace/store/store.ts';
import { account, day, minute } from './fixtures.ts';

type Asked = Parameters<Registry['createToken']>[0];
const plain: Asked = { label: 'Desk', workspace: null, max: 'outside', expires_ms: null, run: null };

describe('a token', () => {
  it('has 43 random characters, and its text leads to what it was made with', () => {
    const { registry } = account();
    const asked: Asked = { label: 'Robot', workspace: 'home', max: 'undoable', expires_ms: 10 * day, run: 'r1' };
    const { id, text } = registry.createToken(asked);
    expect(text).toMatch(/^tlo_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(text.slice(4), 'base64url')).toHaveLength(32);
    expect(registry.tokenOf(text)).toEqual({ id, label: 'Robot', workspace: 'home', max: 'undoable', run: 'r1' });
    expect(registry.createToken(asked).text).not.toBe(text);
  });

  it('that is unknown, malformed, expired or revoked is null, all alike', () => {
    const { registry, clock } = account();
    const expiring = registry.createToken({ ...plain, expires_ms: clock.now() + minute });
    const revoked = registry.createToken(plain);
    expect(registry.tokenOf(expiring.text)?.id).toBe(expiring.id);
    expect(registry.tokenOf(revoked.text)?.id).toBe(revoked.id);
    expect(registry.revokeToken(revoked.id)).toBe(true);
    clock.pass(minute);
    const unknown = `tlo_${'A'.repeat(43)}`;
    const malformed = ['', 'tlo_', expiring.text.slice(4), `${revoked.text} `, revoked.text.toUpperCase(), '\0'];
    for (const text of [expiring.text, revoked.text, unknown, ...malformed]) expect(registry.tokenOf(text)).toBeNull();
  });

  it('is good until the millisecond at which it expires', () => {
    const { registry, clock } = account();
    const { text } = registry.createToken({ ...plain, expires_ms: clock.now() + 10 });
    clock.pass(9);
    expect(registry.tokenOf(text)).not.toBeNull();
    clock.pass(1);
    expect(registry.tokenOf(text)).toBeNull();
  });

  it('is revoked once, also by another process', () => {
    const host = account();
    const { id, text } = host.registry.createToken(plain);
    const command = account(host.directory, host.clock).registry;
    expect(host.registry.tokenOf(text)).not.toBeNull();
    expect(command.revokeToken(id)).toBe(true);
    expect(host.registry.tokenOf(text)).toBeNull();
    expect(host.registry.revokeToken(id)).toBe(false);
    expect(host.registry.revokeToken('none')).toBe(false);
  });

  it('that another process makes is known at once', () => {
    const host = account();
    const { id, text } = account(host.directory, host.clock).registry.createToken(plain);
    expect(host.registry.tokenOf(text)?.id).toBe(id);
  });

  it('needs a label and a workspace that exists', () => {
    const { registry } = account();
    expect(() => registry.createToken({ ...plain, label: '' })).toThrow(
      expect.objectContaining({ code: 'invalid_name' }),
    );
    expect(() => registry.createToken({ ...plain, workspace: 'nowhere' })).toThrow(
      expect.objectContaining({ code: 'unknown' }),
    );
    expect(registry.tokens()).toEqual([]);
  });

  it('notes when it was used, at most once a minute', () => {
    const { registry, clock, store } = account();
    const { text } = registry.createToken(plain);
    const used = (): unknown => registry.tokens()[0]?.last_used_ms;
    const start = clock.now();
    expect(used()).toBeNull();
    registry.tokenOf(text);
    expect(used()).toBe(start);
    const written = store.db.prepare('SELECT total_changes()').pluck();
    const before = written.get();
    for (let call = 0; call < 100; call++) {
      clock.pass(599);
      registry.tokenOf(text);
    }
    expect(written.get()).toBe(before);
    clock.pass(100);
    registry.tokenOf(text);
    expect(used()).toBe(clock.now());
  });

  it('is listed with everything but its text, in the order in which tokens were made', () => {
    const { registry, clock } = account();
    const first = registry.createToken(plain);
    const second = registry.createToken({
      label: 'Robot',
      workspace: 'home',
      max: 'read',
      expires_ms: 5 * day,
      run: 'r1',
    });
    registry.revokeToken(first.id);
    const created_ms = clock.now();
    expect(registry.tokens()).toEqual([
      { ...plain, id: first.id, created_ms, revoked_ms: created_ms, last_used_ms: null },
      {
        id: second.id,
        label: 'Robot',
        workspace: 'home',
        max: 'read',
        run: 'r1',
        created_ms,
        expires_ms: 5 * day,
        revoked_ms: null,
        last_used_ms: null,
      },
    ]);
  });

  it('is found through an index', () => {
    const { store } = account();
    const plan = store.db
      .prepare<[], { detail: string }>('EXPLAIN QUERY PLAN SELECT id FROM tokens WHERE digest = 1')
      .all();
    expect(plan.map(({ detail }) => detail).join()).toMatch(/USING.*INDEX/);
  });
});

describe('a database that takes nothing', () => {
  it('still answers whose token and session it is: a last use is noted when it can be', () => {
    const { registry, store, clock } = account();
    const token = registry.tokenOf(registry.createToken(plain).text);
    if (token === null) throw new Error('A token that was just made is unknown.');
    const client = { label: 'Desk', name: 'desk', version: '1', protocol: '2025-06-18' };
    const { session } = registry.openSession(token, 'home', client);
    const { text } = registry.createToken(plain);
    clock.pass(2 * minute);
    store.db.pragma('query_only = ON');
    expect(registry.tokenOf(text)).not.toBeNull();
    expect(registry.sessionOf(token, 'home', session)?.label).toBe('Desk');
    store.db.pragma('query_only = OFF');
    registry.tokenOf(text);
    expect(registry.tokens().at(-1)?.last_used_ms).toBe(clock.now());
  });
});
