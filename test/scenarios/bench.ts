import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { SubmittedType } from '../../schemas/vocabulary.ts';
import { fresh, type Live } from '../conformance/scenarios/lib/build.mjs';
import { type Answer, TelicClient } from '../conformance/scenarios/lib/client.mjs';
import { bundlePath } from '../support/bundle.ts';

const Payload = z.looseObject({
  ok: z.boolean(),
  code: z.string().optional(),
  kind: z.string().optional(),
  rule: z.string().optional(),
  error: z.string().optional(),
  issues: z.array(z.looseObject({ code: z.string(), path: z.string() })).optional(),
});
export type Payload = z.infer<typeof Payload>;

/** What a tool answered, success or failure. */
export const payloadOf = ({ verdict, payload }: Answer): Payload => {
  if (verdict === 'dead' || verdict === 'timeout') throw new Error(`The server did not answer: ${verdict}.`);
  return Payload.parse(payload);
};

/** `accepted`, or the rule that refused; the code where no rule stands behind it. */
export const verdictOf = (answer: Answer): string => {
  const { ok, rule, code } = payloadOf(answer);
  return ok ? 'accepted' : (rule ?? code ?? 'refused');
};

/** The answer to a call that must succeed. */
export const accepted = (answer: Answer): Payload => {
  const payload = payloadOf(answer);
  if (!payload.ok) throw new Error(`Refused by ${payload.rule ?? payload.code}: ${payload.error}`);
  return payload;
};

/** An element that must be there. */
export const at = <T>(list: readonly T[], index = 0): T => {
  const found = list.at(index);
  if (found === undefined) throw new Error(`There is no element ${index}.`);
  return found;
};

/** Changes fields of an object, as one expression. */
export const set = <T extends object>(target: T, fields: Partial<T>): T => Object.assign(target, fields);

const files = {
  'AGENTS.md': '# House rules\nKeep answers short.\n',
  'src/app.ts': "export const app = () => 'sample';\n",
  'src/util.ts': 'export const util = (n: number) => n + 1;\n',
  'docs/guide.md': '# Guide\nHow the sample app works.\n',
};

interface World {
  readonly client: TelicClient;
  readonly root: string;
  readonly close: () => Promise<void>;
}

/** A server of its own on a repository of its own. */
const openWorld = async (): Promise<World> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telic-beyond-')));
  const root = join(folder, 'repository');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const command = `exec '${process.execPath}' '${bundlePath}' mcp`;
  const client = await TelicClient.start({ command, root, state: join(folder, 'state') });
  const close = async (): Promise<void> => {
    await client.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  return { client, root, close };
};

/** Changes a valid body. What it gives back matters only when it is `instead(…)`. */
type Edit<B> = (body: B, run: Live) => unknown;

const Instead = z.object({ instead: z.record(z.string(), z.unknown()) });

/** Arguments of the call that stand in place of the usual ones; with `body_json` there, no body goes beside it. */
export const instead = (args: Readonly<Record<string, unknown>>): z.infer<typeof Instead> => ({ instead: { ...args } });

/** What is sent, the change, and `accepted` or the rule that refuses it. */
export type Row<B> = readonly [name: string, edit: Edit<B>, verdict: string];

/** The body that a table starts from, with the references that go beside it. */
export type Build<B> = (run: Live) => readonly [type: SubmittedType, body: B, sourceRefs?: readonly string[]];

const Event = z.looseObject({
  sequence: z.number(),
  eventType: z.string(),
  actor: z.string(),
  inputRefs: z.array(z.string()),
  outputRefs: z.array(z.string()),
});

/** The whole trace of a run. */
export const eventsOf = async (run: Live): Promise<readonly z.infer<typeof Event>[]> => {
  const args = { run_id: run.runId, limit: 500 };
  return z.looseObject({ events: z.array(Event) }).parse(payloadOf(await run.client.call('telic_get_trace', args)))
    .events;
};

/** The run as its record stands. */
export const runOf = async (run: Live): Promise<Readonly<Record<string, unknown>>> => {
  const Read = z.looseObject({ run: z.record(z.string(), z.unknown()) });
  return Read.parse(payloadOf(await run.client.call('telic_get_run', { run_id: run.runId }))).run;
};

/** Where a run stands: what a refusal must leave as it was. */
const placeOf = async (run: Live): Promise<string> => {
  const place = z.object({ run: z.object({ version: z.number() }), nextAction: z.object({ id: z.string() }) });
  const { run: now, nextAction } = place.parse(
    payloadOf(await run.client.call('telic_get_run', { run_id: run.runId })),
  );
  return `${now.version} ${nextAction.id}`;
};

/**
 * Sends each row's body and gives what became of it. A run serves until a row moves it; a refusal that moves the run is
 * told as such.
 */
export const outcomesOf = async <B extends object>(
  make: () => Promise<Live>,
  build: Build<B>,
  rows: readonly Row<B>[],
): Promise<Readonly<Record<string, string>>> => {
  const outcomes: Record<string, string> = {};
  let kept: Live | null = null;
  for (const [name, edit] of rows) {
    const run: Live = kept ?? (await make());
    const [type, body, sourceRefs = []] = build(run);
    const refs = [...new Set([...(run.lineage ?? []), ...sourceRefs])];
    const changed = Instead.safeParse(edit(body, run));
    const more = changed.success ? changed.data.instead : {};
    const before = await placeOf(run);
    const sent = { artifact_type: type, ...(refs.length > 0 && { source_refs: refs }) };
    const answer = await run.rawSubmit({ ...sent, ...('body_json' in more ? {} : { body }), ...more });
    const verdict = verdictOf(answer);
    const stays = verdict === 'accepted' || (await placeOf(run)) === before;
    outcomes[name] = stays ? verdict : `${verdict}, but the run moved`;
    kept = verdict === 'accepted' || !stays ? null : run;
  }
  return outcomes;
};

/** What the rows of a table say should become of them. */
export const wanted = <B>(rows: readonly Row<B>[]): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map(([name, , verdict]) => [name, verdict]));

/** Starts a run and brings it to where a table begins. */
export type Make = () => Promise<Live>;

export interface SharedWorld extends Pick<World, 'client' | 'root'> {
  /** A run of a profile, walked by valid steps to a phase. */
  inPhase(profile: Parameters<typeof fresh>[1], phase: string): Make;
}

/** One server for all tests of a file, started before them; it and its folder are gone after them. */
export const sharedWorld = (): SharedWorld => {
  let world: World | null = null;
  const opened = (): World => {
    if (!world) throw new Error('The world opens before the first test.');
    return world;
  };
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(async () => {
    await world?.close();
  });
  return {
    get client() {
      return opened().client;
    },
    get root() {
      return opened().root;
    },
    inPhase: (profile, phase) => () => fresh(opened().client, profile, phase),
  };
};

/** A table as one test: its name, where a run starts, the valid body, and what becomes of each change. */
export const table = <B extends object>(name: string, make: Make, build: Build<B>, rows: readonly Row<B>[]): void => {
  it(name, async () => {
    expect(await outcomesOf(make, build, rows)).toEqual(wanted(rows));
  });
};
