import { expect } from 'vitest';
import { z } from 'zod';
import { artifactUri } from '../../machines/record.ts';
import {
  type CallTool,
  type Followed,
  followRun,
  type Script,
  type StartRequest,
  scriptedAuthor,
} from '../../src/sdk/index.ts';
import type { Host } from './host.ts';

const Replayed = z.looseObject({
  ok: z.literal(true),
  report: z.looseObject({
    topology: z.string(),
    steps: z.array(z.looseObject({ artifactRef: z.string(), digestStatus: z.string() })),
    consistent: z.boolean().optional(),
    differences: z.array(z.unknown()).optional(),
  }),
});

/**
 * The ledger has to tell again what was played: every artifact of the run, its digest intact, and the events executed again
 * give the same. Micro runs tell nothing of it.
 */
const expectReplay = async (call: CallTool, { runId, run, reader }: Followed): Promise<void> => {
  const { report } = Replayed.parse(await call('telic_replay_run', { run_id: runId }));
  expect(report.topology).toBe(run.topology);
  if (run.topology === 'micro') {
    expect(report).not.toHaveProperty('consistent');
    return;
  }
  expect(report).toMatchObject({ consistent: true, differences: [] });
  const stored = (await reader.metas()).map(({ id }) => artifactUri(runId, id));
  expect(report.steps.map(({ artifactRef }) => artifactRef).toSorted()).toEqual(stored.toSorted());
  expect(new Set(report.steps.map(({ digestStatus }) => digestStatus))).toEqual(new Set(['ok']));
};

/** Drives one run to its end by the scripted author, and has the server replay it. */
export const drive = async (
  { call, inspect, makeChange }: Host,
  start: StartRequest,
  script: Script = {},
  choice = 'go-on',
): Promise<Followed> => {
  const followed = await followRun({
    call,
    author: scriptedAuthor(inspect, script, makeChange),
    start,
    answer: () => choice,
  });
  await expectReplay(call, followed);
  return followed;
};

/** The artifact types of a run in the order in which they were submitted. */
export const submitted = ({ steps }: Followed): readonly (string | null)[] =>
  steps.filter(({ kind }) => kind === 'submitted').map(({ artifactType }) => artifactType);
