import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../apps/farSide.ts';
import { createGates } from '../../apps/gates.ts';
import { type Children, createChildren } from './children.ts';
import { contentsOf, left, phasesOf, rowsOf } from './contents.ts';
import { draws, type Folders } from './place.ts';
import { callOf, killUndoable, restarted } from './undoable.ts';

let children: Children;
beforeAll(() => {
  children = createChildren('kill');
});
afterAll(() => children.remove());

const stateOf = (folders: Folders, id: string): unknown =>
  rowsOf(left(folders), 'invocations').find((row) => row.id === id)?.state;

describe('a host that was killed by SIGKILL', () => {
  // Those of several apps, and an undo itself, are proven apart (undoable.proof.ts).
  it.each([{ scene: 'append', back: 'notes#undo' }])(
    'W-32 at any statement of an undoable run ($scene) has applied it once or not at all, and once when it is called again',
    (undoable) => killUndoable(children, undoable),
  );

  it('W-32 between the commit of the person’s yes and the call runs what was allowed when it is called again, once', async () => {
    const call = callOf('allowed-keyless');
    const folders = await children.folders('allowed-keyless');
    expect(await children.play(folders, 'allowed-keyless', { at: 1, side: 'after', of: 'commits' })).toBeNull();
    expect(stateOf(folders, 'x1')).toBe('allowed');
    await restarted(folders, async (place) => {
      expect(await place.asks()).toMatchObject([{ state: 'allowed' }]);
      expect(place.lab.far.arrived('keyless')).toEqual([]);
    });
    // A second restart allows nothing twice either.
    await restarted(
      folders,
      async (place) => {
        expect(await place.one({ ...call, args: { note: 'another' } })).toMatchObject({
          error: { code: 'invocation_mismatch' },
        });
        const [answer, ...others] = await Promise.all([place.one(call), place.one(call), place.one(call)]);
        expect(answer).toMatchObject({ status: 'ok', result: { sent: 'hello' } });
        for (const other of [...others, await place.one(call)]) expect(other).toEqual(answer);
        expect(place.lab.far.arrived('keyless')).toEqual(['hello']);
        expect(phasesOf(contentsOf(place.host.store.db), 'x1')).toEqual(['started', 'succeeded']);
      },
      draws.again,
    );
  });

  it('W-32 before that commit still asks, and has run nothing', async () => {
    const call = callOf('allowed-keyless');
    const folders = await children.folders('allowed-keyless');
    expect(await children.play(folders, 'allowed-keyless', { at: 1, side: 'before', of: 'commits' })).toBeNull();
    await restarted(folders, async (place) => {
      expect(await place.asks()).toMatchObject([{ state: 'asking' }]);
      expect(await place.one({ ...call, wait_ms: 0 })).toMatchObject({ status: 'pending' });
      expect(place.lab.far.arrived('keyless')).toEqual([]);
      await place.decide({ decision: 'allow' });
      expect(await place.one(call)).toMatchObject({ status: 'ok' });
      expect(place.lab.far.arrived('keyless')).toEqual(['hello']);
    });
  });
});

describe('a host that was killed by SIGKILL during an effect outside', () => {
  /** Kills a process whose action waits at its gate; what waits there after the restart passes. */
  const killedAtGate = async (scene: string): Promise<Folders> => {
    const folders = await children.folders(scene);
    const child = children.start(folders, scene);
    const gates = createGates(folders.lab);
    const gone = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once('exit', (_code, signal) => resolve(signal)),
    );
    await gates.reached('g');
    child.kill('SIGKILL');
    expect(await gone).toBe('SIGKILL');
    expect(stateOf(folders, 'x1')).toBe('running');
    gates.open('g');
    return folders;
  };

  it.each([
    { when: 'before', attempts: 1 },
    { when: 'after', attempts: 2 },
  ])('W-33 with a key repeats it, and the far side sees one ($when it was sent)', async ({ when, attempts }) => {
    const scene = `keyed-held-${when}`;
    const folders = await killedAtGate(scene);
    await restarted(folders, async (place) => {
      const answer = await place.one(callOf(scene));
      expect(answer).toMatchObject({ status: 'ok', result: { sent: 'hello' } });
      expect(await place.one(callOf(scene))).toEqual(answer);
      expect(place.lab.far.arrived('keyed')).toEqual(['hello']);
      expect(place.lab.far.attempts()).toBe(attempts);
      expect(phasesOf(contentsOf(place.host.store.db), 'x1')).toEqual(['started', 'succeeded']);
    });
  });

  it.each([
    { when: 'before', arrived: [] },
    { when: 'after', arrived: ['hello'] },
  ])(
    'W-33 without a key leaves it interrupted and never runs it again ($when it was sent)',
    async ({ when, arrived }) => {
      const scene = `keyless-held-${when}`;
      const folders = await killedAtGate(scene);
      const seed = await children.folders(scene);
      for (const start of [draws.restarted, draws.again])
        await restarted(
          folders,
          async (place) => {
            for (const answer of [
              await place.one(callOf(scene)),
              await place.host.call('tilo_status', { invocation_id: 'x1' }, place.caller()),
            ])
              expect(answer).toMatchObject({
                status: 'failed',
                error: { code: 'interrupted', next_steps: [expect.stringContaining('tilo_read lab')] },
              });
            expect(place.lab.far.arrived('keyless')).toEqual(arrived);
            const now = contentsOf(place.host.store.db);
            expect(phasesOf(now, 'x1')).toEqual(['started', 'failed']);
            expect(now.docs).toEqual(left(seed).docs);
          },
          start,
        );
    },
  );

  it('W-33 with a secret among its arguments leaves it interrupted, though it has a key', async () => {
    const folders = await killedAtGate('secret-held');
    await restarted(folders, async (place) => {
      const call = callOf('secret-held');
      expect(await place.one(call)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
      expect(place.lab.far.secrets()).toEqual([]);
      expect(phasesOf(contentsOf(place.host.store.db), 'x1')).toEqual(['started', 'failed']);
      // With a new id it runs, for the call brings the secret.
      expect(await place.one({ ...call, invocation_id: 'x2' })).toMatchObject({ status: 'ok' });
      expect(place.lab.far.secrets()).toEqual([digestOf('open sesame')]);
    });
  });

  it('W-33 of a copy for others leaves no half of one under the name of a link', async () => {
    const folders = await children.folders('share');
    expect(await children.play(folders, 'share', { at: 1, side: 'after', of: 'files' })).toBeNull();
    await restarted(folders, async (place) => {
      expect(await place.one(callOf('share'))).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
      const next = await place.one({ ...callOf('share'), invocation_id: 'x2' });
      expect(next).toMatchObject({ status: 'ok' });
      const copies = readdirSync(join(folders.data, 'shares')).filter((name) => name.endsWith('.json'));
      expect(copies).toHaveLength(1);
      for (const name of copies)
        expect(JSON.parse(readFileSync(join(folders.data, 'shares', name), 'utf8'))).toMatchObject({
          link: name.replace('.json', ''),
          signature: expect.any(String),
        });
    });
  });
});
