import { writeSync } from 'node:fs';
import { type Counted, type KillPoint, killAt, killInFile } from './killing.ts';
import { draws, type Folders, openPlace } from './place.ts';
import { playScene, scenes } from './scenes.ts';

/** A host in a process of its own: `program.mjs '{"data","lab","scene","kill"}'`. Says what came of its scene when it gets through. */

interface Order extends Folders {
  /** Null: does no more than to start. */
  readonly scene: string | null;
  readonly kill: KillPoint | null;
}

const { scene: name, kill, ...folders }: Order = JSON.parse(process.argv[2] ?? '');
const say = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

if (name === null) {
  const counted = killAt(kill);
  const place = await openPlace(folders, draws.again);
  await place.close();
  say({ counted, answer: null });
} else {
  const scene = scenes[name];
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  const place = await openPlace(folders, draws.killed);
  if (kill?.of === 'files') await killInFile(kill.at);
  let counted: Counted | null = null;
  const answer = await playScene(
    place,
    scene,
    () => {
      counted = killAt(kill);
    },
    say,
  );
  say({ counted, answer });
  await place.close();
}
