import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Connection, connectStdio } from '../../src/sdk/connectStdio.ts';
import { bundlePath } from '../support/bundle.ts';

const Moved = z.looseObject({
  ok: z.literal(true),
  run: z.looseObject({ runId: z.string(), version: z.number() }),
  nextAction: z.looseObject({ id: z.string(), inputRefs: z.array(z.string()).optional() }),
});

const Stale = z.looseObject({
  ok: z.literal(false),
  code: z.literal('stale_version'),
  kind: z.literal('stale'),
  current: z.object({ version: z.number(), actionId: z.string() }),
});

const frame = (runId: string, request: string, id: string) => ({
  schemaVersion: '1.0',
  id,
  runId,
  originalRequestRef: request,
  intentMode: 'analyze_only',
  goal: `Look at the sample, as ${id} sees it.`,
  knownFacts: [],
  inferences: [],
  unknowns: [],
  scope: { include: ['**'], exclude: [] },
  constraints: [],
  nonGoals: [],
  applicableRuleRefs: [],
  draftAcceptanceCriteria: [
    { id: 'AC-1', stage: 'completion', requirement: 'The sample is described.', evidenceRequired: ['repository'] },
  ],
  clarification: { required: false, reason: null },
  rationaleSummary: 'The request names the sample.',
});

/** Two processes on one repository and one state directory, as two hosts would start them; gone when the test is over. */
const twoServers = async (): Promise<readonly [Connection, Connection]> => {
  const base = mkdtempSync(join(tmpdir(), 'telic-race-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const repository = join(base, 'repository');
  mkdirSync(repository);
  writeFileSync(join(repository, 'README.md'), '# Sample\n');
  execFileSync('git', ['init', '-q'], { cwd: repository });
  const env = { ...process.env, TELIC_STATE_DIR: join(base, 'state'), TELIC_REPOSITORY_ROOT: repository };
  const server = { command: process.execPath, args: [bundlePath, 'mcp'], env, onStderr: () => {} };
  const servers = await Promise.all([connectStdio(server), connectStdio(server)]);
  for (const one of servers) onTestFinished(() => one.close());
  return servers;
};

/** Both submit for each of so many versions: one wins it, and the other is told where the run is. */
export const raceFor = async (versions: number): Promise<void> => {
  const [first, second] = await twoServers();
  const wins = [0, 0];
  for (let round = 0; round < versions; round += 1) {
    const start = {
      original_request: 'Describe the sample.',
      mode: 'analyze_only',
      host_capabilities: ['repository.read'],
    };
    const started = Moved.parse(await first.call('telic_start_run', start));
    const token = {
      run_id: started.run.runId,
      action_id: started.nextAction.id,
      expected_run_version: started.run.version,
    };
    const grounded = Moved.parse(await second.call('telic_ground_context', token));
    const { runId, version } = grounded.run;
    const request = grounded.nextAction.inputRefs?.[0] ?? '';
    const at = {
      run_id: runId,
      action_id: grounded.nextAction.id,
      expected_run_version: version,
      artifact_type: 'ProblemFrame',
    };
    const answers = await Promise.all(
      [first, second].map((server, who) =>
        server.call('telic_submit_artifact', { ...at, body: frame(runId, request, `frame-${who}`) }),
      ),
    );
    const winner = answers.findIndex(({ ok }) => ok === true);
    const loser = 1 - winner;
    const won = Moved.parse(answers[winner]);
    expect(won.run.version).toBe(version + 1);
    const lost = Stale.parse(answers[loser]);
    expect(lost.current).toEqual({ version: version + 1, actionId: won.nextAction.id });
    wins[winner] = (wins[winner] ?? 0) + 1;
    const read = await first.call('telic_get_run', { run_id: runId });
    expect(JSON.stringify(read)).toContain(`"frame-${winner}"`);
    expect(JSON.stringify(read)).not.toContain(`"frame-${loser}"`);
  }
  // Both really raced: neither process was shut out by the other's lock.
  expect(Math.min(...wins)).toBeGreaterThan(0);
};
