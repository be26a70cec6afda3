import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { digestOf } from '../../apps/farSide.ts';
import { type Children, createChildren } from './children.ts';
import { type Contents, contentsOf, contradictions, left, phasesOf, rowsOf, withoutMoves } from './contents.ts';
import { draws, type Folders, openPlace } from './place.ts';
import { type Scene, scenes } from './scenes.ts';
import { killAtEach, type Reference, referenceOf } from './sweep.ts';

let children: Children;
beforeAll(() => {
  children = createChildren('kill-proof');
});
afterAll(() => children.remove());

const sceneOf = (name: string): Scene => {
  const scene = scenes[name];
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  return scene;
};

const Answer = z.looseObject({ status: z.string(), error: z.looseObject({ code: z.string() }).optional() });
/** `ok`, or the code of the failure. */
const outcomeOf = (answer: unknown): string => {
  const { status, error } = Answer.parse(answer);
  return error?.code ?? status;
};

/** What came of a scene after a restart on its directories, its call repeated until it ended. */
interface Finished {
  readonly answer: unknown;
  readonly now: Contents;
  readonly keyed: readonly string[];
  readonly keyless: readonly string[];
  readonly secrets: readonly string[];
  readonly log: readonly string[];
}

const finish = async (folders: Folders, { call, finish: first }: Scene): Promise<Finished> => {
  const place = await openPlace(folders, draws.restarted);
  try {
    await first?.(place);
    const answer = await place.do(call);
    const now = contentsOf(place.host.store.db);
    expect(await place.do(call)).toEqual(answer);
    expect(contentsOf(place.host.store.db)).toEqual(now);
    const { far } = place.lab;
    const [keyed, keyless] = [far.arrived('keyed'), far.arrived('keyless')];
    return { answer, now, keyed, keyless, secrets: far.secrets(), log: place.log };
  } finally {
    await place.close();
  }
};

/** The same, and what must hold of whatever was killed. */
const finishWhole = async (folders: Folders, name: string, reference: Reference, at: string): Promise<Finished> => {
  expect(contradictions(left(folders), reference.seed), at).toEqual([]);
  const finished = await finish(folders, sceneOf(name));
  expect(contradictions(finished.now, reference.seed), at).toEqual([]);
  expect(finished.log, at).toEqual([]);
  return finished;
};

const both = ['before', 'after'] as const;

