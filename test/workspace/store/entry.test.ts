import { describe, expect, it } from 'vitest';
import { account, day, minute } from './fixtures.ts';

describe('the way into the page', () => {
  it('is a code of 128 bits that opens a session once, also when another process made it', () => {
    const host = account();
    host.registry.setPerson('Mira');
    const code = account(host.directory, host.clock).registry.createLoginCode('home');
    expect(Buffer.from(code, 'base64url')).toHaveLength(16);
    const entered = host.registry.enter(code);
    expect(entered?.workspace).toBe('home');
    expect(host.registry.personOf(entered?.session ?? '')).toEqual({ id: 'mira', name: 'Mira' });
    expect(host.registry.enter(code)).toBeNull();
    expect(host.registry.enter('none')).toBeNull();
  });

  it('closes five minutes after the code was made', () => {
    const { registry, clock } = account();
    const [used, late] = [registry.createLoginCode('home'), registry.createLoginCode('home')];
    clock.pass(5 * minute - 1);
    expect(registry.enter(used)).not.toBeNull();
    clock.pass(1);
    expect(registry.enter(late)).toBeNull();
  });

  it('leads to a workspace that exists', () => {
    const { registry } = account();
    expect(() => registry.createLoginCode('nowhere')).toThrow(expect.objectContaining({ code: 'unknown' }));
  });

  it('gives a session of 30 days that outlives the process and follows the name', () => {
    const { registry, directory, clock, store } = account();
    const session = registry.enter(registry.createLoginCode('home'))?.session ?? '';
    store.close();
    clock.pass(30 * day - 1);
    const later = account(directory, clock).registry;
    later.setPerson('Mira');
    expect(later.personOf(session)).toEqual({ id: 'owner', name: 'Mira' });
    expect(later.personOf(`${session}x`)).toBeNull();
    clock.pass(1);
    expect(later.personOf(session)).toBeNull();
  });
});
