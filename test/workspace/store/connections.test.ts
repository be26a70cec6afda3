import { describe, expect, it } from 'vitest';
import { account, day, minute, tokenIn } from './fixtures.ts';

const client = { label: 'Desk agent', name: 'desk', version: '1.2', protocol: '2025-06-18' };

describe('a session', () => {
  it('leads to its connection, also after a restart', () => {
    const { registry, directory, clock, store } = account();
    const token = tokenIn(registry);
    const { session, connection } = registry.openSession(token, 'home', client);
    expect(connection).toEqual({ id: connection.id, token, label: 'Desk agent', endpoint: 'home' });
    expect(registry.sessionOf(token, 'home', session)).toEqual(connection);
    store.close();
    expect(account(directory, clock).registry.sessionOf(token, 'home', session)).toEqual(connection);
  });

  it('is nobody to another token or endpoint', () => {
    const { registry } = account();
    const [token, other] = [tokenIn(registry), tokenIn(registry)];
    const atHome = registry.openSession(token, 'home', client).session;
    const atAccount = registry.openSession(token, null, client).session;
    expect(registry.sessionOf(other, 'home', atHome)).toBeNull();
    expect(registry.sessionOf(token, 'studio', atHome)).toBeNull();
    expect(registry.sessionOf(token, null, atHome)).toBeNull();
    expect(registry.sessionOf(token, 'home', atAccount)).toBeNull();
    expect(registry.sessionOf(token, 'home', 'none')).toBeNull();
    expect(registry.endSession(other, 'home', atHome)).toBeNull();
    expect(registry.endSession(token, null, atHome)).toBeNull();
    expect(registry.sessionOf(token, 'home', atHome)).not.toBeNull();
    expect(registry.sessionOf(token, null, atAccount)).not.toBeNull();
  });

  it('is a new one at each opening', () => {
    const { registry } = account();
    const token = tokenIn(registry);
    const [one, two] = [registry.openSession(token, 'home', client), registry.openSession(token, 'home', client)];
    expect(one.session).not.toBe(two.session);
    expect(one.connection.id).not.toBe(two.connection.id);
  });

  it('ends when it is told to, once', () => {
    const { registry } = account();
    const token = tokenIn(registry);
    const { session, connection } = registry.openSession(token, 'home', client);
    expect(registry.endSession(token, 'home', session)).toBe(connection.id);
    expect(registry.sessionOf(token, 'home', session)).toBeNull();
    expect(registry.endSession(token, 'home', session)).toBeNull();
  });

  it('ends after 30 idle days, and each use begins them anew', () => {
    const { registry, clock } = account();
    const token = tokenIn(registry);
    const { session } = registry.openSession(token, 'home', client);
    for (let month = 0; month < 3; month++) {
      clock.pass(30 * day);
      expect(registry.sessionOf(token, 'home', session)).not.toBeNull();
    }
    clock.pass(30 * day + 1);
    expect(registry.sessionOf(token, 'home', session)).toBeNull();
    expect(registry.endSession(token, 'home', session)).toBeNull();
  });

  it('of a governed run lives as long as its token', () => {
    const { registry, clock } = account();
    const token = tokenIn(registry, { run: 'r1' });
    const { session, connection } = registry.openSession(token, 'home', client);
    clock.pass(400 * day);
    expect(registry.sessionOf(token, 'home', session)).toEqual(connection);
  });

  it('notes its use at most once a minute', () => {
    const { registry, clock, store } = account();
    const token = tokenIn(registry);
    const { session } = registry.openSession(token, 'home', client);
    const written = store.db.prepare('SELECT total_changes()').pluck();
    const before = written.get();
    for (let call = 0; call < 50; call++) registry.sessionOf(token, 'home', session);
    clock.pass(minute - 1);
    registry.sessionOf(token, 'home', session);
    expect(written.get()).toBe(before);
    clock.pass(1);
    registry.sessionOf(token, 'home', session);
    expect(written.get()).not.toBe(before);
  });
});

describe('the default connection', () => {
  it('is one for each token and endpoint, called as the token, and never ends', () => {
    const { registry, directory, clock, store } = account();
    const [token, other] = [tokenIn(registry, { label: 'Script' }), tokenIn(registry)];
    const connection = registry.defaultConnection(token, 'home');
    expect(connection).toEqual({ id: connection.id, token, label: 'Script', endpoint: 'home' });
    const ids = [connection, registry.defaultConnection(token, null), registry.defaultConnection(other, 'home')].map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(3);
    registry.openSession(token, 'home', client);
    store.close();
    clock.pass(300 * day);
    const later = account(directory, clock).registry;
    expect(later.defaultConnection(token, 'home')).toEqual(connection);
    expect(later.defaultConnection(token, null).id).toBe(ids[1]);
  });

  it('is the same when two processes make it', () => {
    const one = account();
    const two = account(one.directory, one.clock);
    const token = tokenIn(one.registry);
    expect(one.registry.defaultConnection(token, 'home')).toEqual(two.registry.defaultConnection(token, 'home'));
  });
});