describe('a host that was killed at any statement', () => {
  it.each(['append', 'transfer', 'undo', 'redo', 'page', 'removal', 'item', 'failing', 'batch', 'keyed', 'deletion'])(
    'W-32 ends as if nobody had killed it (%s)',
    async (name) => {
      const reference = await referenceOf(children, name);
      const kills = await killAtEach(
        children,
        { scene: name, of: 'every', sides: ['before'] },
        async ({ folders, at }) => {
          const { answer, now, keyed } = await finishWhole(folders, name, reference, at);
          expect(answer, at).toEqual(reference.said.answer);
          expect(withoutMoves(now), at).toEqual(withoutMoves(reference.done));
          if (name === 'keyed') expect(keyed).toEqual(['hello']);
        },
      );
      expect(kills).toBe(reference.said.counted.every + 1);
    },
  );

  it.each([
    { name: 'keyless', ends: ['ok', 'interrupted'] },
    { name: 'keyless-with-writes', ends: ['ok', 'interrupted'] },
    { name: 'share', ends: ['ok', 'interrupted'] },
    { name: 'secret', ends: ['ok', 'interrupted'] },
    { name: 'allowed-keyless', ends: ['ok', 'interrupted'] },
    { name: 'allowed-keyed', ends: ['ok'] },
    { name: 'edited-keyed', ends: ['ok'] },
  ])('W-33 has no effect twice, and none that nobody knows of ($name)', async ({ name, ends }) => {
    const reference = await referenceOf(children, name);
    const note = name === 'edited-keyed' ? 'edited' : 'hello';
    const reaches = name === 'share' ? [] : [name === 'secret' ? digestOf('open sesame') : note];
    const met = new Set<string>();
    await killAtEach(children, { scene: name, of: 'every', sides: both }, async ({ folders, at }) => {
      const { answer, now, keyed, keyless, secrets } = await finishWhole(folders, name, reference, at);
      const outcome = outcomeOf(answer);
      met.add(outcome);
      const arrived = [...keyed, ...keyless, ...secrets];
      if (outcome === 'ok') {
        expect(answer, at).toEqual(reference.said.answer);
        expect(now.docs, at).toEqual(reference.done.docs);
        expect(arrived, at).toEqual(reaches);
      } else {
        expect(now.docs, at).toEqual(reference.seed.docs);
        expect(arrived.length, at).toBeLessThanOrEqual(1);
      }
      expect(phasesOf(now, 'x1'), at).toEqual(['started', outcome === 'ok' ? 'succeeded' : 'failed']);
      if (name === 'allowed-keyed') expect(now.preallow, at).toHaveLength(1);
    });
    expect([...met].sort()).toEqual([...ends].sort());
  });

  it.each([
    { name: 'cancelled-read', ends: ['ok', 'cancelled'] },
    { name: 'cancelled-undoable', ends: ['ok', 'cancelled'] },
    { name: 'cancelled-outside', ends: ['interrupted', 'cancelled'] },
  ])('W-32 stops what was told to stop, or knew nothing of it ($name)', async ({ name, ends }) => {
    const reference = await referenceOf(children, name);
    const met = new Set<string>();
    await killAtEach(children, { scene: name, of: 'every', sides: both }, async ({ folders, at }) => {
      const { answer, now } = await finishWhole(folders, name, reference, at);
      const outcome = outcomeOf(answer);
      met.add(outcome);
      const counted = outcome === 'ok' && name === 'cancelled-undoable';
      expect(rowsOf(now, 'docs').length - rowsOf(reference.seed, 'docs').length, at).toBe(counted ? 1 : 0);
    });
    expect([...met].sort()).toEqual([...ends].sort());
  });
});

describe('a host that was killed again while it started', () => {
  it.each(['append', 'undo', 'keyed', 'deletion'])('W-32 ends as if nobody had killed it at all (%s)', async (name) => {
    const reference = await referenceOf(children, name);
    const cut = await children.folders(name);
    // Everything is done but for the commit.
    expect(await children.play(cut, name, { at: 2, side: 'before', of: 'commits' })).toBeNull();
    for (const side of both)
      for (let at = 1; ; at += 1) {
        const folders = children.copy(cut);
        const through = await children.play(folders, null, { at, side, of: 'writes' });
        const { answer, now, keyed } = await finishWhole(folders, name, reference, `${side} ${at}`);
        children.drop(folders);
        expect(keyed).toEqual(name === 'keyed' ? ['hello'] : []);
        expect(answer).toEqual(reference.said.answer);
        expect(withoutMoves(now)).toEqual(withoutMoves(reference.done));
        if (through === null) continue;
        expect(at).toBe(through.counted.writes + 1);
        break;
      }
  });
});

describe('a host that was killed at any time', () => {
  it('W-32 has kept whatever it answered, and nothing of it in part', async () => {
    const folders = await children.folders('storm');
    const seed = left(folders);
    const told: unknown[] = [];
    for (let round = 0; round < 60; round += 1) {
      const child = children.start(folders, 'storm');
      const ended = once(child, 'exit');
      let heard = '';
      child.stdout?.on('data', (chunk) => {
        heard += String(chunk);
      });
      while (!heard.includes('\n')) await pause(5);
      await pause(round % 30);
      child.kill('SIGKILL');
      await ended;
      // The last line may be cut off.
      told.push(
        ...heard
          .split('\n')
          .slice(0, -1)
          .map((line): unknown => JSON.parse(line)),
      );
      const found = left(folders);
      expect(contradictions(found, seed)).toEqual([]);
      const states = new Map(rowsOf(found, 'invocations').map(({ id, state }) => [id, state]));
      for (const each of told) {
        const { invocation_id, status } = z.object({ invocation_id: z.string(), status: z.string() }).parse(each);
        expect(status).toBe('ok');
        expect(states.get(invocation_id)).toBe('succeeded');
      }
    }
    expect(told.length).toBeGreaterThan(60);
  });
});
