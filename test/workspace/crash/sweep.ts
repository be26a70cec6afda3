import type { Children, Said } from './children.ts';
import { type Contents, left } from './contents.ts';
import type { KillPoint } from './killing.ts';
import type { Folders } from './place.ts';

/** So many processes at once: two cores, and the tests between them wait for the disk. */
const lanes = 3;

/** One process that was killed, and what it left. */
export interface Killed {
  readonly folders: Folders;
  readonly at: string;
  readonly left: Contents;
}

/** A scene that got through. */
export interface Reference {
  readonly seed: Contents;
  readonly done: Contents;
  readonly said: Said;
  readonly folders: Folders;
}

export const referenceOf = async (children: Children, scene: string): Promise<Reference> => {
  const folders = await children.folders(scene);
  const seed = left(folders);
  const said = await children.play(folders, scene);
  if (said === null) throw new Error('Nobody killed it.');
  return { seed, done: left(folders), said, folders };
};

/**
 * Kills one process after the other, each at the next statement, until one gets through, and one more after its last.
 *
 * @param check looks at each that was killed
 * @returns how many were killed
 */
export const killAtEach = async (
  children: Children,
  { scene, of, sides }: Readonly<{ scene: string; of: 'every' | 'writes'; sides: readonly KillPoint['side'][] }>,
  check: (killed: Killed) => Promise<void>,
): Promise<number> => {
  let kills = 0;
  const kill = async (point: KillPoint): Promise<Said | null> => {
    const folders = await children.folders(scene);
    const said = await children.play(folders, scene, point);
    if (said === null) {
      kills += 1;
      await check({ folders, at: `${point.side} ${point.at}`, left: left(folders) });
    }
    children.drop(folders);
    return said;
  };
  for (const side of sides) {
    let next = 1;
    let last = Number.POSITIVE_INFINITY;
    const lane = async (): Promise<void> => {
      while (next <= last) {
        const at = next;
        next += 1;
        const said = await kill({ at, side, of });
        if (said !== null) last = Math.min(last, said.counted[of]);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    if (side === 'before' && !sides.includes('after')) await kill({ at: last, side: 'after', of });
  }
  return kills;
};
