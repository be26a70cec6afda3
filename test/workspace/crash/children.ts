import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { z } from 'zod';
import { endOf, startProgram } from '../../ledger/program.ts';
import type { KillPoint } from './killing.ts';
import { type Folders, seedPlace } from './place.ts';
import { scenes } from './scenes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'telic-crash-tests');

const Said = z.object({
  counted: z.object({ every: z.int(), writes: z.int(), commits: z.int() }),
  answer: z.unknown(),
});
/** What a process says that got through. */
export type Said = z.infer<typeof Said>;

/** The processes and directories of one test file. */
export interface Children {
  /** Fresh directories in which the scene can be played. */
  folders(scene: string): Promise<Folders>;
  copy(folders: Folders): Folders;
  start(folders: Folders, scene: string | null, kill?: KillPoint): ChildProcess;
  /** Plays to the end. Null: it was killed, as it was told to. @throws Error when it ended in another way */
  play(folders: Folders, scene: string | null, kill?: KillPoint): Promise<Said | null>;
  /** Takes directories away that nobody needs any more: a sweep makes hundreds. */
  drop(folders: Folders): void;
  remove(): void;
}

/** @param name of the test file, so that two of them do not share a program. */
export const createChildren = (name: string): Children => {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${name}-${process.pid}.mjs`);
  buildSync({
    entryPoints: [join(root, 'test', 'workspace', 'crash', 'program.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    outfile: program,
    logLevel: 'warning',
  });
  const base = mkdtempSync(join(tmpdir(), 'telic-crash-'));
  const running = new Set<ChildProcess>();
  let made = 0;
  const seeds = new Map<string, Promise<Folders>>();

  const fresh = (): Folders => {
    made += 1;
    return { data: join(base, `${made}`, 'data'), lab: join(base, `${made}`, 'lab') };
  };

  const copy = (of: Folders): Folders => {
    const to = fresh();
    cpSync(of.data, to.data, { recursive: true });
    cpSync(of.lab, to.lab, { recursive: true });
    return to;
  };

  const start: Children['start'] = (folders, scene, kill) => {
    const child = startProgram(program, [JSON.stringify({ ...folders, scene, kill: kill ?? null })]);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };

  return {
    folders: async (scene) => {
      const seeded =
        seeds.get(scene) ??
        (async () => {
          const folders = fresh();
          await seedPlace(folders, scenes[scene]?.prepare ?? (async () => {}));
          return folders;
        })();
      seeds.set(scene, seeded);
      return copy(await seeded);
    },
    copy,
    start,
    play: async (folders, scene, kill) => {
      const { code, signal, stdout, stderr } = await endOf(start(folders, scene, kill));
      if (signal === 'SIGKILL' && kill !== undefined) return null;
      if (code === 0 && stderr === '') return Said.parse(JSON.parse(stdout));
      throw new Error(`A process ended with ${signal ?? code}: ${stderr}`);
    },
    drop: ({ data, lab }) => {
      for (const each of [data, lab]) rmSync(each, { recursive: true, force: true });
    },
    remove: () => {
      for (const child of running) child.kill('SIGKILL');
      rmSync(program, { force: true });
      rmSync(base, { recursive: true, force: true });
    },
  };
};
