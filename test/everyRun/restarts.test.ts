import { describe, expect, it } from 'vitest';
import {
  type Connection,
  type Followed,
  followRun,
  type Inspect,
  scriptedAuthor,
  type TraceLine,
  traceOf,
} from '../../src/sdk/index.ts';
import { handsIn } from './host.ts';
import { startOf } from './starts.ts';
import { newWorld, serve, type World } from './world.ts';

/** The name of an artifact where its author counts; other ids differ from run to run. */
const counted = (id: string | null | undefined): string => (id && /^[a-z-]+-\d{1,3}$/.test(id) ? id : 'its own');

/** A trace without what differs from run to run. */
const told = (trace: readonly TraceLine[]): readonly string[] =>
  trace.map(({ sequence, actor, phase, eventType, outputRefs }) =>
    [sequence, actor, phase, eventType, ...outputRefs.map((ref) => counted(ref.split('/').at(-1)))].join(' '),
  );

const reported = ({ steps }: Followed): readonly object[] =>
  steps.map((step) => ({ ...step, artifactId: counted(step.artifactId) }));

/** Drives a run; the server is ended and started anew before the contract is written, and in the middle of a node. */
const driveWith = async (
  world: World,
  restarting: boolean,
): Promise<Readonly<{ followed: Followed; trace: readonly TraceLine[]; servers: number }>> => {
  let connection: Connection = await serve(world);
  let servers = 1;
  const restart = async (): Promise<void> => {
    if (!restarting) return;
    await connection.close();
    connection = await serve(world);
    servers += 1;
  };
  const hands = handsIn(world);
  let looks = 0;
  const inspect: Inspect = async (...of) => {
    looks += 1;
    if (looks === 2) await restart();
    return hands.inspect(...of);
  };
  const author = scriptedAuthor(inspect, { quality: ['remediate'], plan: 'one' });
  const followed = await followRun({
    call: (tool, args) => connection.call(tool, args),
    start: startOf(['analyze_only', 'forensic']),
    author: {
      ...author,
      TaskContract: async (work) => {
        await restart();
        if (!author.TaskContract) throw new Error('The author writes no contract.');
        return author.TaskContract(work);
      },
    },
  });
  return { followed, trace: await traceOf(connection.call, followed.runId), servers };
};

describe('a run whose server is restarted twice', () => {
  it('goes on where it was, and leaves the trace of a run that was never interrupted', async () => {
    const calm = await driveWith(newWorld(), false);
    const shaken = await driveWith(newWorld(), true);
    expect(shaken.servers).toBe(3);
    expect(shaken.followed.terminal.status).toBe('completed');
    expect(reported(shaken.followed)).toEqual(reported(calm.followed));
    expect(told(shaken.trace)).toEqual(told(calm.trace));
  });
});
