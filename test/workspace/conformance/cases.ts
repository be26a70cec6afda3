import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BlockType } from '../../../src/workspace/apps/notes/documents.ts';

/** The recorded cases of the wire: requests, answers and the circumstances that they start from. */

const folder = join(import.meta.dirname, '..', '..', 'conformance', 'wire');
/** A bundle of this file lies elsewhere and runs in the project's folder. */
const casesFolder = existsSync(folder) ? folder : join(process.cwd(), 'test', 'conformance', 'wire');

const Run = z.object({ id: z.string(), title: z.string() });

export const Given = z.union([
  z.strictObject({
    call: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()), run: Run.optional() }),
    client: z.string().optional(),
  }),
  z.strictObject({
    person: z.strictObject({
      ask: z.string().optional(),
      decision: z.enum(['allow', 'allow_edited', 'refuse']).optional(),
      args: z.record(z.string(), z.unknown()).optional(),
      reason: z.string().optional(),
      opens: z.string().optional(),
      undo: z.string().optional(),
    }),
  }),
  z.strictObject({ host: z.string() }),
  z.strictObject({ token: z.record(z.string(), z.unknown()) }),
]);
export type Given = z.infer<typeof Given>;

const Case = z.strictObject({
  title: z.string(),
  endpoint: z.string(),
  note: z.string().optional(),
  given: z.array(Given).optional(),
  request: z.looseObject({
    params: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()), _meta: z.unknown() }),
  }),
  response: z.looseObject({ result: z.looseObject({}) }),
  text: z.string().optional(),
});
export type Case = z.infer<typeof Case> & { readonly name: string };

export const Fixture = z.object({
  person: z.string(),
  connection: z.string(),
  workspaces: z.array(z.object({ name: z.string(), label: z.string(), apps: z.array(z.string()) })),
  notes: z.array(
    z.object({
      item: z.string(),
      title: z.string(),
      pinned: z.boolean(),
      blocks: z.array(
        z.object({ item: z.string(), type: BlockType, text: z.string(), done: z.boolean().exactOptional() }),
      ),
    }),
  ),
});
export type Fixture = z.infer<typeof Fixture>;

const json = (file: string): unknown => JSON.parse(readFileSync(join(casesFolder, file), 'utf8'));

export const readFixture = (): Fixture => Fixture.parse(json('fixture.json'));

/** The session of programs: a list of its own, for the language's tests. */
export const programs = 'tilo.programs';

/** Every case of a single call, by name. */
export const readCases = (): readonly Case[] =>
  readdirSync(casesFolder)
    .filter((file) => file.endsWith('.json') && file !== 'fixture.json' && file !== `${programs}.json`)
    .sort()
    .map((file) => ({ name: file.slice(0, -'.json'.length), ...Case.parse(json(file)) }));

/** Cases that wait for what this version leaves out: the language, the apps `files` and `runs`, governed runs. */
export const isLeft = (name: string): boolean =>
  name.startsWith('tilo.') ||
  [
    'tilo_ls.apps',
    'tilo_ls.kind',
    'tilo_read.file',
    'tilo_read.run',
    'tilo_do.pending-running',
    'tilo_do.not-granted',
    'tilo_status.running',
    'tilo_status.cancel',
    'tilo_find.hits',
  ].includes(name);
