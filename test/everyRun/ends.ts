import { expect } from 'vitest';
import type { Pair } from '../../machines/graph/runGraph.ts';
import type { Script } from '../../src/sdk/index.ts';
import { handsIn } from './host.ts';
import { drive } from './runs.ts';
import { startOf } from './starts.ts';
import { newWorld, serve } from './world.ts';

type End = 'completed' | 'partial' | 'failed_verification' | 'blocked' | 'cancelled';

/** A script for each end; under micro a partial review would move the run up, so that only the report says so. */
const scripts = (topology: Pair[1]): Readonly<Record<End, Script>> => {
  const short: Script = topology === 'micro' ? {} : { quality: ['partial', 'partial'] };
  return {
    completed: {},
    partial: { ...short, report: 'partial' },
    failed_verification: { ...short, report: 'failed_verification' },
    blocked: { quality: ['block', 'block'] },
    cancelled: { question: { phase: 'agent_1_frame', reason: 'permission_expanding' } },
  };
};

/** Ends that no real artifact reaches: the pair, the end, a script that tries, and the rule that stops it. */
export const unreachable: readonly (readonly [...Pair, End, Script, string])[] = [
  // Outside micro a verification that failed has to be shown, and report_only can require none.
  [
    'report_only',
    'standard',
    'failed_verification',
    { quality: ['partial'], report: 'failed_verification' },
    'ADM-REPORT-14',
  ],
  [
    'report_only',
    'forensic',
    'failed_verification',
    { quality: ['partial', 'partial'], report: 'failed_verification' },
    'ADM-REPORT-14',
  ],
  // Standard fix_only holds no write permission, and a fix that changed nothing does not pass.
  ['fix_only', 'standard', 'completed', { quality: ['pass'] }, 'ADM-QUALITY-06'],
];

const isReachable = (pair: Pair, end: string): boolean =>
  !unreachable.some(([mode, topology, never]) => mode === pair[0] && topology === pair[1] && never === end);

/** Drives one run after the other over STDIO to each end that a run of the pair can reach. */
export const driveToEnds = async (pair: Pair): Promise<void> => {
  const world = newWorld();
  const { call } = await serve(world);
  const host = { ...handsIn(world), call };
  const wanted = Object.entries(scripts(pair[1])).filter(([end]) => isReachable(pair, end));
  expect(wanted.length).toBeGreaterThanOrEqual(4);
  for (const [end, script] of wanted) {
    const { terminal, report, run } = await drive(host, startOf(pair), script, 'stop');
    expect({ end, status: terminal.status, topology: run.topology }).toEqual({
      end,
      status: end,
      topology: pair[1],
    });
    expect(report?.terminalStatus).toBe(end === 'cancelled' ? undefined : end);
  }
};
