import { expect } from 'vitest';
import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import type { Children } from './children.ts';
import { contentsOf, contradictions, phasesOf, stageOf, withoutMoves } from './contents.ts';
import { draws, type Folders, openPlace, type Place } from './place.ts';
import { scenes } from './scenes.ts';
import { killAtEach, referenceOf } from './sweep.ts';

/** Works in a place on what a killed host left. */
export const restarted = async <T>(
  folders: Folders,
  work: (place: Place) => Promise<T>,
  start = draws.restarted,
): Promise<T> => {
  const place = await openPlace(folders, start);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
};

/** The call of a scene. */
export const callOf = (scene: string): DoArguments => {
  const call = scenes[scene]?.call;
  if (call === undefined) throw new Error(`There is no scene ${scene}.`);
  return call;
};

/** A scene that can be undone, and what takes it back. */
export interface Undoable {
  readonly scene: string;
  readonly back: string;
}

/** Kills a host before each statement with which an undoable run writes, and calls the run again on what is left. */
export const killUndoable = async (children: Children, { scene, back }: Undoable): Promise<void> => {
  const call = callOf(scene);
  const { seed, done, said } = await referenceOf(children, scene);
  expect(said.answer).toMatchObject({ status: 'ok' });
  expect(contradictions(done, seed)).toEqual([]);

  const stages: string[] = [];
  const kills = await killAtEach(children, { scene, of: 'writes', sides: ['before'] }, async (killed) => {
    const stage = stageOf(killed.left, { seed, done, call: 'x1' });
    stages.push(stage);
    expect({ at: killed.at, stage }).not.toMatchObject({ stage: 'in part' });
    expect(contradictions(killed.left, seed)).toEqual([]);
    await restarted(killed.folders, async (place) => {
      expect(await place.do(call)).toEqual(said.answer);
      const now = contentsOf(place.host.store.db);
      expect(withoutMoves(now)).toEqual(withoutMoves(done));
      expect(phasesOf(now, 'x1')).toEqual(['started', 'succeeded']);
      expect(await place.do(call)).toEqual(said.answer);
      expect(contentsOf(place.host.store.db)).toEqual(now);
      // What is recorded of it leads back to the bytes before it.
      expect(await place.one({ path: back, invocation_id: 'back' })).toMatchObject({ status: 'ok' });
      expect(contentsOf(place.host.store.db).docs).toEqual(seed.docs);
    });
  });
  expect(kills).toBe(said.counted.writes + 1);
  expect(new Set(stages)).toEqual(new Set(['untouched', 'admitted', 'done']));
};
